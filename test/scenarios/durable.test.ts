import { describe } from 'vitest'
import { memory } from '../../src/store/memory/memory.ts'
import { describeDurable } from './durable/all.ts'

describe('durable jobs in memory', () => describeDurable(() => memory(), 'memory'))
