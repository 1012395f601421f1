import type { Answered, Asked, Effect, Line, Strike } from '../../history/lines.ts'
import type { WorldFile } from '../../history/world-file.ts'
import { type Evidence, evidenceOf } from '../evidence.ts'
import type { AuditRow, ChangeRow, Claimed, ExecutionRow, ResultRow, Rows, TableName } from '../rows.ts'
import { hashOf } from '../rules/audit.ts'

type Mutable<Thing> = { -readonly [Key in keyof Thing]: Thing[Key] }
type Tables = { [Name in TableName]: Mutable<Rows[Name]>[] }
type Told<Each> = Omit<Each, 'kind' | 'by' | 'at'>

/** Lines count from elsewhere than the clock on the wall. */
const WALL_MINUS_MACHINE = 1_000_000
const NUMBERS: Readonly<Record<string, number>> = { acme: 1, capped: 2 }

/** Writes a history as the torture would, of whatever is said to happen, and lets it be changed afterwards. Instants are of the clock on the wall. */
export class SyntheticHistory {
  readonly lines: Mutable<Line>[] = []
  readonly tables: Tables = {
    executions: [],
    ready: [],
    delayed: [],
    leases: [],
    results: [],
    attempts: [],
    occurrences: [],
    missed: [],
    jobs: [],
    nodes: [],
    signals: [],
    history: [],
    audit: [],
    heads: [],
    keys: [],
    bookings: [],
    changes: [],
  }
  readonly world: WorldFile
  #requests = 0

  constructor(world: Omit<WorldFile, 'wallMinusMachineMs'>) {
    this.world = { ...world, wallMinusMachineMs: WALL_MINUS_MACHINE }
  }

  evidence(): Evidence {
    return evidenceOf(this.world, this.lines, this.tables)
  }

  /** A row is there, with what is usual where nothing else is said. */
  execution(row: Partial<ExecutionRow> & Pick<ExecutionRow, 'id' | 'createdAt'>): void {
    const usual = { tenant: 'acme', jobType: 'short', jobId: null, origin: 'enqueue', payload: null, scheduledAt: null }
    const more = { maxAttempts: 5, idempotencyKey: null, isDurable: false }
    this.tables.executions.push({ ...usual, ...more, ...row })
  }

  change(change: ChangeWithoutId): void {
    this.tables.changes.push({ id: this.tables.changes.length + 1, ...change })
  }

  join(name: string, at: number): void {
    this.change({ kind: 'joined', at, nodeId: `id of ${name}`, detail: { name } })
  }

  claim(
    executionId: string,
    at: number,
    { by, epoch = 1, attempt = 1, tenant = 'acme', jobId = null }: ClaimOptions,
  ): void {
    const detail = { attempt, tenant: NUMBERS[tenant] ?? 0, jobId }
    this.change({ kind: 'claimed', at, executionId, epoch, nodeId: `id of ${by}`, detail })
  }

  leave(executionId: string, at: number, epoch = 1): void {
    this.change({ kind: 'left', at, executionId, epoch })
  }

  effect(
    effect: Effect['effect'],
    executionId: string,
    at: number,
    more: Partial<Effect> & { readonly by: string },
  ): void {
    const usual = { kind: 'effect', attempt: 1, jobType: 'short', tenant: 'acme' } as const
    this.lines.push({ ...usual, effect, executionId, ...more, at: at - WALL_MINUS_MACHINE })
  }

  /** A question, and its answer ten milliseconds later. */
  ask(at: number, asked: Omit<Told<Asked>, 'request'>, answered: Omit<Told<Answered>, 'request'>): void {
    this.#requests += 1
    const request = `client-1 ${this.#requests}`
    this.lines.push({ kind: 'asked', by: 'client-1', at: at - WALL_MINUS_MACHINE, request, ...asked })
    this.lines.push({ kind: 'answered', by: 'client-1', at: at + 10 - WALL_MINUS_MACHINE, request, ...answered })
  }

