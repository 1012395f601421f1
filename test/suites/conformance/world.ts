import { FLAGS } from '../../../src/access/flag.ts'
import { type ExecutionStatus, FINAL_STATUSES, type Predecessor } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import { JOB_STATUSES } from '../../../src/job/job-status.ts'
import { LOG_LEVELS } from '../../../src/logger.ts'
import type { NewExecution } from '../../../src/store/executions.ts'
import { IdempotencyError } from '../../../src/store/idempotency.ts'
import type { Held, Resting } from '../../../src/store/leases.ts'
import type { Firing, WaitingChange } from '../../../src/store/occurrences.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { Bench, failure, MINUTE, type OpenSource, START_AT, success } from './bench.ts'
import { difference } from './difference.ts'
import { ManualEnv } from './manual-env.ts'
import type { Command, RandomExecution, RandomHeld } from './random-commands.ts'
import { WorldAudit } from './world-audit.ts'
import { WorldRuns } from './world-runs.ts'
import { WorldService } from './world-service.ts'

const ALL = 10_000
const TENANTS = ['acme', 'other', 'third']
const STATUSES: readonly ExecutionStatus[] = [
  'QUEUED',
  'RUNNING',
  'SUCCESS',
  'FAILED',
  'WAITING',
  'TIMEOUT',
  'CANCELLED',
  'DIVERGED',
]

