import { describeRequirement, describeRequirementOfRest } from './suite.ts'

describeRequirement('memory', () => undefined, 'whole')
describeRequirementOfRest('memory', () => undefined)
