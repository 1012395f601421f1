import type { ExecutionView } from '../../../src/engine/app/executions.ts'
import type { ScheduleOptions } from '../../../src/job/schedule-options.ts'
import { type JobContext, type JobType, job } from '../../../src/job/type/job-type.ts'
import type { OccurrenceRecord } from '../../../src/store/occurrences.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { Gate } from './gate.ts'
import { clock, told } from './observed.ts'
import { type Process, Processes, type ProcessOptions } from './processes.ts'

const MINUTE = 60_000

export interface LongRun {
  readonly context: JobContext
  readonly startedAt: number
  /** How it went on: `done`, or why its signal ended it. */
  end: string | null
}

interface LongRunOptions extends Omit<ProcessOptions, 'jobs'> {
  /** How long a run lasts, and what it does then. */
  readonly lastsMs: number
  readonly work?: ((context: JobContext) => unknown) | undefined
  readonly nodes?: number | undefined
}

/** A job of every minute whose runs last longer, on several nodes; looked at every second. */
export class LongRuns implements AsyncDisposable {
  readonly all = new Processes()
  readonly runs: LongRun[] = []
  readonly type: JobType<undefined>
  readonly nodes: Process[] = []
  /** The most executions of the job that ever ran at once, as the store tells it. */
  mostRunning = 0
  /** The most occurrences that ever waited for their first attempt at once. */
  mostWaiting = 0
  lastsMs: number
  readonly #options: LongRunOptions
  readonly #under = new Map<Gate, number>()

  constructor(options: LongRunOptions) {
    this.#options = options
    this.lastsMs = options.lastsMs
    const { work = () => 'done' } = options
    this.type = job('tick', {
      run: async (_input: undefined, context) => {
        const run: LongRun = { context, startedAt: this.all.now(), end: null }
        this.runs.push(run)
        await this.#last(context.signal)
        run.end = context.signal.aborted ? 'aborted' : 'done'
        context.signal.throwIfAborted()
        return work(context)
      },
    })
  }

  static async start(options: LongRunOptions): Promise<LongRuns> {
    const runs = new LongRuns(options)
    for (let count = 0; count < (options.nodes ?? 2); count += 1) await runs.node()
    return runs
  }

  async node(): Promise<Process> {
    const { lastsMs: _, work: __, nodes: ___, ...options } = this.#options
    const name = `node-${this.nodes.length}`
    const node = await this.all.node({ ...options, jobs: [this.type], node: { ...options.node, name } })
    this.nodes.push(node)
    return node
  }

  /** A node that lives. */
  get app() {
    const node = this.nodes.find(({ isFrozen }) => !isFrozen)
    if (!node) throw new Error('All nodes are dead.')
    return node.app
  }

  /** The process that runs the job now. */
  async holder(): Promise<Process> {
    const [running] = await this.executions('RUNNING')
    const { name } = (await this.app.nodes()).find(({ id }) => id === running?.nodeId) ?? {}
    const holder = this.nodes.find((_, index) => `node-${index}` === name)
    if (!holder) throw new Error('Nobody runs it.')
    return holder
  }

  async schedule(options: Partial<ScheduleOptions<undefined>>): Promise<void> {
    await this.app.schedule(this.type, { name: 'tick', trigger: cron('* * * * *', { timeZone: 'UTC' }), ...options })
  }

  /** Lets time pass, second by second. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 1) {
      await this.all.pass('1s')
      for (const [gate, endsAt] of this.#under) {
        if (endsAt > this.all.now()) continue
        this.#under.delete(gate)
        gate.open()
      }
      await this.all.settle()
      await this.#look()
    }
  }

  /** What each run stood for and what became of it, in the order in which they began: `00:01 done`. */
  get told(): string[] {
    return this.runs.map(({ context: { scheduledAt }, end }) => `${clock(scheduledAt)} ${end ?? 'runs'}`)
  }

  async ledger(): Promise<string[]> {
    return told(await this.records())
  }

  async records(): Promise<OccurrenceRecord[]> {
    return await this.app.ledger('tick', 0, this.all.now() + MINUTE)
  }

  /** The minutes that the ledger accounts for, each as often as it does. */
  async accountedFor(): Promise<string[]> {
    const minutes = (await this.records()).flatMap(({ from, count }) =>
      Array.from({ length: count }, (_, index) => from + index * MINUTE),
    )
    return minutes.toSorted((a, b) => a - b).map(clock)
  }

  async executions(...statuses: ExecutionView['status'][]): Promise<ExecutionView[]> {
    return await this.app.executions({ jobType: 'tick', statuses })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.lastsMs = 0
    for (const gate of this.#under.keys()) gate.open()
    await this.all[Symbol.asyncDispose]()
  }

  async #look(): Promise<void> {
    const open = await this.executions('RUNNING', 'QUEUED')
    const running = open.filter(({ status }) => status === 'RUNNING')
    const waiting = open.filter(
      ({ status, origin, epoch }) => status === 'QUEUED' && origin === 'schedule' && epoch === 0,
    )
    this.mostRunning = Math.max(this.mostRunning, running.length)
    this.mostWaiting = Math.max(this.mostWaiting, waiting.length)
  }

  async #last(signal: AbortSignal): Promise<void> {
    if (this.lastsMs === 0) return
    const gate = new Gate()
    this.#under.set(gate, this.all.now() + this.lastsMs)
    signal.addEventListener('abort', () => gate.open(), { once: true })
    await gate.opened
    this.#under.delete(gate)
  }
}

/** From one minute of the first hour to another. */
export function minutes(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `00:${String(from + index).padStart(2, '0')}`)
}
