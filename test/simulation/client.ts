import { PontualError } from '../../src/errors.ts'
import { fires } from '../../src/job/job-status.ts'
import type { Pontual } from '../../src/pontual.ts'
import type { Service } from '../../src/service/service.ts'
import { isTransient } from '../../src/store/unavailable.ts'
import { cron } from '../../src/time/triggers/cron.ts'
import { somebody } from '../service/stage.ts'
import type { Chance } from './chance.ts'
import type { Order, Task } from './job-types.ts'
import type { Configuration } from './swarm.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A signal, and from when to when it was being sent: of two that overlap nobody knows which came first. */
interface SentSignal {
  readonly number: number
  readonly begunAt: number
  readonly acknowledgedAt: number
}

/** What people and programs were promised, and what they asked for. */
export interface Promised {
  /** Executions that were acknowledged, by idempotency key. */
  readonly enqueued: Map<string, string>
  /** Executions whose cancellation was acknowledged, and when. */
  readonly cancelled: Map<string, number>
  /** Signals that were acknowledged, by execution. */
  readonly signalled: Map<string, SentSignal[]>
  readonly errors: unknown[]
}

const TENANT = 'acme'
const OTHER_TENANT = 'globex'
const [ana, bia] = [somebody('ana'), somebody('bia')]
const RETRY_MS = 500

/** Those who use the application: they ask again where nobody knows whether it was done, as its answers tell them to. */
export class Client {
  readonly promised: Promised = { enqueued: new Map(), cancelled: new Map(), signalled: new Map(), errors: [] }
  readonly #app: Pontual
  readonly #service: Service
  readonly #time: VirtualTime
  readonly #chance: Chance
  readonly #configuration: Configuration
  #underWay = 0
  #keys = 0
  #versions = 0

  constructor(
    app: Pontual,
    service: Service,
    { time, chance, configuration }: { time: VirtualTime; chance: Chance; configuration: Configuration },
  ) {
    this.#app = app
    this.#service = service
    this.#time = time
    this.#chance = chance
    this.#configuration = configuration
  }

  get isBusy(): boolean {
    return this.#underWay > 0
  }

  /** Everything that they will ask for, spread over the time of chaos. */
  begin(): void {
    const { schedules, cap, chaosMs, operations, hasApprovals } = this.#configuration
    if (cap !== null) this.#later(0, () => this.#persist(() => this.#app.setTenant(TENANT, { concurrency: cap })))
    for (const [index] of schedules.entries()) this.#later(0, () => this.#persist(() => this.#schedule(index)))
    if (hasApprovals) this.#later(100, () => this.#persist(() => this.#createSensitive()))
    for (let count = 0; count < operations; count += 1) {
      this.#later(this.#chance.between(200, chaosMs), () => this.#operate())
    }
  }

