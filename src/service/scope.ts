import { type Principal, personsOf } from '../access/principal.ts'
import type { Author } from '../engine/lifecycle/author.ts'
import type { LifecycleSurroundings } from '../engine/lifecycle/surroundings.ts'
import type { Opened } from '../engine/opened.ts'
import { stoppedError } from '../engine/pauses.ts'
import { PontualError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import type { Pontual } from '../pontual.ts'
import type { StoredSettings } from '../store/settings.ts'
import type { Store } from '../store/store.ts'
import { DEFAULT_SETTINGS } from './administration/default-settings.ts'
import { Cursors } from './cursor.ts'
import { JobRoom } from './job-room.ts'
import type { ServiceRules } from './options.ts'

/** The service as one principal sees it: whatever is asked of its store, only what is his tenant's is found, changed or made. */
export interface Scope {
  readonly principal: Principal
  readonly tenant: string
  readonly opened: Opened
  readonly store: Store
  /** What decisions about jobs are made with and carried out in. */
  readonly around: LifecycleSurroundings & { readonly logger: Logger }
  readonly by: Author
  readonly cursors: Cursors
  readonly rules: ServiceRules
  readonly jobRoom: JobRoom
  now(): number
  settings(): Promise<StoredSettings>
}

/** Opens scopes, and before the first one makes the store ready for a service. */
export class Scopes {
  readonly #app: Pontual
  readonly #rules: ServiceRules
  readonly #cursors: Cursors
  readonly #jobRoom = new JobRoom()
  #isClosed = false
  #ready: { readonly opened: Opened; readonly done: Promise<void> } | null = null

  constructor(app: Pontual, rules: ServiceRules) {
    this.#app = app
    this.#rules = rules
    this.#cursors = new Cursors(rules.cursorSecret)
  }

  /** Resolves once everything that happens is recorded. */
  async ready(): Promise<Opened> {
    if (this.#isClosed) throw stoppedError()
    const opened = await this.#app.opened()
    // An application that was stopped and started again has opened its store anew.
    if (this.#ready?.opened !== opened) this.#ready = { opened, done: prepare(opened, this.#rules) }
    try {
      await this.#ready.done
    } catch (error) {
      this.#ready = null
      throw error
    }
    return opened
  }

  /** From now on nobody is answered. */
  close(): void {
    this.#isClosed = true
  }

  async of(principal: Principal): Promise<Scope> {
    const opened = await this.ready()
    const { tenant, userId } = principal
    const store = opened.store.forTenant(tenant)
    const around = { ...opened.around, store, types: opened.options.types }
    return {
      principal,
      tenant,
      opened,
      store,
      around,
      by: { userId, persons: personsOf(principal) },
      cursors: this.#cursors,
      rules: this.#rules,
      jobRoom: this.#jobRoom,
      now: () => around.time.now(),
      settings: async () => (await store.settings.find(tenant)) ?? { settings: DEFAULT_SETTINGS, version: 0 },
    }
  }
}

async function prepare({ store, options }: Opened, rules: ServiceRules): Promise<void> {
  const { tenantConcurrency, isolation } = rules
  if (isolation === 'required' && store.isolationRemedy !== null) throw notIsolated(store.isolationRemedy)
  await store.audit.enable()
  if (options.tenantConcurrency === null) await store.tenants.limitOthers(tenantConcurrency)
}

function notIsolated(remedy: string): PontualError {
  const message =
    'This database cannot keep tenants apart by itself. Let its administrator run what follows, or start the service ' +
    `with isolation: 'preferred' (PONTUAL_ISOLATION=preferred), so that Pontual alone keeps them apart.\n\n${remedy}`
  return new PontualError('store.not_isolated', message, { remedy })
}

/** How many executions of a tenant may run at once that has settled nothing for itself. */
export function usualConcurrency({ opened, rules }: Scope): number {
  return opened.options.tenantConcurrency ?? rules.tenantConcurrency
}
