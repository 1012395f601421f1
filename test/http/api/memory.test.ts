import { describeArchived } from './archived.ts'
import { describeConditional } from './conditional.ts'
import { describeDescription } from './described.ts'
import { describeFigures } from './figures.ts'
import { describeHttpRules } from './http-rules.ts'
import { describeKnowledge } from './knowledge.ts'
import { describePermissionMatrix } from './permission-matrix.ts'
import { describeStreams } from './streams.ts'

describePermissionMatrix('memory', () => undefined)
describeConditional('memory', () => undefined)
describeStreams('memory', () => undefined)
describeFigures('memory', () => undefined)
describeKnowledge('memory', () => undefined)
describeArchived('memory', () => undefined)
describeHttpRules()
describeDescription()
