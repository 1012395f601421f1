import { describeRequirement } from './suite.ts'

describeRequirement('memory', () => undefined, 'whole')