/** Several stores to which the same is done at the same time; whatever one answers, all must answer. */
export class World {
  readonly #env = new ManualEnv(START_AT)
  readonly #benches = new Map<string, Bench>()
  #enqueued: NewExecution[] = []
  #executionIds: string[] = []
  #held: Held[] = []
  #nodes: string[] = []
  /** Every state of a job that a store has told. */
  #seen = new Map<string, Job[]>()
  #logged = 0
  readonly #runs = new WorldRuns({
    bench: () => this.#bench,
    ask: (ask) => this.#ask(ask),
    held: () => this.#held,
    pickHeld: (picks) => this.#pickHeld(picks),
    pickExecution: (which) => pick(this.#executionIds, which),
    remember: (id) => this.#executionIds.push(id),
  })

  #hasSwitched = false
  readonly #audit = new WorldAudit((ask) => this.#ask(ask), TENANTS)
  readonly #service = new WorldService((ask) => this.#ask(ask), TENANTS)

  constructor(sources: Readonly<Record<string, OpenSource>>) {
    for (const [name, open] of Object.entries(sources)) this.#benches.set(name, new Bench(open, this.#env))
  }

  async open(): Promise<void> {
    await Promise.all([...this.#benches.values()].map((bench) => bench.open()))
    await this.#ask(({ audit }) => audit.enable())
  }

  async close(): Promise<void> {
    await Promise.all([...this.#benches.values()].map((bench) => bench.close()))
  }

  /** Does all commands, one after the other, and compares all there is at the end. */
  async run(commands: readonly Command[]): Promise<void> {
    await this.#begin()
    for (const [index, command] of commands.entries()) {
      await this.#do(command).catch((error: unknown) => {
        throw new Error(
          `Command ${index + 1}, ${JSON.stringify(command)}: ${error instanceof Error ? error.message : String(error)}`,
        )
      })
    }
    await this.#read()
  }

  async #begin(): Promise<void> {
    this.#env.advance(10 * MINUTE - (this.#env.now() % (10 * MINUTE)))
    await Promise.all([...this.#benches.values()].map((bench) => bench.empty()))
    this.#enqueued = []
    this.#executionIds = []
    this.#held = []
    this.#nodes = []
    this.#seen = new Map()
    this.#runs.forget()
    this.#service.begin(this.#env.now())
    await this.#audit.begin()
    if (this.#hasSwitched) await this.#forgetFlags()
  }

  get #bench(): Bench {
    const [bench] = this.#benches.values()
    if (!bench) throw new Error('There is no store.')
    return bench
  }

  /** Asks all stores the same; fails unless they agree. */
  async #ask<Answer>(ask: (store: EngineStore) => Promise<Answer>): Promise<Answer> {
    const answers = await Promise.all(
      [...this.#benches].map(async ([name, bench]) => {
        try {
          return { name, answer: await ask(bench.store) }
        } catch (error) {
          throw new Error(`${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
        }
      }),
    )
    const [first] = answers
    for (const other of answers) {
      const found = difference(first?.answer, other.answer)
      if (found) throw new Error(`${first?.name} and ${other.name} differ in ${found}`)
    }
    if (!first) throw new Error('There is no store.')
    return first.answer
  }

  async #do(command: Command): Promise<void> {
    switch (command.verb) {
      case 'advance':
        return this.#env.advance(command.milliseconds)
      case 'enqueue':
        return this.#enqueue(await this.#executions(command.executions))
      case 'enqueueAgain': {
        const again = pick(this.#enqueued, command.which)
        // What stood behind something that is gone cannot be asked for again.
        return again?.after ? undefined : again && this.#enqueue([again])
      }
      case 'register':
        return this.#register(command.leaseMs)
      case 'renew': {
        const node = pick(this.#nodes, command.which)
        if (node) await this.#ask(({ nodes }) => nodes.renew(node, 30_000))
        return
      }
      case 'removeNode': {
        const node = pick(this.#nodes, command.which)
        if (node) await this.#ask(({ nodes }) => nodes.remove(node))
        return
      }
      case 'leaveNode': {
        const node = pick(this.#nodes, command.which)
        if (node) await this.#ask(({ nodes }) => nodes.leave(node, 2_000))
        return
      }
      case 'claim':
        return this.#claim(command)
      case 'limit': {
        const limits = command.limits.map(({ tenant, concurrency }) => ({ tenant: TENANTS[tenant] ?? '', concurrency }))
        await this.#ask(({ tenants }) => tenants.limit(limits))
        return
      }
      case 'limitOthers':
        await this.#ask(({ tenants }) => tenants.limitOthers(command.concurrency))
        return
      case 'switch':
        return this.#switch(command)
      case 'finish':
        return this.#finish(command)
      case 'retry': {
        // A durable execution is not tried again: it goes on.
        const retries = this.#pickHeld(command.held)
          .filter(({ executionId }) => !this.#runs.isDurable(executionId))
          .map((each) => ({ ...each, status: 'FAILED', error: failure, delayMs: command.delayMs }) as const)
        await this.#ask(async ({ leases }) => sorted(await leases.retry(retries)))
        return
      }
      case 'release': {
        const held = this.#pickHeld(command.held)
        await this.#ask(async ({ leases }) => sorted(await leases.release(held)))
        return
      }
      case 'progress': {
        const { fraction } = command
        const reports = this.#pickHeld(command.held).map((each) => ({ ...each, fraction, note: String(fraction) }))
        await this.#ask(async ({ leases }) => sorted(await leases.progress(reports)))
        return
      }
      case 'log':
        return this.#log(command)
      case 'cancel': {
        const ids = new Set(command.which.map((which) => pick(this.#executionIds, which)))
        const { reason, force } = command
        const requests = [...ids].flatMap((id) => (id ? [{ id, reason, force, by: reason && 'ann' }] : []))
        await this.#ask(({ executions }) => executions.cancel(requests))
        return
      }
      case 'promote':
        await this.#ask(({ leases }) => leases.promote(ALL))
        return
      case 'recover': {
        const { silentForMs, notAfterMs } = command
        const request = { silentForMs, limit: ALL, notAfter: this.#env.now() + notAfterMs }
        await this.#ask(async ({ leases }) => byExecution(await leases.recover(request)))
        return
      }
      case 'putJob':
        return this.#putJob(command)
      case 'changeJob':
        return this.#changeJob(command)
      case 'removeJob': {
        const id = pick([...this.#seen.keys()], command.which)
        if (id) await this.#ask(({ jobs }) => jobs.remove([id]))
        return
      }
      case 'fire':
        return this.#fire(command)
      case 'consolidate':
        return this.#consolidate(command)
      case 'purge':
        await this.#ask(({ executions }) => executions.purge(this.#env.now() - command.agoMs, ALL))
        return
      case 'list': {
        const statuses = STATUSES.filter((_, index) => (command.statuses >> (index % 3)) & 1)
        const before = command.before === null ? undefined : pick(this.#executionIds, command.before)
        const filter = { limit: command.limit, before, ...(statuses.length > 0 && { statuses }) }
        await this.#ask(({ executions }) => executions.list(filter))
        return
      }
      case 'read':
        return this.#read()
      case 'record':
      case 'startChildren':
      case 'hear':
      case 'park':
      case 'diverge':
      case 'resume':
      case 'wake':
      case 'signal':
      case 'continueAs':
      case 'cut':
      case 'fork':
      case 'checkpoint':
        return this.#runs.do(command)
    }
  }

  /** Each may stand behind what there is, and behind those before it. */
  async #executions(random: readonly RandomExecution[]): Promise<NewExecution[]> {
    const there = await this.#bench.store.executions.find(this.#executionIds)
    const known: { id: string; tenant: string }[] = there.map(({ id, tenant }) => ({ id, tenant }))
    return random.map((each) => {
      const { tenant } = laneOf(each.lane)
      const ofTenant = known.filter((other) => other.tenant === tenant)
      const picked = each.after.flatMap(({ which, on }) => {
        const id = pick(ofTenant, which)?.id
        return id === undefined ? [] : [{ id, on }]
      })
      const after = [...new Map(picked.map((predecessor) => [predecessor.id, predecessor])).values()]
      const execution = this.#execution(each, after)
      known.push({ id: execution.body.id, tenant })
      return execution
    })
  }

  #execution(
    { priority, lane, delayMs, key, maxAttempts, job, isDeclared, isDurable }: RandomExecution,
    after: readonly Predecessor[],
  ): NewExecution {
    const isFollower = after.length > 0
    const jobId = job === null ? null : (pick([...this.#seen.keys()], job) ?? null)
    const ofJob = jobId === null ? undefined : this.#seen.get(jobId)?.[0]
    const concurrency = ofJob?.tenant === laneOf(lane).tenant ? ofJob.definition.concurrency : null
    const options = { ...(concurrency !== null && { concurrency }), ...(isDurable && { durable: true }) }
    return this.#bench.execution({
      ...laneOf(lane),
      ...(Object.keys(options).length > 0 && { options }),
      priority,
      maxAttempts,
      jobId,
      // A key is used with the same input, and with another.
      payload: String(key === null ? this.#enqueued.length : this.#enqueued.length % 2),
      idempotencyKey: key === null || (isFollower && isDeclared) ? null : `key-${key}`,
      ...(isFollower ? { after, isDeclared } : delayMs !== null && { delayMs }),
    })
  }

  async #enqueue(executions: readonly NewExecution[]): Promise<void> {
    this.#enqueued.push(...executions)
    const answers = await this.#ask(({ executions: store }) =>
      store.enqueue(executions).catch((error: unknown) => {
        if (error instanceof IdempotencyError) return []
        throw error
      }),
    )
    this.#executionIds.push(...answers.filter(({ isNew }) => isNew).map(({ id }) => id))
    for (const { body } of executions) if (body.options?.durable) this.#runs.add(body.id)
  }

  async #register(leaseMs: number): Promise<void> {
    const id = this.#bench.uuid()
    this.#nodes.push(id)
    const node = { id, name: 'node', slots: 10, queues: ['default'], jobTypes: ['import'], leaseMs }
    // Only a server has a limit of connections.
    await this.#ask(async ({ nodes }) => ({ ...(await nodes.register(node)), availableConnections: null }))
  }

  async #claim({ which, limit, aged, lanes, resting }: Extract<Command, { verb: 'claim' }>): Promise<void> {
    const nodeId = pick(this.#nodes, which)
    if (!nodeId) return
    const queues = ['default', 'payments'].filter((_, index) => lanes & (1 << index))
    const jobTypes = ['import', 'export'].filter((_, index) => lanes & (4 << index))
    const { executions } = await this.#ask(async ({ leases }) => {
      const {
        now,
        isNodeAlive,
        executions: claimed,
      } = await leases.claim({
        nodeId,
        limit,
        aged: Math.min(aged, limit),
        queues,
        jobTypes,
        resting: resting === null ? [] : [restingOf(resting)],
      })
      return { now, isNodeAlive, executions: byExecution(claimed) }
    })
    this.#held.push(...executions.map(({ executionId, epoch }) => ({ executionId, epoch })))
  }

  #pickHeld(picks: readonly RandomHeld[]): Held[] {
    const held = picks.flatMap(({ which, epochOff }) => {
      const found = pick(this.#held, which)
      return found ? [{ ...found, epoch: found.epoch + epochOff }] : []
    })
    return [...new Map(held.map((each) => [each.executionId, each])).values()]
  }

  async #finish({ ends }: Extract<Command, { verb: 'finish' }>): Promise<void> {
    const found = await this.#bench.store.executions.find(this.#pickHeld(ends).map(({ executionId }) => executionId))
    const jobs = new Map(found.map(({ id, jobId }) => [id, jobId]))
    const [flags] = ends
    const endings = this.#pickHeld(ends).map((held) => {
      const jobId = jobs.get(held.executionId) ?? null
      const status = FINAL_STATUSES[(held.epoch + (flags?.which ?? 0)) % FINAL_STATUSES.length] ?? 'SUCCESS'
      return success(held, {
        status,
        output: status === 'SUCCESS' ? `"${held.executionId}"` : null,
        error: status === 'SUCCESS' ? null : failure,
        faultsJobId: flags?.faults && status !== 'SUCCESS' ? jobId : null,
        healsJobId: flags?.heals && status === 'SUCCESS' ? jobId : null,
      })
    })
    await this.#ask(async ({ leases }) => sorted(await leases.finish(endings)))
  }

  async #log({ held, level }: Extract<Command, { verb: 'log' }>): Promise<void> {
    const at = this.#env.now()
    const lines = this.#pickHeld(held).map((each) => ({
      ...each,
      sequence: ++this.#logged,
      attempt: 1,
      at,
      level: LOG_LEVELS[level] ?? 'info',
      message: `line ${this.#logged}`,
      fields: null,
    }))
    await this.#ask(async ({ logs }) => sorted(await logs.append(lines)))
  }

  async #putJob({ name, nextIn, continues, concurrency }: Extract<Command, { verb: 'putJob' }>): Promise<void> {
    const nextFireAt = nextIn === null ? null : this.#env.now() + nextIn
    const onFault = continues ? 'continue' : 'stop'
    const job = this.#bench.job({ name: `job-${name}`, nextFireAt, onFault, concurrency })
    this.#seen.set(job.id, [job])
    const audit = this.#audit.draftOf(job, 'JOBS_JOB_CREATE')
    await this.#ask(({ jobs }) => jobs.put([{ job, expectedVersion: null, ledger: [], audit }]))
  }

  async #changeJob(command: Extract<Command, { verb: 'changeJob' }>): Promise<void> {
    const seen = this.#pickJob(command.which, command.stale)
    if (!seen) return
    const job: Job = {
      ...seen,
      // A writer who saw an old version may meet a conflict and a taken name at once: either may be told.
      name: command.stale ? seen.name : `job-${command.name}`,
      status: command.status,
      resumeStatus: command.status === 'PAUSED' || command.status === 'FAULTED' ? 'ACTIVE' : null,
      pausedUntil: command.status === 'PAUSED' && command.reschedules ? this.#env.now() + command.name * 1_000 : null,
      version: seen.version + 1,
      schedule: { ...seen.schedule, nextFireAt: this.#env.now() + MINUTE },
    }
    const now = this.#env.now()
    const audit = this.#audit.draftOf(job, 'JOBS_JOB_UPDATE')
    await this.#ask(({ jobs }) =>
      jobs.put([
        {
          job,
          expectedVersion: seen.version,
          ...(command.reschedules && { expectedNextFireAt: seen.schedule.nextFireAt }),
          ledger: [{ from: now, to: now, count: 1, decision: 'skipped', cause: 'edited' }],
          audit,
        },
      ]),
    )
    await this.#lookAtJobs()
  }

  async #switch({ by, tenant: which, flag, isEnabled }: Extract<Command, { verb: 'switch' }>): Promise<void> {
    this.#hasSwitched = true
    const tenant = TENANTS[which] ?? ''
    const flags = [{ flag, isEnabled }]
    await this.#ask((store) => {
      if (by === 'all') return store.flags.putDefaults(flags)
      return by === 'tenant' ? store.flags.put({ tenant, flags }) : store.flags.provide([{ tenant, flag, isEnabled }])
    })
  }

  /** Of the runs before, nothing is said any more. */
  async #forgetFlags(): Promise<void> {
    this.#hasSwitched = false
    const flags = FLAGS.map((flag) => ({ flag, isEnabled: null }))
    await this.#ask((store) => store.flags.putDefaults(flags))
    for (const tenant of TENANTS) {
      await this.#ask((store) => store.flags.put({ tenant, flags }))
      await this.#ask((store) => store.flags.provide(flags.map((each) => ({ ...each, tenant }))))
    }
  }

  #pickJob(which: number, isStale: boolean): Job | undefined {
    const states = pick([...this.#seen.values()], which)
    return isStale ? states?.[0] : states?.at(-1)
  }

  async #lookAtJobs(): Promise<readonly Job[]> {
    const found = await this.#ask(({ jobs }) => jobs.list({ limit: ALL, statuses: JOB_STATUSES }))
    for (const job of found) this.#seen.get(job.id)?.push(job)
    return found
  }

  async #fire({ limit, stale, count, delayMs, displaces }: Extract<Command, { verb: 'fire' }>): Promise<void> {
    const { due } = await this.#ask(async ({ jobs }) => {
      const { jobs: found, suspended } = await jobs.due(ALL)
      return { due: byId(found), suspended: sorted(suspended) }
    })
    const chosen = stale ? due.flatMap(({ id }) => this.#seen.get(id)?.[0] ?? []) : due
    for (const job of due) this.#seen.get(job.id)?.push(job)
    const firings: Firing[] = []
    for (const job of chosen.slice(0, limit)) {
      const displaced = displaces ? await this.#endsOfWaiting(job.id, { isSkipped: stale, ofHolder: false }) : []
      firings.push(...this.#firing(job, count, delayMs).map((firing) => ({ ...firing, displaced })))
    }
    await this.#ask(async ({ occurrences }) => {
      const { jobIds, ended } = await occurrences.fire(firings)
      return { jobIds: sorted(jobIds), ended: sorted(ended) }
    })
    for (const { fired } of firings) this.#executionIds.push(...fired.map(({ body }) => body.id))
  }

  #firing(job: Job, count: number, delayMs: number): Firing[] {
    const dueAt = job.schedule.nextFireAt
    if (dueAt === null) return []
    const fired = Array.from({ length: count }, (_, index) => {
      const scheduledAt = dueAt - index * 1_000
      const misfire = {
        scheduledAt,
        detectedAt: dueAt,
        delayMs: 1,
        policy: 'fireAll',
        missedCount: count,
        cause: 'outage',
      } as const
      const { concurrency } = job.definition
      const own = { ...(index > 0 && { misfire }), ...(concurrency !== null && { concurrency }) }
      const options = Object.keys(own).length > 0 ? own : null
      return this.#bench.fired(job, scheduledAt, { options, runAt: delayMs > 0 ? this.#env.now() + delayMs : null })
    })
    const gap = { from: dueAt - MINUTE, to: dueAt - 30_000, count: 3, decision: 'skipped', cause: 'outage' } as const
    return [this.#bench.firing(job, { fired, ledger: count === 0 ? [gap] : [] })]
  }

  async #consolidate({ which, isSkipped, ofHolder }: Extract<Command, { verb: 'consolidate' }>): Promise<void> {
    const jobId = pick([...this.#seen.keys()], which)
    if (!jobId) return
    const changes = await this.#endsOfWaiting(jobId, { isSkipped, ofHolder })
    await this.#ask(async ({ occurrences }) => sorted(await occurrences.consolidate(changes)))
  }

  /** What waits of a job is ended, or carried by the last of it. */
  async #endsOfWaiting(
    jobId: string,
    { isSkipped, ofHolder }: { readonly isSkipped: boolean; readonly ofHolder: boolean },
  ): Promise<WaitingChange[]> {
    const waiting = await this.#ask(({ occurrences }) => occurrences.waiting(jobId, 5))
    return waiting.map(({ executionId, scheduledAt }, index): WaitingChange => {
      const at = { executionId, jobId, scheduledAt }
      const detectedAt = this.#env.now()
      if (index === waiting.length - 1 && !isSkipped) {
        const misfire = {
          scheduledAt,
          detectedAt,
          delayMs: 1,
          policy: 'fireOnce',
          missedCount: waiting.length,
          cause: 'overload',
        } as const
        return { ...at, misfire }
      }
      const epoch = ofHolder ? (this.#held.findLast((held) => held.executionId === executionId)?.epoch ?? null) : null
      return { ...at, epoch, decision: isSkipped ? 'skipped' : 'consolidated', cause: 'overload' }
    })
  }

  /** Compares all there is. */
  async #read(): Promise<void> {
    const jobs = await this.#lookAtJobs()
    await this.#ask(({ executions }) => executions.list({ limit: ALL }))
    await this.#ask(({ executions }) => executions.count())
    await this.#ask(({ tenants }) => tenants.list({ limit: ALL }))
    await this.#ask((store) => store.pulse())
    for (const tenant of TENANTS) await this.#ask(({ flags }) => flags.read(tenant))
    await this.#ask(async ({ nodes }) => byId(await nodes.list()))
    await this.#ask(({ nodes }) => nodes.countStale())
    for (const id of this.#executionIds.slice(-8)) {
      await this.#ask(({ executions }) => executions.predecessors(id))
      await this.#ask(({ executions }) => executions.chain(id, ALL))
    }
    await this.#ask(({ occurrences }) => occurrences.standing(jobs.map(({ id }) => id)))
    for (const { id: jobId } of jobs) {
      await this.#ask(({ occurrences }) =>
        occurrences.ledger({ jobId, from: 0, to: Number.MAX_SAFE_INTEGER / 1_000, limit: ALL }),
      )
      await this.#ask(({ occurrences }) => occurrences.waiting(jobId, ALL))
    }
    for (const nodeId of this.#nodes) await this.#ask(async ({ leases }) => byExecution(await leases.held(nodeId)))
    for (const executionId of new Set(this.#held.map((held) => held.executionId))) {
      await this.#ask(({ logs }) => logs.read({ executionId, limit: ALL }))
    }
    await this.#runs.read(this.#executionIds)
    await this.#audit.read()
    await this.#service.read(this.#env.now(), jobs)
  }
}

function laneOf(lane: number): { tenant: string; queue: string; jobType: string } {
  return {
    tenant: lane < 3 ? 'acme' : lane < 5 ? 'other' : 'third',
    queue: lane % 2 ? 'payments' : 'default',
    jobType: lane < 2 || lane === 4 ? 'import' : 'export',
  }
}

function restingOf(resting: number): Resting {
  return { jobType: resting % 2 ? 'import' : 'export', tenant: TENANTS[resting >> 1] ?? null }
}

function pick<Item>(items: readonly Item[], which: number): Item | undefined {
  return items[which % items.length]
}

function sorted(ids: readonly string[]): string[] {
  return [...ids].sort()
}

function byExecution<Item extends { readonly executionId: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1))
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
