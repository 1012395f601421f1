import { describe } from 'vitest'
import { describeDurable } from './durable/all.ts'
import { scenarioStore } from './scenario-store.ts'

describe('durable jobs in memory', () => describeDurable(scenarioStore, 'memory'))
