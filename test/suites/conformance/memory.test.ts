import { memory } from '../../../src/store/memory/memory.ts'
import { describeArchive } from './archive.ts'
import { describeAudit } from './audit.ts'
import { describeStore } from './describe-store.ts'
import { describeFailuresTold } from './failures-told.ts'
import { describeJobAlerts } from './job-alerts.ts'
import { throughTenants } from './through-tenants.ts'

describeStore('memory', () => memory())
describeStore('memory, for tenants', () => throughTenants(memory()))
describeAudit('memory', () => memory())
describeArchive('memory', () => memory())
describeFailuresTold('memory', () => memory())
describeJobAlerts('memory', () => memory())
