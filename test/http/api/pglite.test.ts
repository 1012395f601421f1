import { pglite } from '../../../src/pglite.ts'
import { describeConditional } from './conditional.ts'
import { describeFigures } from './figures.ts'
import { describeKnowledge } from './knowledge.ts'
import { describePermissionMatrix } from './permission-matrix.ts'
import { describeStreams } from './streams.ts'

const open = () => pglite()
describePermissionMatrix('PGlite', open, { isBrief: true })
describeConditional('PGlite', open)
describeStreams('PGlite', open)
describeFigures('PGlite', open)
describeKnowledge('PGlite', open)
