import { FLAGS, type Flags } from '../access/flag.ts'
import { type Principal, personsOf } from '../access/principal.ts'
import type { App } from '../engine/app/app.ts'
import { stoppedError } from '../engine/app/pauses.ts'
import type { Author } from '../engine/lifecycle/audit.ts'
import type { LifecycleDeps } from '../engine/lifecycle/status-fields.ts'
import type { Service } from '../engine/node/loop.ts'
import { PontualError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Pontual } from '../pontual.ts'
import type { StoredSettings } from '../store/settings.ts'
import type { EngineStore, TenantStore } from '../store/store.ts'
import { settingsOf } from './administration/default-settings.ts'
import { AlertWatch } from './alerts/alert-watch.ts'
import { DeadMansPing, type PingRules } from './alerts/dead-mans-ping.ts'
import { Cursors } from './cursor.ts'
import { flagDuties } from './flags/follow-flags.ts'
import { metricsOffer } from './metrics/open-telemetry.ts'
import { ProcessMetrics } from './metrics/process-metrics.ts'
import { notifier } from './notifications/dispatcher.ts'
import { createOperations, type Operations } from './operations.ts'
import type { ServiceRules } from './options.ts'
import { Room } from './room.ts'

/** The service as one principal sees it: whatever is asked of its store, only what is his tenant's is found, changed or made. */
export interface Scope {
  readonly principal: Principal
  readonly tenant: string
  readonly opened: App
  readonly store: TenantStore
  /** The store of all tenants, for verbs that `store` lacks. Its calls wait as long as those of `store`. */
  readonly engineStore: Pick<EngineStore, 'exists' | 'flags' | 'nodes'>
  /** What decisions about jobs are made with and carried out in. */
  readonly around: LifecycleDeps & { readonly logger: Logger }
  readonly by: Author
  readonly cursors: Cursors
  readonly rules: ServiceRules
  readonly rooms: Rooms
  now(): number
  settings(): Promise<StoredSettings>
  flags(): Promise<Flags>
}

/** How many of what tenants may have so many of there are. */
interface Rooms {
  readonly jobs: Room
  /** Jobs that fire more often than once a minute. */
  readonly frequentJobs: Room
  /** Executions that have not begun. */
  readonly queued: Room
}

/** A request is answered while its client still waits, and may be sent again. */
export const REQUEST_PATIENCE_MS = 3_000

/** Opens scopes, and before the first one makes the store ready for a service. */
export class Scopes {
  readonly operations: Operations
  readonly #app: Pontual
  readonly #rules: ServiceRules
  readonly #cursors: Cursors
  readonly #rooms: Rooms = { jobs: new Room(), frequentJobs: new Room(), queued: new Room() }
  #isClosed = false
  #endDuties: (() => Promise<void>)[] = []
  #ready: { readonly opened: App; readonly done: Promise<void> } | null = null

  constructor(app: Pontual, rules: ServiceRules) {
    this.#app = app
    this.#rules = rules
    this.#cursors = new Cursors(rules.cursorSecret)
    const process = new ProcessMetrics((event, listener) => app.on(event, listener))
    this.operations = createOperations({ app, env: app.env, ready: () => this.ready(), process })
  }

  /** Resolves once everything that happens is recorded. */
  async ready(): Promise<App> {
    if (this.#isClosed) throw stoppedError()
    const opened = await this.#app.opened()
    // An application that was stopped and started again has opened its store anew.
    if (this.#ready?.opened !== opened) this.#ready = { opened, done: this.#prepare(opened) }
    try {
      await this.#ready.done
    } catch (error) {
      this.#ready = null
      throw error
    }
    return opened
  }

  /** From now on nobody is answered, and nothing is done by itself. */
  close(): void {
    this.#isClosed = true
    this.operations.process.stop()
    // What is under way is waited for by whoever closes the store.
    for (const end of this.#endDuties.splice(0)) void end()
  }

  async #prepare(opened: App): Promise<void> {
    await prepare(opened, this.#rules)
    if (!this.#rules.hasDuties || this.#isClosed) return
    this.#endDuties = dutiesOf({ opened, rules: this.#rules, operations: this.operations }).map((duty) =>
      opened.join(duty),
    )
  }

  async of(principal: Principal): Promise<Scope> {
    const opened = await this.ready()
    const { tenant, userId } = principal
    const engineStore = opened.patience.upTo(REQUEST_PATIENCE_MS).over(opened.store)
    const store = engineStore.forTenant(tenant)
    const around = { ...opened.deps, store, types: opened.options.types }
    return {
      principal,
      tenant,
      opened,
      store,
      engineStore,
      around,
      by: { userId, persons: personsOf(principal) },
      cursors: this.#cursors,
      rules: this.#rules,
      rooms: this.#rooms,
      now: () => around.time.now(),
      settings: () => settingsOf(store, tenant),
      flags: () => store.flags.read(tenant),
    }
  }
}

async function prepare({ store, options }: App, rules: ServiceRules): Promise<void> {
  const { tenantConcurrency, isolation } = rules
  if (isolation === 'required' && store.isolationRemedy !== null) throw notIsolated(store.isolationRemedy)
  await store.audit.enable()
  if (options.tenantConcurrency === null) await store.tenants.limitOthers(tenantConcurrency)
  const { defaults } = rules.flags
  if (defaults !== null) {
    await store.flags.putDefaults(FLAGS.map((flag) => ({ flag, isEnabled: defaults[flag] ?? null })))
  }
}

function notIsolated(remedy: string): PontualError {
  const message =
    'This database cannot keep tenants apart by itself. Let its administrator run what follows, or start the service ' +
    `with isolation: 'preferred' (PONTUAL_ISOLATION=preferred), so that Pontual alone keeps them apart.\n\n${remedy}`
  return new PontualError('store.not_isolated', message, { remedy })
}

const USUAL_MAXIMUM = 100

/** The largest concurrency that a tenant's Admin may set. */
export function maximumConcurrency(scope: Scope): number {
  return scope.rules.maxTenantConcurrency ?? Math.max(USUAL_MAXIMUM, usualConcurrency(scope))
}

/** How many executions of a tenant may run at once that has settled nothing for itself. */
export function usualConcurrency({ opened, rules }: Scope): number {
  return opened.options.tenantConcurrency ?? rules.tenantConcurrency
}

/** Whether jobs of a type are for the operator alone: those of Pontual itself work on all tenants, and run for the tenant of the application. */
export function isReservedType({ opened, tenant }: Scope, jobType: string): boolean {
  return jobType.startsWith('pontual.') && tenant !== opened.options.tenant
}

/** What a duty is done with. */
interface DutySurroundings {
  readonly opened: App
  readonly rules: ServiceRules
  readonly operations: Operations
}

/** What a service does by itself beside answering: in every process that has one, so that whoever is alive does it. */
function dutiesOf({ opened, rules, operations }: DutySurroundings): readonly Service[] {
  return [
    ...flagDuties(opened.deps, rules.flags),
    ...alertDuties(opened, rules.deadMansPing),
    notifier(opened, rules),
    metricsOffer(opened.deps.env, operations),
  ]
}

/** What is done by itself so that trouble is noticed: inside, and by its silence outside. */
function alertDuties(opened: App, ping: PingRules | null): readonly Service[] {
  return [new AlertWatch(opened), ...(ping === null ? [] : [new DeadMansPing(opened, ping)])]
}
