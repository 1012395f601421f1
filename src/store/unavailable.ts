import { PontualError } from '../errors.ts'

/**
 * The store could not be reached, or gave no answer in time. The same call may succeed later; where the message says that it may or may not
 * have been applied, nobody knows.
 */
export class StoreUnavailableError extends PontualError {}

/** The server said no to who asks (a password, a database that does not exist): asking again does not help. */
export const REFUSED = 'store.refused'

/** Insufficient resources, connection exceptions. */
const TRANSIENT_CLASSES: ReadonlySet<string> = new Set(['08', '53'])

const TRANSIENT_STATES: ReadonlySet<string> = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '55P03', // lock_not_available
  '57014', // query_canceled: a timeout of the role, or somebody's hand
  '25006', // read_only_sql_transaction: this was the primary until a failover
  '26000', // a prepared statement is gone, and
  '42P05', // is there already: a pooler stands between, and from then on none is prepared
])

/** Whether the same call may succeed when it is made again. A deadlock and a serialization failure have changed nothing. */
export function isTransient(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return error.code !== REFUSED
  const state = sqlStateOf(error)
  return state !== null && (TRANSIENT_STATES.has(state) || TRANSIENT_CLASSES.has(state.slice(0, 2)))
}

/** The five characters that a database says about an error, also one that a driver has wrapped; null for an error of another kind. */
export function sqlStateOf(error: unknown): string | null {
  if (error instanceof StoreUnavailableError) return sqlStateOf(error.cause)
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return /^[0-9A-Z]{5}$/.test(error.code) && !/^E[A-Z]{4}$/.test(error.code) ? error.code : null
}
