import { pglite } from '../../../src/pglite.ts'
import { describeArchive } from './archive.ts'
import { describeAudit } from './audit.ts'
import { describeStore } from './describe-store.ts'
import { describeDurableTransactions } from './durable-transactions.ts'
import { describeFailuresTold } from './failures-told.ts'
import { describeJobAlerts } from './job-alerts.ts'

describeStore('PGlite', () => pglite())
describeAudit('PGlite', () => pglite())
describeArchive('PGlite', () => pglite())
describeFailuresTold('PGlite', () => pglite())
describeJobAlerts('PGlite', () => pglite())
describeDurableTransactions(() => pglite())
