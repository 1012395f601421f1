import { describe } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { describeCanary } from './canary.ts'
import { describeSealedTransactions } from './transactions.ts'

describe('PGlite', () => {
  describeCanary(() => pglite())
  describeSealedTransactions(() => pglite())
})
