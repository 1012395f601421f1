import { pglite } from '../../src/pglite.ts'
import { describeStore } from './describe-store.ts'
import { describeDurableTransactions } from './durable-transactions.ts'

describeStore('PGlite', () => pglite())
describeDurableTransactions(() => pglite())
