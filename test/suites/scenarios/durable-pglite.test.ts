import { afterAll, describe } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { describeDurable } from './durable/all.ts'

const store = pglite()
afterAll(() => store.dispose())

describe('durable jobs on PGlite', { timeout: 120_000 }, () => describeDurable(() => store, 'pglite'))
