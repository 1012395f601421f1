import { setTimeout as sleep } from 'node:timers/promises'
import { cron, type Pontual } from '../../../../src/index.ts'
import type { Chance } from '../../../harness/chance.ts'
import type { Answer, Asking } from './asking.ts'
import type { HttpClient } from './http-client.ts'
import { DESK, LEASE_MS, type Order, type PlainType, SCHEDULES, type Task, TENANTS } from './workload.ts'

interface Wish {
  readonly type: PlainType
  readonly tenant: string
  readonly input: Task
  readonly delayMs?: number | undefined
}

const REMEMBERED = 500
const MOST_OVER_HTTP = 15
const PRIORITIES = ['HIGH', 'MEDIUM', 'LOW'] as const

/** Somebody who uses Pontual, by code and over HTTP, and who takes no silence for an answer. */
export class Client {
  readonly #app: Pontual
  readonly #http: HttpClient
  readonly #asking: Asking
  readonly #chance: Chance
  readonly #name: string
  /** What was acknowledged. */
  readonly #known: Wish[] = []
  #keys = 0
  #overHttpNow = 0

  constructor(
    name: string,
    { app, http, asking, chance }: { app: Pontual; http: HttpClient; asking: Asking; chance: Chance },
  ) {
    this.#name = name
    this.#app = app
    this.#http = http
    this.#asking = asking
    this.#chance = chance
  }

