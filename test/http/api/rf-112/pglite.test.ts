import { pglite } from '../../../../src/pglite.ts'
import { describeRequirement, describeRequirementOfRest } from './suite.ts'

describeRequirement('PGlite', () => pglite(), 'brief')
describeRequirementOfRest('PGlite', () => pglite())
