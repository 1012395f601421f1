export type { PgConnection } from './store/driver/pg-connection.ts'
export { type PostgresOptions, postgres } from './store/postgres/postgres.ts'
