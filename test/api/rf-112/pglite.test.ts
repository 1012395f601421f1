import { pglite } from '../../../src/pglite.ts'
import { describeRequirement } from './suite.ts'

describeRequirement('PGlite', () => pglite(), 'brief')
