import type { Env } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import { requireName } from '../../job/name.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import type { TenantSet } from '../../store/flags.ts'
import { Patience } from '../../store/patience.ts'
import type { Pulse, Store, StoreSource } from '../../store/store.ts'
import { type Calendar, requireCalendar } from '../../time/calendars/calendar.ts'
import { DurableExecutions } from '../durable/durable-executions.ts'
import { withdrawUnapproved } from '../lifecycle/approval.ts'
import { codeOf } from '../lifecycle/audit.ts'
import { setCalendar } from '../lifecycle/change-calendar.ts'
import type { LifecycleDeps } from '../lifecycle/status-fields.ts'
import type { Service } from '../node/loop.ts'
import { releaseStale } from '../node/recovery.ts'
import { StoreTime } from '../node/store-time.ts'
import { type ClearCacheOptions, clearCache } from '../running/result-cache.ts'
import type { ExecutionFacts } from '../telemetry/events.ts'
import { findOpenTelemetry } from '../telemetry/open-telemetry.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type OverrideOptions, readOverrides } from './cron-overrides.ts'
import { Engine, type EngineSettings } from './engine.ts'
import { Enqueuer } from './enqueuer.ts'
import { Executions } from './executions.ts'
import { checkHealth, type Health } from './health.ts'
import { Jobs, sharedJobs } from './jobs.ts'
import { KnownTypes, type UnknownTypeRule } from './known-types.ts'
import { Pauses } from './pauses.ts'
import { type DeclaredJob, declaredJobs, reconcile, VanishedJobs } from './reconcile.ts'
import type { ScheduleDefaults } from './schedule-job.ts'

const FIRST_LOOKS = 3
const UNCERTAIN_MS = 500

export interface AppOptions {
  readonly env: Env
  /** The time that rules in place of the store's. */
  readonly now?: (() => number) | undefined
  readonly source: StoreSource
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly settings: EngineSettings
  readonly application: string | null
  readonly tenant: string
  /** How many of each tenant may run at once; null: as it is stored. */
  readonly tenantConcurrency: number | null
  readonly calendars: ReadonlyMap<string, Calendar>
  readonly scheduleDefaults: ScheduleDefaults
  readonly overrides: OverrideOptions
  /** How long calls wait for a store that is unavailable. */
  readonly patienceMs: number
  readonly unknownTypeRule: UnknownTypeRule
  readonly logger: Logger
  readonly telemetry: Telemetry
}

/** An application whose store is open. */
export class App {
  /** Fails at once when it is unavailable: the loops of the engine have pauses of their own. */
  readonly store: Store
  /** The same for callers, whose calls wait. */
  readonly calls: Store
  readonly patience: Patience
  readonly jobs: Jobs
  readonly executions: Executions
  readonly durable: DurableExecutions
  readonly knownTypes: KnownTypes
  readonly enqueuer: Enqueuer
  readonly pauses: Pauses
  readonly options: AppOptions
  readonly deps: LifecycleDeps & { readonly store: Store; readonly logger: Logger }
  readonly #engine: Engine
  readonly #declared: readonly DeclaredJob[]
  readonly #joined = new Set<Service>()
  #starting: Promise<void> | null = null

  static async open(options: AppOptions): Promise<App> {
    const { env, now, logger, source } = options
    const [store] = await Promise.all([source.open({ env, now, logger }), findOpenTelemetry()])
    const time = new StoreTime(env, logger, () => store.pulse())
    try {
      await requireKeys(store)
      const { withoutRetries } = await firstLook(store, time)
      return new App(options, store, time, withoutRetries)
    } catch (error) {
      await store.close()
      throw error
    }
  }

