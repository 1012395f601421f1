import type { ExecutionBody } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import type {
  DelayedRow,
  LeaseRow,
  NodeRow,
  OccurrenceRow,
  ReadyRow,
  ResultRow,
} from '../../../src/store/memory/schema/rows.ts'
import type { Table } from '../../../src/store/memory/schema/table.ts'
import { keyOf } from '../../../src/store/memory/schema/table.ts'
import type { Tables } from '../../../src/store/memory/schema/tables.ts'
import type { Observer, Question } from './network.ts'

/** The rows that are watched, by their table. */
interface Rows {
  executions: ExecutionBody
  ready: ReadyRow
  delayed: DelayedRow
  leases: LeaseRow
  results: ResultRow
  jobs: Job
  occurrences: OccurrenceRow
  nodes: NodeRow
}

type TableName = keyof Rows

interface ChangeOf<Name extends TableName> {
  readonly table: Name
  readonly key: string
  /** null: it was not there. */
  readonly before: Rows[Name] | null
  /** null: it is gone. */
  readonly after: Rows[Name] | null
}

export type Change = { [Name in TableName]: ChangeOf<Name> }[TableName]

/** What one question has changed. */
export interface Commit {
  readonly question: Question
  readonly answer: unknown
  /** By the clock of the store. */
  readonly at: number
  readonly changes: readonly Change[]
  /** The leases that it spoke of, as they were right before. */
  readonly heldBefore: ReadonlyMap<string, LeaseRow>
  /** The histories, as text, of the runs that it says are DIVERGED, as they were right before. */
  readonly entriesBefore: ReadonlyMap<string, string>
}

const KEYS: { readonly [Name in TableName]: (row: Rows[Name]) => string } = {
  executions: ({ id }) => id,
  ready: ({ body }) => body.id,
  delayed: ({ body }) => body.id,
  leases: ({ body }) => body.id,
  results: ({ body }) => body.id,
  jobs: ({ id }) => id,
  occurrences: ({ jobId, scheduledAt }) => keyOf(jobId, scheduledAt),
  nodes: ({ id }) => id,
}

/** Sees what each question changes, from the tables themselves: what the engine says of it is not asked. */
export class CommitLog implements Observer {
  readonly #tables: Tables
  readonly #now: () => number
  readonly #onCommit: (commit: Commit) => void
  #changes: Change[] = []

  constructor(tables: Tables, now: () => number, onCommit: (commit: Commit) => void) {
    this.#tables = tables
    this.#now = now
    this.#onCommit = onCommit
    for (const name of Object.keys(KEYS) as TableName[]) this.#watch(name)
  }

  onApply(question: Question): (answer: unknown) => void {
    const heldBefore = new Map<string, LeaseRow>()
    const entriesBefore = new Map<string, string>()
    for (const id of executionIdsIn(question.values)) {
      const lease = this.#tables.leases.get(id)
      if (lease) heldBefore.set(id, lease)
      if (question.verb === 'histories.diverge') entriesBefore.set(id, JSON.stringify(this.#tables.runs.entriesOf(id)))
    }
    return (answer) => {
      const changes = this.#changes
      this.#changes = []
      this.#onCommit({ question, answer, at: this.#now(), changes, heldBefore, entriesBefore })
    }
  }

  #watch<Name extends TableName>(name: Name): void {
    const table = this.#tables[name] as unknown as Table<Rows[Name]>
    const [put, take] = [table.put.bind(table), table.take.bind(table)]
    const note = (key: string, before: Rows[Name] | null, after: Rows[Name] | null) =>
      this.#changes.push({ table: name, key, before, after } as unknown as Change)
    table.put = (row) => {
      const key = KEYS[name](row)
      const before = table.get(key) ?? null
      put(row)
      note(key, before, row)
    }
    table.take = (key) => {
      const row = take(key)
      if (row !== undefined) note(key, row, null)
      return row
    }
  }
}

/** The executions that somebody speaks of who says that he holds them. */
export function executionIdsIn([items]: readonly unknown[]): string[] {
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const id = (item as { executionId?: unknown } | null)?.executionId
    return typeof id === 'string' ? [id] : []
  })
}