  /** How many executions wait for a node; null where nobody can say. */
  async queued(): Promise<number | null> {
    try {
      return (await this.#app.counts()).QUEUED
    } catch {
      return null
    }
  }

  /** Something that is to be done soon. */
  async short(delayMs?: number): Promise<Answer> {
    const tenant = this.#tenant()
    const isLimited = tenant === 'capped' || tenant === 'tight'
    const runMs = isLimited ? this.#chance.between(100, 400) : this.#chance.between(0, 40)
    return await this.#enqueue({ ...this.#wish('short', { runMs, failures: 0 }), tenant, delayMs })
  }

  async later(): Promise<void> {
    await this.short(this.#chance.between(1, 4_000))
  }

  async failing(): Promise<void> {
    await this.#enqueue(this.#wish('failing', { runMs: 5, failures: this.#chance.between(1, 5) }))
  }

  /** Longer than a lease, and not everybody hears that he is to end. */
  async long(): Promise<void> {
    const type = this.#chance.isIn(0.7) ? 'long' : 'deaf'
    await this.#enqueue(this.#wish(type, { runMs: LEASE_MS + this.#chance.between(200, 1_500), failures: 0 }))
  }

  async poison(): Promise<void> {
    await this.#enqueue(this.#wish('poison', { runMs: 0, failures: 0 }))
  }

  /** The same key means the same execution, however often it is asked for, unless it comes with another input; and that only within its tenant. */
  async again(): Promise<void> {
    if (this.#known.length === 0) return
    const wish = this.#chance.pick(this.#known)
    const input = { ...wish.input, runMs: wish.input.runMs + 1 }
    const tenant = wish.tenant === 'acme' ? 'globex' : 'acme'
    await this.#enqueue(this.#chance.pick([wish, { ...wish, input }, { ...wish, tenant }]))
  }

  /** What waits, or runs for long, is called off at some point. */
  async cancelled(): Promise<void> {
    const isLong = this.#chance.isIn(0.4)
    const wish = this.#wish(isLong ? 'long' : 'short', { runMs: isLong ? LEASE_MS + 500 : 10, failures: 0 })
    const { outcome, subject } = await this.#enqueue(isLong ? wish : { ...wish, delayMs: 1_500 })
    if (outcome !== 'accepted' || subject === undefined) return
    await sleep(this.#chance.between(0, 2_000))
    await this.#cancel(subject, wish.tenant)
  }

  async #cancel(id: string, tenant: string): Promise<void> {
    await this.#asking.persist({ verb: 'cancel', tenant, subject: id }, async () => ({
      subject: id,
      detail: { result: await this.#app.cancel(id, 'no longer needed') },
    }))
  }

  /** An order, and the signals that it waits for, one after the other; some are called off in between. */
  async order(): Promise<void> {
    const chance = this.#chance
    const key = this.#key()
    const input: Order = {
      key,
      stepMs: chance.pick([0, 10, 100]),
      sleepMs: chance.pick([1, 300, 2_500]),
      signals: chance.between(0, 2),
      failures: chance.isIn(0.2) ? chance.between(1, 2) : 0,
    }
    const tenant = this.#tenant()
    const question = { verb: 'enqueue', tenant, subject: 'order', idempotencyKey: key, input } as const
    const { subject: id } = await this.#asking.persist(question, async () => {
      const options = { tenant, idempotencyKey: key, durable: true }
      return { subject: (await this.#app.enqueue('order', input, options)).id }
    })
    if (id === undefined) return
    for (let number = 1; number <= input.signals; number += 1) {
      await sleep(chance.between(0, 1_500))
      await this.#signal(id, tenant, number)
    }
    if (!chance.isIn(0.1)) return
    await sleep(chance.between(0, 1_000))
    await this.#cancel(id, tenant)
  }

  async #signal(id: string, tenant: string, number: number): Promise<void> {
    const payload = { number }
    const idempotencyKey = this.#key()
    const question = { verb: 'signal', tenant, subject: id, idempotencyKey, input: payload } as const
    await this.#asking.persist(question, async () => {
      await this.#app.signal(id, 'go', payload, { idempotencyKey })
      return { subject: id }
    })
  }

  /** A service that takes its time is not asked by ever more people at once. */
  async overHttp(): Promise<void> {
    if (this.#overHttpNow >= MOST_OVER_HTTP) return
    this.#overHttpNow += 1
    const tenant = this.#tenant()
    const key = this.#key()
    await this.#sendOverHttp(tenant, { key, runMs: 10, failures: 0 })
    if (this.#chance.isIn(0.05)) await this.#sendOverHttp(tenant, { key, runMs: 11, failures: 0 })
    this.#overHttpNow -= 1
  }

  async #sendOverHttp(tenant: string, input: Task): Promise<void> {
    const { key } = input
    const question = { verb: 'enqueueOverHttp', tenant, subject: 'short', idempotencyKey: key, input } as const
    const body = { jobName: DESK, payload: input }
    await this.#asking.persist(question, async () => {
      const { status, executionId } = await this.#http.enqueue({ tenant, key, body })
      return { subject: executionId, detail: { status } }
    })
  }

  /** null: any number, where without a word ten of a tenant would run. */
  async limit(tenant: string, most: number | null): Promise<void> {
    const concurrency = most ?? 'unlimited'
    const question = { verb: 'setTenant', tenant, input: { concurrency } } as const
    await this.#asking.persist(question, async () => {
      await this.#app.setTenant(tenant, { concurrency })
      return {}
    })
  }

  async schedule(name: string): Promise<void> {
    const found = SCHEDULES.find((each) => each.name === name)
    if (!found) return
    const { tenant, policy, thresholdMs, catchUpLimit, overlap, runMs } = found
    await this.#asking.persist({ verb: 'schedule', tenant, subject: name }, async () => {
      const { id } = await this.#app.schedule('tick', {
        name,
        tenant,
        trigger: cron(found.cron),
        misfire: { policy, threshold: thresholdMs, catchUp: { limit: catchUpLimit } },
        overlap,
        onFaulted: 'continue',
        input: { key: '', runMs, failures: 0 } satisfies Task,
      })
      return { subject: id }
    })
  }

  async pause(name: string, tenant: string): Promise<void> {
    await this.#asking.persist({ verb: 'pause', tenant, subject: name }, async () => ({
      subject: (await this.#app.pause({ name, tenant }, 'for a while')).id,
    }))
  }

  async resume(name: string, tenant: string): Promise<void> {
    await this.#asking.persist({ verb: 'resume', tenant, subject: name }, async () => ({
      subject: (await this.#app.resume({ name, tenant })).id,
    }))
  }

  /** A pause with an end, or the same definition once more: neither may reopen an instant. */
  async disturb(): Promise<void> {
    const { name, tenant } = this.#chance.pick(SCHEDULES.filter(({ isDisturbed }) => isDisturbed))
    if (this.#chance.isIn(0.5)) return await this.schedule(name)
    await this.pause(name, tenant)
    await sleep(this.#chance.between(100, 2_500))
    await this.resume(name, tenant)
  }

  /** What clients of the service enqueue by its name has to be there. */
  async furnish(): Promise<void> {
    for (const { name: tenant } of TENANTS) {
      await this.#asking.persist({ verb: 'schedule', tenant, subject: DESK }, async () => {
        const options = { name: DESK, tenant, trigger: cron('0 0 1 1 *'), onFaulted: 'continue' } as const
        return { subject: (await this.#app.schedule('short', options)).id }
      })
    }
  }

  #wish(type: PlainType, task: Omit<Task, 'key'>): Wish {
    return { type, tenant: this.#tenant(), input: { key: this.#key(), ...task } }
  }

  async #enqueue(wish: Wish): Promise<Answer> {
    const { type, tenant, input, delayMs } = wish
    const { key } = input
    const question = { verb: 'enqueue', tenant, subject: type, idempotencyKey: key, input, delayMs } as const
    const options = { tenant, idempotencyKey: key, priority: this.#chance.pick(PRIORITIES), delay: delayMs }
    const answer = await this.#asking.persist(question, async () => ({
      subject: (await this.#app.enqueue<Task>(type, input, options)).id,
    }))
    if (answer.outcome === 'accepted' && type === 'short') {
      this.#known.push({ type, tenant, input })
      if (this.#known.length > REMEMBERED) this.#known.shift()
    }
    return answer
  }

  /** Most is asked for by those without a limit. */
  #tenant(): string {
    const [acme, globex, capped, tight] = TENANTS
    const fraction = this.#chance.fraction()
    if (fraction < 0.5) return acme.name
    if (fraction < 0.9) return globex.name
    return fraction < 0.97 ? capped.name : tight.name
  }

  #key(): string {
    this.#keys += 1
    return `${this.#name}-${this.#keys}`
  }
}
