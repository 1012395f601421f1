import { afterAll, describe } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { describeValues } from './describe-values.ts'

const store = pglite()
afterAll(() => store.dispose())

describe('inputs and outputs on PGlite', { timeout: 60_000 }, () => describeValues(() => store))
