import { isTransient, REFUSED, StoreUnavailableError, sqlStateOf } from '../unavailable.ts'

/** Invalid authorization, invalid catalog name: a wrong password, a database that does not exist. */
const REFUSED_CLASSES: ReadonlySet<string> = new Set(['28', '3D'])

/** Timeouts of the server that end a session whose transaction is open, or that has none: nothing was applied. */
const TIMED_OUT = /^(25P0[34]|57P05)$/

/** Other states that end a connection from the server's side, and connection exceptions. */
const LOST = /^(08|57P0[^5])/

/** What `pg` says when it is asked for a password that it does not have. */
const NO_PASSWORD = /client password must be a (non-empty )?string/

/** No connection could be made. */
export function unreachable(server: string, cause: unknown): StoreUnavailableError {
  const reason = reasonOf(cause)
  if (NO_PASSWORD.test(reason)) {
    const message = `PostgreSQL at ${server} wants a password, and none was given: put it into the connection string (postgres://user:password@host:5432/database), the option "password", or PGPASSWORD.`
    return new StoreUnavailableError(REFUSED, message, { server }, { cause })
  }
  if (REFUSED_CLASSES.has(sqlStateOf(cause)?.slice(0, 2) ?? '')) {
    return new StoreUnavailableError(REFUSED, `PostgreSQL at ${server} refuses: ${reason}.`, { server }, { cause })
  }
  if (sqlStateOf(cause) === '25006') {
    const message = `PostgreSQL at ${server} cannot be used: ${reason}.`
    return new StoreUnavailableError('store.read_only', message, { server }, { cause })
  }
  const message = `PostgreSQL at ${server} cannot be reached: ${reason}.`
  return new StoreUnavailableError('store.unreachable', message, { server }, { cause })
}

/** Every connection of the pool is in use, and none became free. */
export function busy(server: string, connections: number, cause: unknown): StoreUnavailableError {
  const message = `PostgreSQL at ${server}: none of ${connections} connections became free in time. Nothing was sent.`
  return new StoreUnavailableError('store.busy', message, { server, connections }, { cause })
}

/** The server gave no answer in time. */
export function deadlinePassed(server: string, what: string, deadlineMs: number): StoreUnavailableError {
  const message = `PostgreSQL at ${server} gave no answer to ${what} within ${deadlineMs} ms. It may or may not have been applied.`
  return new StoreUnavailableError('store.deadline', message, { server, statement: what, deadlineMs })
}

/** The connection ended before the statement was sent; an open transaction ended with it. */
export function lostBefore(server: string, what: string, cause: Error): StoreUnavailableError {
  const message = `The connection to PostgreSQL at ${server} was lost before ${what} was sent: ${reasonOf(cause)}. Nothing was applied.`
  return new StoreUnavailableError('store.unreachable', message, { server, statement: what }, { cause })
}

/** What a failed statement is to who asked: an answer of the database as it is, trouble that passes, or the loss of the connection. */
export function failureOf(server: string, what: string, error: unknown, isBroken: boolean): unknown {
  const state = sqlStateOf(error)
  if (state === null ? !isBroken : !LOST.test(state)) return troubleOf(`PostgreSQL at ${server}`, what, error) ?? error
  const message = `The connection to PostgreSQL at ${server} was lost during ${what}: ${reasonOf(error)}. It may or may not have been applied.`
  return new StoreUnavailableError('store.connection_lost', message, { server, statement: what }, { cause: error })
}

/** Codes by the state, or the class of states, that they stand for. */
const TROUBLES: ReadonlyMap<string, string> = new Map([
  ['25006', 'store.read_only'],
  ['25P03', 'store.unreachable'],
  ['57P05', 'store.unreachable'],
  ['25P04', 'store.interrupted'],
  ['57014', 'store.interrupted'],
  ['26000', 'store.unprepared'],
  ['42P05', 'store.unprepared'],
  ['53', 'store.exhausted'],
])

/** Trouble of the server that passes, such as a full disk or a deadlock; null for any other answer. A statement that fails is undone. */
export function troubleOf(where: string, what: string, error: unknown): StoreUnavailableError | null {
  const state = sqlStateOf(error)
  if (state === null || !isTransient(error)) return null
  const code = TROUBLES.get(state) ?? TROUBLES.get(state.slice(0, 2)) ?? 'store.busy'
  const message = `${where} cannot do ${what} for now: ${reasonOf(error)}. Nothing was applied.`
  return new StoreUnavailableError(code, message, { statement: what, state }, { cause: error })
}

/** Whether a connection is of no use after a failure: it is gone, leads to a standby, or its prepared statements no longer fit. */
export function makesUnfit(failure: unknown): boolean {
  const state = sqlStateOf(failure)
  if (state === null) return failure instanceof StoreUnavailableError
  return LOST.test(state) || TIMED_OUT.test(state) || state === '25006' || state === '0A000' || namesAreLost(failure)
}

/** Whether `pg` gave up a statement at its own `query_timeout`. The statement still runs, and the connection waits for its answer. */
export function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Whether prepared statements are not where they were left: a pooler stands between. */
export function namesAreLost(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === '26000' || state === '42P05'
}

/** Why, in words and without a full stop. Where each of several addresses failed, the error itself has no message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ')
  const text = error instanceof Error ? error.message || error.name : String(error)
  return text.replace(/\.$/, '')
}
