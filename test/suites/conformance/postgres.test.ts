import { describePostgres, describePostgresTogether } from './describe-postgres.ts'

describePostgres('18')
describePostgresTogether('18')
