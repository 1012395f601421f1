import { PontualError } from '../../errors.ts'
import { requireName } from '../../job/name.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import type { EngineStore, Pulse } from '../../store/store.ts'
import { type Calendar, requireCalendar } from '../../time/calendars/calendar.ts'
import { withdrawUnapproved } from '../lifecycle/approval.ts'
import { codeOf } from '../lifecycle/audit.ts'
import { setCalendar } from '../lifecycle/change-calendar.ts'
import type { Service } from '../node/loop.ts'
import { releaseStale } from '../node/recovery.ts'
import { StoreTime } from '../node/store-time.ts'
import { factsOf } from '../running/outcome.ts'
import { type ClearCacheOptions, clearCache } from '../running/result-cache.ts'
import type { ExecutionFacts } from '../telemetry/events.ts'
import { findOpenTelemetry } from '../telemetry/open-telemetry.ts'
import { compose, type Parts } from './composition.ts'
import { readOverrides } from './cron-overrides.ts'
import { checkHealth, type Health } from './health.ts'
import type { AppOptions } from './options.ts'
import { reconcile, VanishedJobs } from './reconcile.ts'

const FIRST_LOOKS = 3
const UNCERTAIN_MS = 500
/** How long handlers may take to end after their signals. An isolate is killed within that time. */
const LAST_WORDS_MS = 2_000
/** How long after that the thread that renews the lease lets it end, if a handler blocks the event loop. */
const BLOCKED_MS = 2_000

/** An application whose store is open: its calls and, between start and stop, its node. */
export class App {
  readonly options: AppOptions
  /** Fails at once when it is unavailable: the loops of the engine have pauses of their own. */
  readonly store: EngineStore
  /** The same for callers, whose calls wait. */
  readonly calls: EngineStore
  readonly deps: Parts['deps']
  readonly jobs: Parts['jobs']
  readonly executions: Parts['executions']
  readonly durable: Parts['durable']
  readonly enqueuer: Parts['enqueuer']
  readonly knownTypes: Parts['knownTypes']
  readonly patience: Parts['patience']
  readonly pauses: Parts['pauses']
  readonly #parts: Parts
  readonly #joined = new Set<Service>()
  #starting: Promise<void> | null = null

  static async open(options: AppOptions): Promise<App> {
    const { env, now, logger, source } = options
    const [store] = await Promise.all([source.open({ env, now, logger }), findOpenTelemetry()])
    const time = new StoreTime(env, logger, () => store.pulse())
    try {
      await requireKeys(store)
      const { withoutRetries } = await firstLook(store, time)
      return new App(compose(options, store, time, withoutRetries))
    } catch (error) {
      await store.close()
      throw error
    }
  }

  private constructor(parts: Parts) {
    this.#parts = parts
    this.options = parts.options
    this.store = parts.store
    this.calls = parts.calls
    this.deps = parts.deps
    this.jobs = parts.jobs
    this.executions = parts.executions
    this.durable = parts.durable
    this.enqueuer = parts.enqueuer
    this.knownTypes = parts.knownTypes
    this.patience = parts.patience
    this.pauses = parts.pauses
  }

