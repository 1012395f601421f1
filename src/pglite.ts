export { type PgliteOptions, type PgliteSource, pglite } from './store/postgres/pglite.ts'
