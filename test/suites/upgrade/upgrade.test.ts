import { describe } from 'vitest'
import { isPostgresSkipped } from '../../harness/postgres/database.ts'
import { describeUpgrade, inDirectory, onServer } from './describe-upgrade.ts'

describe.skipIf(isPostgresSkipped())('upgrades', () => describeUpgrade('PostgreSQL 18', () => onServer('18')))
describeUpgrade('PGlite', inDirectory)
