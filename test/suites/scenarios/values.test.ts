import { describe } from 'vitest'
import { describeValues } from './describe-values.ts'
import { scenarioStore } from './scenario-store.ts'

describe('inputs and outputs', () => describeValues(scenarioStore))
