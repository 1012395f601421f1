import { pglite } from '../../src/pglite.ts'
import { describeConditional } from './conditional.ts'
import { describePermissionMatrix } from './permission-matrix.ts'
import { describeStreams } from './streams.ts'

const open = () => pglite()
describePermissionMatrix('PGlite', open, { isBrief: true })
describeConditional('PGlite', open)
describeStreams('PGlite', open)