  /** Lets no schedule fire any more. */
  calm(): void {
    this.#later(0, async () => {
      for (const { name, status } of await this.#app.jobs({ tenant: TENANT })) {
        if (fires(status)) await this.#app.pause({ name, tenant: TENANT })
      }
    })
  }

  #later(inMs: number, act: () => Promise<unknown>): void {
    this.#underWay += 1
    this.#time.after(inMs, () => {
      act()
        .catch((error: unknown) => this.#promisedOr(error))
        .finally(() => {
          this.#underWay -= 1
        })
    })
  }

  /** An answer is no accident: somebody else was first, or it has ended. Anything else is. */
  #promisedOr(error: unknown): void {
    if (!(error instanceof PontualError)) this.promised.errors.push(error)
  }

  /** Asks again for as long as nobody knows whether it was done. */
  async #persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!isTransient(error)) throw error
        await new Promise<void>((resolve) => this.#time.after(RETRY_MS, resolve))
      }
    }
  }

  async #operate(): Promise<void> {
    const { isDurable, hasApprovals, schedules, cap } = this.#configuration
    const acts: (() => Promise<unknown>)[] = [
      () => this.#enqueue(),
      () => this.#enqueue(),
      () => this.#enqueueAgain(),
      () => this.#cancel(),
    ]
    if (isDurable)
      acts.push(
        () => this.#order(),
        () => this.#order(),
        () => this.#signal(),
        () => this.#signal(),
      )
    if (schedules.length > 0) acts.push(() => this.#disturbSchedule())
    if (cap !== null) acts.push(() => this.#changeCap())
    if (hasApprovals)
      acts.push(
        () => this.#edit(),
        () => this.#approve(),
        () => this.#runSensitive(),
      )
    await this.#chance.pick(acts)()
  }

  async #enqueue(): Promise<void> {
    this.#keys += 1
    const chance = this.#chance
    const input: Task = {
      runMs: chance.pick([0, 10, 500, 3_000, 20_000]),
      failures: chance.isIn(0.2) ? chance.between(1, 5) : 0,
      killsAt: chance.isIn(0.05) ? chance.between(1, 2) : 0,
      isDeaf: chance.isIn(0.2),
    }
    // Two tenants use the same keys for different things.
    const tenant = chance.isIn(0.3) ? OTHER_TENANT : TENANT
    await this.#put('task', `key ${Math.ceil(this.#keys / 2)}`, input, tenant)
  }

  /** The same key means the same execution, whoever asks and however often. */
  async #enqueueAgain(): Promise<void> {
    const known = [...this.promised.enqueued.keys()].filter((key) => key.includes(' key '))
    if (known.length === 0) return
    const [tenant = '', ...key] = this.#chance.pick(known).split(' ')
    await this.#put('task', key.join(' '), null, tenant)
  }

  async #order(): Promise<void> {
    this.#keys += 1
    const chance = this.#chance
    const input: Order = {
      steps: chance.between(0, 4),
      stepMs: chance.pick([0, 50, 2_000]),
      sleepMs: chance.pick([0, 1, 1_000, 20_000]),
      signals: chance.isIn(0.5) ? chance.between(1, 2) : 0,
      failures: chance.isIn(0.2) ? chance.between(1, 2) : 0,
    }
    await this.#put('order', `order ${this.#keys}`, input)
  }

  async #put(type: string, key: string, input: unknown, tenant = TENANT): Promise<void> {
    const name = `${tenant} ${key}`
    const sent = this.#inputs.get(name) ?? input
    this.#inputs.set(name, sent)
    const durable = type === 'order'
    const { id } = await this.#persist(() => this.#app.enqueue(type, sent, { tenant, idempotencyKey: key, durable }))
    const before = this.promised.enqueued.get(name)
    if (before !== undefined && before !== id) throw new TypeError(`I9: ${name} means ${before} and ${id}`)
    this.promised.enqueued.set(name, id)
  }

  readonly #inputs = new Map<string, unknown>()

  async #cancel(): Promise<void> {
    const ids = [...this.promised.enqueued.values()]
    if (ids.length === 0) return
    const id = this.#chance.pick(ids)
    const answer = await this.#persist(() => this.#app.cancel(id, 'no longer needed'))
    if (answer === 'cancelled') this.promised.cancelled.set(id, this.#time.now)
  }

  async #signal(): Promise<void> {
    const orders = [...this.promised.enqueued].filter(([key]) => key.includes(' order ')).map(([, id]) => id)
    if (orders.length === 0) return
    await this.#send(this.#chance.pick(orders))
  }

  /** Sends the next signal to an order. */
  sendLater(id: string): void {
    this.#later(0, () => this.#send(id))
  }

  async #send(id: string): Promise<void> {
    this.#keys += 1
    const number = this.#keys
    const begunAt = this.#time.now
    await this.#persist(() => this.#app.signal(id, 'go', number, { idempotencyKey: `signal ${number}` }))
    const sent = { number, begunAt, acknowledgedAt: this.#time.now }
    this.promised.signalled.set(id, [...(this.promised.signalled.get(id) ?? []), sent])
  }

  async #schedule(index: number, change: { readonly everySeconds?: number } = {}): Promise<void> {
    const found = this.#configuration.schedules[index]
    if (!found) return
    const { policy, overlap, timeZone, runMs, everySeconds } = { ...found, ...change }
    const input: Task = { runMs, failures: 0, killsAt: 0, isDeaf: false }
    await this.#app.schedule('tick', {
      name: `tick ${index}`,
      tenant: TENANT,
      trigger: cron(`*/${everySeconds} * * * * *`, { timeZone }),
      misfire: { policy, threshold: '3s', catchUp: { limit: 5 } },
      overlap,
      retry: { retries: 1, initial: '1s' },
      input,
    })
  }

  async #disturbSchedule(): Promise<void> {
    const index = this.#chance.between(0, this.#configuration.schedules.length - 1)
    const name = { name: `tick ${index}`, tenant: TENANT }
    const acts = [
      () => this.#app.pause(name, 'for a while'),
      () => this.#app.resume(name),
      () => this.#app.resume(name),
      () => this.#schedule(index, { everySeconds: this.#chance.pick([2, 3, 7]) }),
      () => this.#app.runNow(name),
    ]
    // Whether a pause took hold nobody asks again: it is no promise.
    await this.#chance.pick(acts)()
  }

  async #changeCap(): Promise<void> {
    const concurrency = this.#chance.between(1, 6)
    await this.#persist(() => this.#app.setTenant(TENANT, { concurrency }))
  }

  async #createSensitive(): Promise<void> {
    await this.#service.jobs.create(ana, {
      name: 'sensitive',
      jobType: 'sensitive',
      cronExpression: '* * * * *',
      payload: { version: 0 },
      requiresTwoStepExecution: true,
    })
  }

  async #sensitive() {
    const { items } = await this.#service.jobs.list(ana, {
      limit: 10,
      q: 'sensitive',
      sort: 'name',
      isDescending: false,
    })
    return items.find(({ name }) => name === 'sensitive') ?? null
  }

  async #edit(): Promise<void> {
    const found = await this.#sensitive()
    this.#versions += 1
    if (found) await this.#service.jobs.update(ana, found.id, { payload: { version: this.#versions } })
  }

  async #approve(): Promise<void> {
    const found = await this.#sensitive()
    if (found) await this.#service.jobs.approve(this.#chance.isIn(0.8) ? bia : ana, found.id, { comment: 'seen' })
  }

  async #runSensitive(): Promise<void> {
    const found = await this.#sensitive()
    if (found) await this.#service.jobs.execute(ana, found.id, {})
  }
}
