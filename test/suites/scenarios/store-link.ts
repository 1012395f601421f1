import type { Env } from '../../../src/clock.ts'
import type { NodeStore } from '../../../src/store/nodes.ts'
import { RenewalLoop } from '../../../src/store/renewal-loop.ts'
import type { EngineStore, StoreSource, TenantStore } from '../../../src/store/store.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import { Gate } from './gate.ts'

type Send = () => Promise<unknown>
type Verb = (...values: unknown[]) => Promise<unknown>

/** The line between a process and its store: it may be cut, lose answers, be slow, or stand still with the process. */
export class StoreLink {
  /** Every verb fails, and is not applied. */
  isAway = false
  /** No hint comes through. */
  isDeaf = false
  /** Stands between the process and the store, where a test wants something else to happen. */
  intercept: ((verb: string, send: Send) => Promise<unknown>) | null = null
  /** What was asked, in order: `leases.claim`. */
  readonly asked: string[] = []
  readonly #lostAnswers: string[] = []
  #frozen: Gate | null = null
  #isClosed = false

  /** The next call of a verb is applied, and its answer is lost. */
  loseAnswerOf(verb: string): void {
    this.#lostAnswers.push(verb)
  }

  freeze(): void {
    this.#frozen ??= new Gate()
  }

  thaw(): void {
    this.#frozen?.open()
    this.#frozen = null
  }

  /** The same source at the other end of this line. */
  to(source: StoreSource): StoreSource {
    return {
      kind: source.kind,
      open: async (surroundings) => {
        await this.#send('open', () => Promise.resolve())
        this.#isClosed = false
        return this.#linked(await source.open(surroundings), surroundings.env)
      },
    }
  }

  #linked(store: EngineStore, env: Env): EngineStore {
    return {
      ...this.#linkedNouns(store),
      leases: this.#noun('leases', store.leases),
      archive: this.#noun('archive', store.archive),
      rates: this.#noun('rates', store.rates),
      dataKeys: this.#noun('dataKeys', store.dataKeys),
      sealing: store.sealing,
      nodes: renewingThrough(this.#noun('nodes', store.nodes), env),
      forTenant: (tenant) => this.#linkedNouns(store.forTenant(tenant)),
      isolationRemedy: store.isolationRemedy,
      connections: () => store.connections(),
      exists: (kind, id) => this.#send('exists', () => store.exists(kind, id)) as Promise<boolean>,
      pulse: () => this.#send('pulse', () => store.pulse()) as ReturnType<EngineStore['pulse']>,
      maintain: () => this.#send('maintain', () => store.maintain()) as Promise<void>,
      listen: (onHint) =>
        store.listen((hint) => {
          if (!this.isDeaf && !this.isAway) onHint(hint)
        }),
      close: async () => {
        this.#isClosed = true
        await store.close()
      },
    }
  }

  #linkedNouns<Store extends TenantStore>(store: Store): Pick<Store, keyof TenantStore> {
    return {
      jobs: this.#noun('jobs', store.jobs),
      tenants: this.#noun('tenants', store.tenants),
      calendars: this.#noun('calendars', store.calendars),
      occurrences: this.#noun('occurrences', store.occurrences),
      executions: this.#noun('executions', store.executions),
      histories: this.#noun('histories', store.histories),
      logs: this.#noun('logs', store.logs),
      minutes: this.#noun('minutes', store.minutes),
      cache: this.#noun('cache', store.cache),
      audit: this.#noun('audit', store.audit),
      alerts: this.#noun('alerts', store.alerts),
      settings: this.#noun('settings', store.settings),
      flags: this.#noun('flags', store.flags),
      credentials: this.#noun('credentials', store.credentials),
      requests: this.#noun('requests', store.requests),
      notifications: this.#noun('notifications', store.notifications),
      contents: this.#noun('contents', store.contents),
      nodes: this.#noun('nodes', store.nodes),
    }
  }

  #noun<Noun extends object>(name: string, noun: Noun): Noun {
    return new Proxy(noun, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target)
        if (typeof value !== 'function' || typeof key !== 'string' || key === 'keepAlive') return value
        return (...values: unknown[]) => this.#send(`${name}.${key}`, () => (value as Verb).apply(target, values))
      },
    })
  }

  async #send(verb: string, send: Send): Promise<unknown> {
    while (this.#frozen) await this.#frozen.opened
    this.asked.push(verb)
    if (this.#isClosed && verb !== 'open') throw new Error(`The store is closed, and is asked for ${verb}.`)
    if (this.isAway) throw new StoreUnavailableError('store.unavailable', 'The store is away.')
    const answer = await (this.intercept ? this.intercept(verb, send) : send())
    const lost = this.#lostAnswers.indexOf(verb)
    if (lost < 0) return answer
    this.#lostAnswers.splice(lost, 1)
    throw new StoreUnavailableError('store.unavailable', 'The answer was lost: it may or may not have been applied.')
  }
}

/** The lease is renewed over the same line. */
function renewingThrough(nodes: NodeStore, env: Env): NodeStore {
  return {
    register: (node) => nodes.register(node),
    renew: (nodeId, leaseMs) => nodes.renew(nodeId, leaseMs),
    remove: (nodeId) => nodes.remove(nodeId),
    leave: (nodeId, leaseMs) => nodes.leave(nodeId, leaseMs),
    list: () => nodes.list(),
    declarations: () => nodes.declarations(),
    countStale: () => nodes.countStale(),
    keepAlive: (request) =>
      new RenewalLoop(
        env,
        {
          renew: () => nodes.renew(request.nodeId, request.leaseMs),
          isListed: async () => (await nodes.list()).some(({ id }) => id === request.nodeId),
        },
        request,
      ),
  }
}
