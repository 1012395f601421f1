import { pglite } from '../../src/pglite.ts'
import { describeAudit } from './audit.ts'
import { describeStore } from './describe-store.ts'
import { describeDurableTransactions } from './durable-transactions.ts'

describeStore('PGlite', () => pglite())
describeAudit('PGlite', () => pglite())
describeDurableTransactions(() => pglite())
