import type { Env } from '../../clock.ts'
import type { RetryRules } from '../../job/rules/retry.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { isAmong, type TenantSet } from '../../store/flags.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import type { Declared } from '../../store/nodes.ts'
import type { Store } from '../../store/store.ts'
import { Resumption } from '../durable/resumption.ts'
import { Runs } from '../durable/runs.ts'
import { recordMissed } from '../firing/missed-occurrences.ts'
import { Scheduler } from '../firing/scheduler.ts'
import { resumeFaulted } from '../lifecycle/change-status.ts'
import { LeaseCheck } from '../node/lease-check.ts'
import type { Service } from '../node/loop.ts'
import { Maintenance, UnservedCheck } from '../node/maintenance.ts'
import { MinuteMarks } from '../node/minute-marks.ts'
import { Node } from '../node/node.ts'
import { Promoter, Pulse } from '../node/poller.ts'
import { Recovery } from '../node/recovery.ts'
import type { StoreTime } from '../node/store-time.ts'
import { Chains } from '../running/chains.ts'
import { Claimer } from '../running/claimer.ts'
import { factsOf, tellFaulted } from '../running/outcome.ts'
import { Punctuality } from '../running/punctuality.ts'
import { ResultCache } from '../running/result-cache.ts'
import { Settlement } from '../running/settlement.ts'
import { Slots } from '../running/slots.ts'
import { Isolates } from '../sandbox/isolates.ts'
import type { ExecutionFacts } from '../telemetry/events.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** How long handlers may take to end after their signals. An isolate is killed within that time. */
const LAST_WORDS_MS = 2_000
/** How long after that the thread that renews the lease lets it end, if a handler blocks the event loop. */
const BLOCKED_MS = 2_000

/** What a node needs to know about itself; checked and complete. */
export interface EngineSettings {
  readonly nodeName: string
  readonly slots: number
  readonly queues: readonly string[]
  readonly leaseMs: number
  readonly renewalMs: number
  readonly staleCheckMs: number
  readonly pollMs: number
  readonly graceMs: number
  readonly defaultTimeoutMs: number | null
  readonly defaultRetry: RetryRules
}

export interface EngineParts {
  readonly env: Env
  readonly logger: Logger
  readonly store: Store
  readonly time: StoreTime
  readonly telemetry: Telemetry
  readonly types: ReadonlyMap<string, AnyJobType>
  /** Jobs that the code declares. */
  readonly declares: Declared
  readonly settings: EngineSettings
  /** Whose failed attempts are not tried again, as far as is known so far. */
  readonly withoutRetries: TenantSet
}

/** The parts that make work happen, wired: who wakes whom. */
export class Engine {
  readonly punctuality = new Punctuality()
  readonly chains: Chains
  readonly #parts: EngineParts
  readonly #node: Node
  readonly #pulse: Pulse
  readonly #scheduler: Scheduler
  readonly #promoter: Promoter
  readonly #slots: Slots
  readonly #claimer: Claimer
  readonly #isolates: Isolates
  readonly #runs: Runs
  readonly #resumption: Resumption
  readonly #leaseCheck: LeaseCheck
  readonly #recovery: Recovery
  readonly #maintenance: Maintenance
  readonly #minuteMarks: MinuteMarks
  readonly #unservedCheck: UnservedCheck
  readonly #settlement: Settlement
  #withoutRetries: TenantSet
  readonly #telling = new Set<Promise<void>>()

