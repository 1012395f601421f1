export type { PgConfig } from './store/driver/pg-config.ts'
export { type PostgresOptions, postgres } from './store/postgres/postgres.ts'
