import { describePostgresTogether } from './describe-postgres.ts'

describePostgresTogether('18')