  private constructor(options: AppOptions, store: Store, time: StoreTime, withoutRetries: TenantSet) {
    const { env, logger, telemetry, types, settings, tenant, scheduleDefaults } = options
    const shared = { env, logger, store, time, telemetry }
    this.#declared = declaredJobs([...types.values()])
    const enqueueable = [...types.values()]
      .filter(({ isEnqueueable }) => isEnqueueable)
      .map(({ id, queue, priority, isDurable, retry }) => {
        return { id, queue, priority, isDurable, retry: retry ?? settings.defaultRetry }
      })
    const signals = [...types.values()].flatMap((type) => (type.signals ? [[type.id, Object.keys(type.signals)]] : []))
    const declares = {
      tenant,
      jobs: this.#declared.map(({ name }) => name),
      enqueueable,
      signals: Object.fromEntries(signals) as Record<string, string[]>,
    }
    const engine = new Engine({ ...shared, types, declares, settings, withoutRetries })
    const onChanged = () => engine.refresh()
    this.store = store
    this.patience = new Patience(env, options.patienceMs)
    this.calls = this.patience.over(store)
    this.options = options
    this.deps = { ...shared, types }
    this.#engine = engine
    this.knownTypes = new KnownTypes({ env, logger, nodes: store.nodes, types, rule: options.unknownTypeRule })
    const { knownTypes } = this
    this.jobs = new Jobs({
      ...shared,
      store: this.patience.over({ ...store, jobs: sharedJobs(store.jobs) }),
      types,
      application: options.application,
      defaultTenant: tenant,
      defaults: scheduleDefaults,
      knownTypes,
      onChanged,
    })
    this.pauses = new Pauses(env)
    this.executions = new Executions({ ...shared, store: this.calls, types, pauses: this.pauses, onChanged })
    this.durable = new DurableExecutions({ ...shared, store: this.calls, types, knownTypes, onChanged })
    this.enqueuer = new Enqueuer({
      ...shared,
      types,
      defaultTenant: tenant,
      defaultRetry: settings.defaultRetry,
      patience: this.patience,
      knownTypes,
      onEnqueued: (dueAt) => (dueAt === null ? engine.wakeClaimer() : engine.expectDelayed(dueAt)),
    })
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
    const { logger, tenant, application, scheduleDefaults, overrides, calendars } = this.options
    const { tenantConcurrency } = this.options
    await this.#engine.register()
    try {
      if (tenantConcurrency !== null) await this.store.tenants.limitOthers(tenantConcurrency)
      const by = codeOf(application)
      for (const [name, calendar] of calendars) await setCalendar(this.deps, tenant, name, calendar, by)
      const overrideOf = readOverrides(overrides, logger)
      const mine = { ...this.deps, tenant, application }
      await reconcile({ ...mine, declared: this.#declared, defaults: scheduleDefaults, overrideOf })
      const names = new Set(this.#declared.map(({ name }) => name))
      const vanished = new VanishedJobs({ ...mine, names, nodeId: () => this.#engine.nodeId })
      if (await vanished.disable()) this.join(vanished)
      await withdrawUnapproved(this.deps)
      await this.#warnOfFewSlots()
    } catch (error) {
      await this.#engine.unregister()
      throw error
    }
    this.#engine.start()
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

  /** Begins something that lives on this store, and ends before it is closed. Returns how to end it earlier. */
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
    const [stillRunning] = await Promise.all([this.#stopEngine(), ...[...this.#joined].map((part) => part.stop())])
    this.#joined.clear()
    this.pauses.end()
    this.patience.end()
    await this.enqueuer.drain()
    await this.store.close()
    return stillRunning
  }

  async #stopEngine(): Promise<readonly ExecutionFacts[]> {
    // A start that fails tells so to whoever started, and leaves nothing to stop.
    await this.#starting?.catch(() => {})
    return this.#starting === null ? [] : await this.#engine.stop()
  }

  async setCalendar(name: string, calendar: Calendar, tenant?: string): Promise<void> {
    requireCalendar(calendar, 'calendar')
    const owner = tenant === undefined ? this.options.tenant : requireName(tenant, 'tenant')
    const by = codeOf(this.options.application)
    const deps = { ...this.deps, store: this.calls }
    await setCalendar(deps, owner, requireName(name, 'Calendar name'), calendar, by)
    this.#engine.refresh()
  }

  /** Somebody in this process changed when jobs are due, or what is ready. */
  changed(): void {
    this.#engine.refresh()
    this.#engine.wakeClaimer()
  }

  clearCache(type: AnyJobType | string, options?: ClearCacheOptions): Promise<number> {
    const { types, tenant } = this.options
    return clearCache({ store: this.calls, types, defaultTenant: tenant }, type, options)
  }

  async releaseStale(silentForMs: number): Promise<number> {
    const count = await releaseStale({ ...this.deps, chains: this.#engine.chains }, silentForMs)
    if (count > 0) this.#engine.wakeClaimer()
    return count
  }

  /** `isStopping`: it has been told to stop, and takes no more work. */
  health(isStopping: boolean): Promise<Health> {
    const { env, settings } = this.options
    return checkHealth(env, async () => (await this.store.nodes.countStale()).stale, {
      isRunning: this.#engine.nodeId !== null,
      isStopping,
      slots: settings.slots,
      running: this.#engine.running,
      clockOffsetMs: Math.round(this.deps.time.offsetMs),
      punctuality: this.#engine.punctuality.report(),
    })
  }
}

/** What is decided before the next look rests on this one: an answer that took long leaves open what time it is. */
async function firstLook(store: Store, time: StoreTime): Promise<Pulse> {
  let pulse = await time.observe(() => store.pulse())
  for (let looks = 1; looks < FIRST_LOOKS && time.uncertaintyMs > UNCERTAIN_MS; looks += 1) {
    pulse = await time.observe(() => store.pulse())
  }
  return pulse
}

/** Without a key ring what is sealed would be taken for what it is not: handlers would be given it, and beside it stood plain text. */
async function requireKeys({ sealing, dataKeys }: Store): Promise<void> {
  if (sealing !== null) return
  const missing = (await dataKeys.count()).map(({ keyId }) => keyId)
  if (missing.length === 0) return
  const message =
    `What is stored is encrypted and needs ${missing.join(', ')}, but there is no key ring. ` +
    'Set PONTUAL_ENCRYPTION_KEYS, or open the store with encrypted().'
  throw new PontualError('encryption.keys_lacking', message, { missing, known: [] })
}
