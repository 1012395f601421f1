import {
  type Budget,
  lifeOf,
  type Place,
  type Process,
  processOf,
  type Row,
  type RowOf,
  type State,
  type Statement,
  type Verb,
} from './lease-state.ts'
import type { Step } from './spec.ts'

export interface Size {
  readonly processes: number
  readonly executions: number
  readonly maxAttempts: number
  readonly limit: number | null
  readonly budget: Budget
  /** How many recoveries may be under way at once. */
  readonly recoveries: number
}

/** A step, and what was written where it is a commit. */
export interface LeaseStep extends Step<State> {
  /** Which statement goes on, where one does. */
  readonly of?: { readonly tag: number; readonly act: 'takes' | 'commits' | 'undone' | 'lost' } | undefined
  readonly commit?: Commit | undefined
}

interface Commit {
  readonly statement: Statement
  readonly took: readonly RowOf[]
  readonly made: readonly RowOf[]
}

/** Everybody is well, and everything ready. */
export function initialState({ processes, executions, limit, budget }: Size): State {
  const row: Row = {
    place: 'ready',
    epoch: 0,
    attempt: 0,
    holder: null,
    slot: null,
    end: null,
    isReported: false,
    version: 0,
  }
  return {
    rows: Array.from({ length: executions }, () => [row]),
    listed: Array.from({ length: processes }, (_, index) => ({ life: lifeOf(index, 0), isLapsed: false })),
    processes: Array.from({ length: processes }, (_, index) => {
      return { isUp: true, life: lifeOf(index, 0), lives: 1, run: null }
    }),
    statements: [],
    limit,
    counted: 0,
    past: Array.from({ length: executions }, () => ({ epoch: 0, ends: 0, isCancelTold: false, moves: 0 })),
    budget,
    begun: 0,
  }
}

export function rowsAt({ rows }: State, place: Place): RowOf[] {
  return rows.flatMap((all, execution) => all.filter((row) => row.place === place).map((row) => ({ execution, row })))
}

export function usedSlots(state: State): number[] {
  return rowsAt(state, 'leases').flatMap(({ row }) => (row.slot === null ? [] : [row.slot]))
}

export function lowestFree(used: readonly number[]): number {
  for (let slot = 1; ; slot += 1) if (!used.includes(slot)) return slot
}

export function stands({ rows }: State, { execution, row }: RowOf): boolean {
  return rows[execution]!.some(({ version }) => version === row.version)
}

export function isLocked({ statements }: State, { execution, row }: RowOf): boolean {
  return statements.some(({ takes: held }) =>
    held.some((each) => each.execution === execution && each.row.version === row.version),
  )
}

export function isLifeLocked({ statements }: State, life: number): boolean {
  return statements.some(({ locks }) => locks.includes(life))
}

export function isWaiting({ statements }: State, index: number, verbs: readonly Verb[]): boolean {
  return statements.some(({ sender, verb }) => sender === index && verbs.includes(verb))
}

export function begin(state: State, change: Partial<Statement> & Pick<Statement, 'verb'>): State {
  const statement: Statement = {
    tag: state.begun,
    sender: null,
    isAwaited: true,
    phase: 'begun',
    life: null,
    execution: null,
    epoch: 0,
    outcome: null,
    limit: null,
    seen: [],
    seenLapsed: [],
    seenSlots: [],
    takes: [],
    locks: [],
    slot: null,
    ...change,
  }
  return { ...state, statements: [...state.statements, statement], begun: state.begun + 1 }
}

export function replace(state: State, old: Statement, change: Statement): State {
  return { ...state, statements: state.statements.map((each) => (each === old ? change : each)) }
}

export function without(state: State, old: Statement): State {
  return { ...state, statements: state.statements.filter((each) => each !== old) }
}

export function withProcess(state: State, index: number, process: Process): State {
  return { ...state, processes: state.processes.map((each, place) => (place === index ? process : each)) }
}

export function spend(state: State, what: 'crashes' | 'losses' | 'pauses' | 'failures' | 'cancels'): State {
  return { ...state, budget: { ...state.budget, [what]: state.budget[what] - 1 } }
}

export function nameOf({ verb, life, execution, epoch, limit }: Statement): string {
  const by = life === null ? '' : ` of n${processOf(life)}`
  const on = execution === null ? '' : ` of x${execution}${epoch > 0 ? ` e${epoch}` : ''}`
  return `${verb}${on}${by}${verb === 'limit' ? ` ${limit}` : ''}`
}

export function fair(name: string, next: State): LeaseStep {
  return { name, next, isFault: false }
}

export function fault(name: string, next: State): LeaseStep {
  return { name, next, isFault: true }
}

/** One that has ended is told so at once. */
export function lookToCancel(state: State, execution: number): State {
  if (state.rows[execution]!.some(({ place }) => place === 'results')) return tellCancelled(state, execution)
  return begin(state, { verb: 'cancel', execution, seen: state.rows[execution]!.map((row) => ({ execution, row })) })
}

export function tellCancelled(state: State, execution: number): State {
  const past = state.past.map((each, index) => (index === execution ? { ...each, isCancelTold: true } : each))
  return { ...state, past }
}
