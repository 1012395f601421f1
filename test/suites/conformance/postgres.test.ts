import { describePostgres } from './describe-postgres.ts'

describePostgres('18')