  /** A start that failed may be tried again. */
  start(): Promise<void> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = null
      throw error
    })
    return this.#starting
  }

  async #start(): Promise<void> {
    const { node, isolates, leaseCheck, loops } = this.#parts
    isolates.check()
    // Registered before it changes anything: other nodes have to know what its code declares.
    await node.start()
    try {
      await this.#storeDeclarations()
      await this.#warnOfFewSlots()
    } catch (error) {
      await node.stop(0)
      throw error
    }
    isolates.warmUp()
    for (const loop of [leaseCheck, ...loops]) loop.start()
  }

  /** Brings the store in line with the code and the options of this application. */
  async #storeDeclarations(): Promise<void> {
    const { options, deps, store, declared, node } = this.#parts
    const { tenant, application, tenantConcurrency } = options
    if (tenantConcurrency !== null) await store.tenants.limitOthers(tenantConcurrency)
    const by = codeOf(application)
    for (const [name, calendar] of options.calendars) await setCalendar(deps, tenant, name, calendar, by)
    const overrideOf = readOverrides(options.overrides, deps.logger)
    const own = { ...deps, tenant, application }
    await reconcile({ ...own, declared, defaults: options.scheduleDefaults, overrideOf })
    const names = new Set(declared.map(({ name }) => name))
    const vanished = new VanishedJobs({ ...own, names, nodeId: () => node.id })
    if (await vanished.disable()) this.join(vanished)
    await withdrawUnapproved(deps)
  }

  /** One tenant could take all slots of this node but those in reserve. */
  async #warnOfFewSlots(): Promise<void> {
    const { logger, settings } = this.options
    const largestCap = await this.store.tenants.largestLimit()
    if (largestCap === null || settings.slots > largestCap) return
    logger.warn('Slots do not exceed the largest cap of a tenant; use at least four times as many', {
      slots: settings.slots,
      largestCap,
    })
  }

  /** Whether this process is to be a node. */
  get isStarted(): boolean {
    return this.#starting !== null
  }

  /** Starts a part that uses this store, and stops it before the store is closed. Returns how to stop it earlier. */
  join(part: Service): () => Promise<void> {
    this.#joined.add(part)
    part.start()
    return async () => {
      await part.stop()
      this.#joined.delete(part)
    }
  }

  /** Returns the handlers that still run. */
  async stop(): Promise<readonly ExecutionFacts[]> {
    const { pauses, patience, enqueuer, store } = this.#parts
    const [stillRunning] = await Promise.all([this.#stopNode(), ...[...this.#joined].map((part) => part.stop())])
    this.#joined.clear()
    pauses.end()
    patience.end()
    await enqueuer.drain()
    await store.close()
    return stillRunning
  }

  /**
   * Claims and fires nothing more, lets work finish for as long as it is allowed to, and aborts the rest. Handlers that end then are given back. Those that
   * still run are returned: their executions stay leased to this node, whose lease is over soon.
   */
  async #stopNode(): Promise<readonly ExecutionFacts[]> {
    // A failed start is reported to its caller, and leaves nothing to stop.
    await this.#starting?.catch(() => {})
    if (this.#starting === null) return []
    const { node, slots, loops, leaseCheck, settlement, runs, isolates, emissions } = this.#parts
    const { env, settings, logger } = this.options
    let stranded: readonly ClaimedExecution[] = []
    const strand = () => {
      // It would give back what it does not find in a slot.
      void leaseCheck.stop()
      stranded = slots.strandAll()
      const executions = stranded.map(({ executionId }) => executionId)
      if (stranded.length > 0) logger.error('Handlers ignore their signals and still run', { executions })
    }
    let stopTimer = env.after(settings.graceMs, () => {
      settlement.hurry()
      slots.abortAll('shutdown')
      stopTimer = env.after(LAST_WORDS_MS, strand)
    })
    node.leaveIn(settings.graceMs + LAST_WORDS_MS + BLOCKED_MS)
    slots.suspendAll()
    await Promise.all(loops.map((loop) => loop.stop()))
    // The lease check continues until nothing runs: running executions may still be cancelled.
    await slots.idle()
    runs.stop()
    stopTimer()
    settlement.hurry()
    await Promise.all([leaseCheck.stop(), isolates.stop(), emissions.settled()])
    try {
      await node.stop(stranded.length)
    } catch (error) {
      // The store is unavailable: the lease expires by itself.
      logger.warn('The node could not be taken off the list', { error })
    }
    return stranded.map(factsOf)
  }

  async setCalendar(name: string, calendar: Calendar, tenant?: string): Promise<void> {
    requireCalendar(calendar, 'calendar')
    const owner = tenant === undefined ? this.options.tenant : requireName(tenant, 'tenant')
    const by = codeOf(this.options.application)
    await setCalendar({ ...this.deps, store: this.calls }, owner, requireName(name, 'Calendar name'), calendar, by)
    this.#parts.onChanged()
  }

  /** A call in this process has changed when jobs are due, or which executions are ready. */
  changed(): void {
    this.#parts.onChanged()
    this.#parts.claimer.wake()
  }

  clearCache(type: AnyJobType | string, options?: ClearCacheOptions): Promise<number> {
    const { types, tenant } = this.options
    return clearCache({ store: this.calls, types, defaultTenant: tenant }, type, options)
  }

  async releaseStale(silentForMs: number): Promise<number> {
    const { chains, claimer } = this.#parts
    const count = await releaseStale({ ...this.deps, chains }, silentForMs)
    if (count > 0) claimer.wake()
    return count
  }

  /** `isStopping`: it has been told to stop, and takes no more work. */
  health(isStopping: boolean): Promise<Health> {
    const { node, slots, punctuality } = this.#parts
    const { env, settings } = this.options
    return checkHealth(env, async () => (await this.store.nodes.countStale()).stale, {
      isRunning: node.id !== null,
      isStopping,
      slots: settings.slots,
      running: slots.used,
      clockOffsetMs: Math.round(this.deps.time.offsetMs),
      punctuality: punctuality.report(),
    })
  }
}

/** What is decided before the next look rests on this one: an answer that took long leaves open what time it is. */
async function firstLook(store: EngineStore, time: StoreTime): Promise<Pulse> {
  let pulse = await time.observe(() => store.pulse())
  for (let looks = 1; looks < FIRST_LOOKS && time.uncertaintyMs > UNCERTAIN_MS; looks += 1) {
    pulse = await time.observe(() => store.pulse())
  }
  return pulse
}

/** Without a key ring what is sealed would be taken for what it is not: handlers would be given it, and beside it stood plain text. */
async function requireKeys({ sealing, dataKeys }: EngineStore): Promise<void> {
  if (sealing !== null) return
  const missing = (await dataKeys.count()).map(({ keyId }) => keyId)
  if (missing.length === 0) return
  const message =
    `What is stored is encrypted and needs ${missing.join(', ')}, but there is no key ring. ` +
    'Set PONTUAL_ENCRYPTION_KEYS, or open the store with encrypted().'
  throw new PontualError('encryption.keys_lacking', message, { missing, known: [] })
}
