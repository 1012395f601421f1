import { describeConditional } from './conditional.ts'
import { describeDescription } from './described.ts'
import { describeHttpRules } from './http-rules.ts'
import { describePermissionMatrix } from './permission-matrix.ts'
import { describeStreams } from './streams.ts'

describePermissionMatrix('memory', () => undefined)
describeConditional('memory', () => undefined)
describeStreams('memory', () => undefined)
describeHttpRules()
describeDescription()
