import { memory } from '../../src/store/memory/memory.ts'
import { describeAudit } from './audit.ts'
import { describeStore } from './describe-store.ts'
import { throughTenants } from './through-tenants.ts'

describeStore('memory', () => memory())
describeStore('memory, for tenants', () => throughTenants(memory()))
describeAudit('memory', () => memory())
