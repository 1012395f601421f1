import { memory } from '../../../src/store/memory/memory.ts'
import { describeStore } from './describe-store.ts'
import { throughEncryption } from './through-encryption.ts'
import { throughTenants } from './through-tenants.ts'

describeStore('memory, encrypted', () => throughEncryption(memory()))
describeStore('memory, encrypted, for tenants', () => throughTenants(throughEncryption(memory())))
