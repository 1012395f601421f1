import { failureOf, unreachable } from '../../../src/store/driver/pg-errors.ts'

/** How a server says no: by the state that it gives, as the driver for PostgreSQL hands it on. */
const ANSWERS = {
  diskFull: { state: '53100', message: 'could not extend file: No space left on device' },
  tooManyConnections: { state: '53300', message: 'sorry, too many clients already' },
  deadlock: { state: '40P01', message: 'deadlock detected' },
  serialization: { state: '40001', message: 'could not serialize access due to concurrent update' },
  shutdown: { state: '57P01', message: 'terminating connection due to administrator command' },
  readOnly: { state: '25006', message: 'cannot execute UPDATE in a read-only transaction' },
  interrupted: { state: '57014', message: 'canceling statement due to statement timeout' },
} as const

export type Refusal = keyof typeof ANSWERS

export const REFUSALS = Object.keys(ANSWERS) as readonly Refusal[]

const SERVER = 'the simulation'

export function isRefusal(kind: string): kind is Refusal {
  return kind in ANSWERS
}

/** What the engine is told: not what the server said, but what the driver makes of it. Connections are refused before a statement is sent, and a shutdown ends the one it is sent on. */
export function refusalOf(kind: Refusal, statement: string): Error {
  const { state, message } = ANSWERS[kind]
  const answer = Object.assign(new Error(message), { code: state })
  if (kind === 'tooManyConnections') return unreachable(SERVER, answer)
  return failureOf(SERVER, statement, answer, kind === 'shutdown') as Error
}
