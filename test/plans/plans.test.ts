import { describe } from 'vitest'
import { isPostgresSkipped } from '../postgres/database.ts'
import { describePlans } from './describe-plans.ts'
import { useService } from './uses.ts'

describe.skipIf(isPostgresSkipped('18'))('PostgreSQL 18', () => {
  describePlans('18', { 'a request': useService }, { conditions: ['missing', 'stale'] })
})