  strike(at: number, strike: Told<Strike>): void {
    this.lines.push({ kind: 'strike', by: 'stage', at: at - WALL_MINUS_MACHINE, ...strike })
  }

  sample(at: number, running: number, most: number, overlapping: { job: string; running: number }[] = []): void {
    const tenants = [{ tenant: 'capped', running, most }]
    this.lines.push({ kind: 'sample', by: 'stage', at: at - WALL_MINUS_MACHINE, tenants, overlapping })
  }

  /** It ends as its handler says, who signs it. */
  end(executionId: string, at: number, { by, attempt = 1, epoch = 1, ...more }: EndOptions): void {
    const output = by === null ? null : JSON.stringify({ attempt, by })
    const usual = { status: 'SUCCESS', isReported: by !== null, startedAt: at - 20, output, error: null } as const
    const nodeId = by === null ? null : `id of ${by}`
    this.tables.results.push({ executionId, attempt, epoch, nodeId, finishedAt: at, ...usual, ...more })
  }

  /** Claimed, begun, ended. */
  run(executionId: string, at: number, options: ClaimOptions): void {
    const { by, attempt = 1, epoch = 1 } = options
    this.claim(executionId, at, options)
    this.effect('began', executionId, at + 1, { by, attempt })
    this.effect('ended', executionId, at + 18, { by, attempt, detail: { output: { attempt, by } } })
    this.leave(executionId, at + 20, epoch)
    this.end(executionId, at + 20, { by, attempt, epoch })
  }

  /** An entry at the end of the chain of its tenant. */
  audit(at: number, executionId: string, jobId: string, operation = 'JOBS_JOB_EXECUTE'): void {
    const last = this.tables.audit.at(-1)
    const previousHash = last?.hash ?? '0'.repeat(64)
    const sequence = (last?.sequence ?? 0) + 1
    const values = { userId: null, oldValues: null, newValues: '{"durationMs":20}' }
    const entry: Omit<AuditRow, 'hash'> = {
      tenant: 'acme',
      sequence,
      at,
      jobId,
      executionId,
      operation,
      ...values,
      previousHash,
    }
    const hash = hashOf(entry)
    this.tables.audit.push({ ...entry, hash })
    this.tables.heads.splice(0, 1, { tenant: 'acme', sequence, hash })
  }

  /** An occurrence that is fired, and runs. */
  fire(executionId: string, jobId: string, scheduledAt: number, by = 'node-1'): void {
    const at = scheduledAt + 5
    this.execution({ id: executionId, jobId, jobType: 'tick', origin: 'schedule', scheduledAt, createdAt: at })
    this.run(executionId, at + 10, { by, jobId })
    this.audit(at + 30, executionId, jobId)
  }

  /** The only row, change or line that fits. */
  readonly one = <Thing>(things: readonly Thing[], fits: (thing: Thing) => boolean): Thing => {
    const [found, ...others] = things.filter(fits)
    if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} fit, and one was meant.`)
    return found
  }

  result(executionId: string): Mutable<ResultRow> {
    return this.one(this.tables.results, (row) => row.executionId === executionId)
  }

  claimIn(executionId: string, epoch: number): Mutable<Claimed> {
    const claims = this.tables.changes.filter((change): change is Mutable<Claimed> => change.kind === 'claimed')
    return this.one(claims, (claim) => claim.executionId === executionId && claim.epoch === epoch)
  }
}

type ChangeWithoutId = ChangeRow extends infer Each ? (Each extends ChangeRow ? Omit<Each, 'id'> : never) : never

interface ClaimOptions {
  readonly by: string
  readonly epoch?: number
  readonly attempt?: number
  readonly tenant?: string
  readonly jobId?: string | null
}

/** `by`: null where it was ended over the head of its holder. */
type EndOptions = { readonly by: string | null } & Partial<Omit<ResultRow, 'executionId' | 'finishedAt'>>
