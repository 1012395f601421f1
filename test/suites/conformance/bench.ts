import type { Execution, ExecutionBody } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import { NO_DETAILS } from '../../../src/job/job.ts'
import { JOB_STATUSES } from '../../../src/job/job-status.ts'
import { silentLogger } from '../../../src/logger.ts'
import type { NewExecution } from '../../../src/store/executions.ts'
import type { ClaimedExecution, ClaimRequest, Ending } from '../../../src/store/leases.ts'
import type { NewNode } from '../../../src/store/nodes.ts'
import type { FiredExecution, Firing } from '../../../src/store/occurrences.ts'
import type { EngineStore, StoreSource } from '../../../src/store/store.ts'
import { ManualEnv } from './manual-env.ts'

/** A Wednesday at noon; no test may depend on when it runs. */
export const START_AT = Date.UTC(2026, 2, 11, 12)

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR
export const LEASE_MS = 30_000

export type OpenSource = () => StoreSource | Promise<StoreSource>

/** A store under test, its time, and what a test puts into it. Between two tests it is emptied through the port itself. */
export class Bench {
  readonly env: ManualEnv
  readonly #openSource: OpenSource
  readonly #opened: EngineStore[] = []
  #source: StoreSource | undefined
  #store: EngineStore | undefined

  constructor(openSource: OpenSource, env = new ManualEnv(START_AT)) {
    this.#openSource = openSource
    this.env = env
  }

  get store(): EngineStore {
    if (!this.#store) throw new Error('The store is not open.')
    return this.#store
  }

  get now(): number {
    return this.env.now()
  }

  advance(milliseconds: number): void {
    this.env.advance(milliseconds)
  }

  uuid(): string {
    return this.env.uuid(this.now)
  }

  async open(): Promise<void> {
    this.#store = await this.openAnother()
  }

  /** The same data as another process sees them. */
  async openAnother(): Promise<EngineStore> {
    this.#source ??= await this.#openSource()
    const store = await this.#source.open({ env: this.env, logger: silentLogger, now: () => this.now })
    this.#opened.push(store)
    return store
  }

  /** What a test begins with: nothing, at a time no other test has seen. */
  async begin(): Promise<void> {
    this.advance(10 * MINUTE - (this.now % (10 * MINUTE)))
    await this.empty()
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.splice(0).map((store) => store.close()))
  }

  /** Removes everything but calendars, and the names of tenants. */
  async empty(): Promise<void> {
    const { jobs, executions, nodes, tenants } = this.store
    const all = await jobs.list({ limit: 100_000, statuses: JOB_STATUSES })
    if (all.length > 0) await jobs.remove(all.map(({ id }) => id))
    const open = await executions.list({ limit: 100_000, statuses: ['QUEUED', 'RUNNING', 'WAITING', 'DIVERGED'] })
    if (open.length > 0) await executions.cancel(open.map(({ id }) => ({ id, reason: null, force: true })))
    // Another bench of the same database may have been ahead of this one.
    while ((await executions.purge(this.now + YEAR, 10_000)) === 10_000);
    for (const { id } of await nodes.list()) await nodes.remove(id)
    const limited = (await tenants.list({ limit: 100_000 })).filter(({ concurrency }) => concurrency !== null)
    await tenants.limit(limited.map(({ tenant }) => ({ tenant, concurrency: null })))
    await tenants.limitOthers(null)
    const left = await executions.list({ limit: 1 })
    if (left.length > 0) throw new Error(`The store could not be emptied: ${JSON.stringify(left)}`)
  }

  /** An execution that may run now, and has three attempts. */
  execution(change: Partial<ExecutionBody> & Partial<Omit<NewExecution, 'body'>> = {}): NewExecution {
    const { runAt = null, delayMs, after, isDeclared, ...body } = change
    return {
      body: {
        id: this.uuid(),
        tenant: 'acme',
        jobId: null,
        jobType: 'import',
        queue: 'default',
        priority: 'MEDIUM',
        origin: 'enqueue',
        payload: null,
        scheduledAt: null,
        maxAttempts: 3,
        idempotencyKey: null,
        options: null,
        createdAt: this.now,
        ...body,
      },
      runAt,
      delayMs,
      after,
      isDeclared,
    }
  }

