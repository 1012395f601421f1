import { describe } from 'vitest'
import { isPostgresSkipped } from '../../harness/postgres/database.ts'
import { describeUpgrade, onServer } from './describe-upgrade.ts'

describe.skipIf(isPostgresSkipped('14'))('upgrades', () => describeUpgrade('PostgreSQL 14', () => onServer('14')))