  constructor(parts: EngineParts) {
    this.#parts = parts
    this.#withoutRetries = parts.withoutRetries
    const { env, logger, store, time, telemetry, types, settings } = parts
    const shared = { env, logger, store, time, telemetry }
    this.#settlement = new Settlement(shared)
    const { defaultRetry } = settings
    this.chains = new Chains({ store, time, settlement: this.#settlement, types, defaultRetry })
    this.#node = new Node({
      ...shared,
      name: settings.nodeName,
      slots: settings.slots,
      queues: settings.queues,
      jobTypes: [...types.keys()],
      declares: parts.declares,
      leaseMs: settings.leaseMs,
      renewalMs: settings.renewalMs,
      onLost: () => this.#slots.abortAll('gone'),
      onRegistered: () => this.#claimer.wake(),
    })
    this.#scheduler = new Scheduler({
      ...shared,
      types,
      onFired: () => this.#lookAgain(),
      onCancelled: () => this.#leaseCheck.wakeIfRunning(),
    })
    this.#promoter = new Promoter({ ...shared, onPromoted: () => this.#lookAgain() })
    this.#slots = new Slots({
      env,
      count: settings.slots,
      node: this.#node,
      logger,
      onFree: () => this.#claimer.wakeForSlot(),
    })
    this.#isolates = new Isolates({ env, logger })
    const deps = {
      ...shared,
      settlement: this.#settlement,
      cache: new ResultCache({ store, logger, settlement: this.#settlement }),
      chains: this.chains,
      defaultTimeoutMs: settings.defaultTimeoutMs,
      defaultRetry,
      hasRetries: (tenant: string) => !isAmong(tenant, this.#withoutRetries),
      onRetry: (dueAt: number) => this.#pulse.expectDelayed(dueAt),
      onFailedForGood: (executionId: string, jobId: string, error: string) =>
        this.#tellFaulted(executionId, jobId, error),
      heal: (jobId: string) => resumeFaulted(shared, jobId),
      beforeHealing: (jobId: string) => recordMissed(shared, jobId),
    }
    this.#minuteMarks = new MinuteMarks({
      ...shared,
      leaseMs: settings.leaseMs,
      isListed: () => this.#node.id !== null,
    })
    this.#runs = new Runs({
      ...deps,
      types,
      // The lease of a node is renewed before half of it is over: so much was left then.
      sureForMs: settings.leaseMs / 2,
      onMade: (dueAt) => (dueAt === null ? this.#claimer.wake() : this.#pulse.expectDelayed(dueAt)),
      onChanged: () => this.#leaseCheck.wakeIfRunning(),
    })
    this.#claimer = new Claimer({
      deps,
      runs: this.#runs,
      node: this.#node,
      slots: this.#slots,
      punctuality: this.punctuality,
      types,
      queues: settings.queues,
      isolates: this.#isolates,
      activity: this.#minuteMarks,
      allFired: () => this.#scheduler.caughtUp(),
    })
    this.#leaseCheck = new LeaseCheck({
      ...shared,
      node: this.#node,
      slots: this.#slots,
      intervalMs: settings.renewalMs,
      onReleased: () => this.#claimer.wake(),
    })
    this.#recovery = new Recovery({
      ...shared,
      chains: this.chains,
      checkMs: settings.staleCheckMs,
      renewalMs: settings.renewalMs,
      onRecovered: () => this.#claimer.wake(),
    })
    this.#pulse = new Pulse({
      ...shared,
      pollMs: settings.pollMs,
      onFireDue: () => this.#scheduler.wake(),
      onDelayDue: () => this.#promoter.wake(),
      onReady: () => this.#claimer.wake(),
      onReadyByPoll: () => this.#claimer.wakeByPoll(),
      onCancelled: () => this.#leaseCheck.wakeIfRunning(),
      onFailed: () => this.#minuteMarks.interrupt(),
      onWithoutRetries: (tenants) => {
        this.#withoutRetries = tenants
      },
    })
    this.#resumption = new Resumption({ ...shared, types, onResumed: () => this.#claimer.wake() })
    this.#maintenance = new Maintenance(shared)
    this.#unservedCheck = new UnservedCheck(shared)
  }

  /** Puts this process on the list of nodes, before it changes anything: others have to know what its code declares. */
  async register(): Promise<void> {
    this.#isolates.check()
    await this.#node.start()
  }

  /** Takes it off the list again, where its start fails. */
  async unregister(): Promise<void> {
    await this.#node.stop(0)
  }

  start(): void {
    this.#isolates.warmUp()
    for (const service of [this.#leaseCheck, ...this.#services]) service.start()
  }

  /**
   * Claims and fires nothing more, lets work finish for as long as it is allowed to, and aborts the rest. Handlers that end then are given back. Those that
   * still run are returned: their executions stay leased to this node, whose lease is over soon.
   */
  async stop(): Promise<readonly ExecutionFacts[]> {
    const { env, settings, logger } = this.#parts
    let stranded: readonly ClaimedExecution[] = []
    const strand = () => {
      // It would give back what it does not find in a slot.
      void this.#leaseCheck.stop()
      stranded = this.#slots.strandAll()
      const executions = stranded.map(({ executionId }) => executionId)
      if (stranded.length > 0) logger.error('Handlers ignore their signals and still run', { executions })
    }
    let stopTimer = env.after(settings.graceMs, () => {
      this.#settlement.hurry()
      this.#slots.abortAll('shutdown')
      stopTimer = env.after(LAST_WORDS_MS, strand)
    })
    this.#node.leaveIn(settings.graceMs + LAST_WORDS_MS + BLOCKED_MS)
    this.#slots.suspendAll()
    await Promise.all(this.#services.map((service) => service.stop()))
    // Until nothing runs somebody may cancel what does.
    await this.#slots.idle()
    this.#runs.stop()
    stopTimer()
    this.#settlement.hurry()
    await Promise.all([this.#leaseCheck.stop(), this.#isolates.stop(), ...this.#telling])
    try {
      await this.#node.stop(stranded.length)
    } catch (error) {
      // The store is away: the lease runs out by itself.
      logger.warn('The node could not be taken off the list', { error })
    }
    return stranded.map(factsOf)
  }

  get #services(): readonly Service[] {
    return [
      this.#pulse,
      this.#scheduler,
      this.#promoter,
      this.#recovery,
      this.#claimer,
      this.#resumption,
      this.#maintenance,
      this.#minuteMarks,
      this.#unservedCheck,
    ]
  }

  get nodeId(): string | null {
    return this.#node.id
  }

  get running(): number {
    return this.#slots.used
  }

  /** Somebody in this process made something ready. */
  wakeClaimer(): void {
    this.#claimer.wake()
  }

  /** Somebody in this process delayed something. */
  expectDelayed(dueAt: number): void {
    this.#pulse.expectDelayed(dueAt)
  }

  /** Somebody in this process changed when jobs are due, or ended executions. */
  refresh(): void {
    this.#pulse.refresh()
    this.#leaseCheck.wakeIfRunning()
  }

  #lookAgain(): void {
    this.#pulse.refresh()
    this.#claimer.wake()
  }

  #tellFaulted(executionId: string, jobId: string, error: string): void {
    const { store, telemetry, logger } = this.#parts
    const telling = tellFaulted(store, telemetry, { executionId, jobId, error })
      .catch((cause: unknown) => logger.error('Whether a job is faulted could not be told', { jobId, error: cause }))
      .finally(() => this.#telling.delete(telling))
    this.#telling.add(telling)
  }
}