  /** A job that fires every minute, next in a minute. */
  job(
    change: Partial<Omit<Job, 'definition' | 'schedule'>> & { readonly nextFireAt?: number | null } & {
      readonly jobType?: string
      readonly payload?: string | null
      readonly onFault?: 'stop' | 'continue'
      readonly concurrency?: number | null
    } = {},
  ): Job {
    const { nextFireAt = this.now + MINUTE, jobType = 'import', payload = null, ...others } = change
    const { onFault = 'stop', concurrency = null, ...rest } = others
    const id = rest.id ?? this.uuid()
    const trigger = { type: 'cron', expression: '* * * * *', timeZone: 'UTC' } as const
    return {
      id,
      tenant: 'acme',
      name: `job-${id}`,
      status: 'ACTIVE',
      resumeStatus: null,
      statusReason: null,
      pausedUntil: null,
      origin: 'runtime',
      definition: {
        jobType,
        trigger,
        calendar: null,
        misfire: {
          policy: 'fireOnce',
          thresholdMs: MINUTE,
          causes: { overlap: 'skipToNext' },
          catchUp: { limit: 1_000, maxAgeMs: null, order: 'oldestFirst', spacingMs: 0 },
        },
        quartz: false,
        payload,
        queue: 'default',
        priority: 'MEDIUM',
        timeoutMs: null,
        retry: null,
        maxAttempts: 3,
        onFault,
        overlap: 'allow',
        concurrency,
        declaredBy: null,
      },
      details: NO_DETAILS,
      schedule: { currentTrigger: trigger, nextFireAt, previousFireAt: null, timesTriggered: 0 },
      version: 1,
      createdAt: this.now,
      updatedAt: this.now,
      ...rest,
    }
  }

  /** Stores jobs that are not there yet. */
  async put(...jobs: readonly Job[]): Promise<void> {
    const answers = await this.store.jobs.put(jobs.map((job) => ({ job, expectedVersion: null, ledger: [] })))
    if (answers.some((answer) => answer !== 'stored')) throw new Error(`put answered ${answers.join(', ')}`)
  }

  /** An occurrence of a job that becomes a run. */
  fired(
    job: Job,
    scheduledAt: number,
    change: Partial<ExecutionBody> & { readonly runAt?: number | null } = {},
  ): FiredExecution {
    const { runAt = null, ...body } = change
    const origin = {
      jobId: job.id,
      jobType: job.definition.jobType,
      tenant: job.tenant,
      origin: 'schedule',
      scheduledAt,
    } as const
    return { body: this.execution({ ...origin, ...body }).body, runAt }
  }

  /** Fires a job as one sees it: the occurrence that is due, and on to the next minute. */
  firing(job: Job, change: Partial<Firing> = {}): Firing {
    const dueAt = job.schedule.nextFireAt
    if (dueAt === null) throw new Error(`Job "${job.name}" has no next fire time.`)
    return {
      jobId: job.id,
      version: job.version,
      nextFireAt: dueAt,
      schedule: {
        currentTrigger: job.schedule.currentTrigger,
        nextFireAt: dueAt + MINUTE,
        previousFireAt: dueAt,
        timesTriggered: job.schedule.timesTriggered + 1,
      },
      fired: [this.fired(job, dueAt)],
      ledger: [],
      ...change,
    }
  }

  /** Returns the ids of the jobs that were fired. */
  async fire(firings: readonly Firing[]): Promise<readonly string[]> {
    return (await this.store.occurrences.fire(firings)).jobIds
  }

  async enqueue(change: Parameters<Bench['execution']>[0] = {}): Promise<string> {
    const execution = this.execution(change)
    await this.store.executions.enqueue([execution])
    return execution.body.id
  }

  /** A node that may take everything the bench makes. */
  async node(change: Partial<NewNode> = {}): Promise<string> {
    const node = {
      id: this.uuid(),
      name: 'node',
      slots: 10,
      queues: ['default'],
      jobTypes: ['import'],
      leaseMs: LEASE_MS,
      ...change,
    }
    await this.store.nodes.register(node)
    return node.id
  }

  async claim(nodeId: string, change: Partial<ClaimRequest> = {}): Promise<readonly ClaimedExecution[]> {
    const request = { nodeId, limit: 100, queues: ['default'], jobTypes: ['import'], aged: 0, ...change }
    return (await this.store.leases.claim(request)).executions
  }

  /** Claims exactly one. */
  async claimOne(nodeId: string): Promise<ClaimedExecution> {
    const [claimed] = await this.claim(nodeId, { limit: 1 })
    if (!claimed) throw new Error('There was nothing to claim.')
    return claimed
  }

  /** Makes an execution, and a node that holds it. */
  async running(
    change: Parameters<Bench['execution']>[0] = {},
  ): Promise<ClaimedExecution & { readonly nodeId: string }> {
    await this.enqueue(change)
    const nodeId = await this.node()
    return { ...(await this.claimOne(nodeId)), nodeId }
  }

  async find(id: string): Promise<Execution> {
    const [execution] = await this.store.executions.find([id])
    if (!execution) throw new Error(`There is no execution ${id}.`)
    return execution
  }

  async findJob(id: string): Promise<Job> {
    const [job] = await this.store.jobs.find([id])
    if (!job) throw new Error(`There is no job ${id}.`)
    return job
  }
}

/** An end with success. */
export function success(
  { executionId, epoch }: { executionId: string; epoch: number },
  change: Partial<Ending> = {},
): Ending {
  return {
    executionId,
    epoch,
    status: 'SUCCESS',
    output: null,
    error: null,
    faultsJobId: null,
    healsJobId: null,
    ...change,
  }
}

export const failure = { name: 'TypeError', message: 'No such month.' } as const
