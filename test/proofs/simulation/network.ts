import { silentLogger } from '../../../src/logger.ts'
import { sendAgain } from '../../../src/store/driver/send-again.ts'
import type { KeepAliveRequest, LeaseKeeper, NodeStore } from '../../../src/store/nodes.ts'
import { RenewalLoop } from '../../../src/store/renewal-loop.ts'
import type { EngineStore, Hint, StoreSource, TenantStore } from '../../../src/store/store.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import type { Chance } from '../../harness/chance.ts'
import type { Faults } from './faults.ts'
import type { Machine } from './machine.ts'
import { isRefusal, refusalOf } from './refusals.ts'
import type { VirtualTime } from './virtual-time.ts'

/** A question to the store, and who asks it. */
export interface Question {
  readonly number: number
  readonly from: Machine
  /** Such as `leases.finish`. */
  readonly verb: string
  readonly values: readonly unknown[]
  /** In true time; where it is sent again, when it was first asked. */
  readonly askedAt: number
}

/** Sees every question when it is applied. */
export interface Observer {
  /** Right before; gives what sees it right after. */
  onApply(question: Question): (answer: unknown) => void
}

export interface NetworkOptions {
  readonly time: VirtualTime
  readonly faults: Faults
  readonly chance: Chance
  /** How long a question or an answer is under way, at most, while nothing goes wrong. */
  readonly latencyMs: number
  readonly observer: Observer
  /** What happened with what did not go well, to count it. */
  readonly onFault: (kind: string, verb: string) => void
}

type Verb = (...values: unknown[]) => unknown

const DEADLINE_MS = 30_000
const SLOW_MS = 10_000

/** What stands between machines and the store: time, and whatever may go wrong there. */
export class Network {
  readonly #options: NetworkOptions
  readonly #underWay = new Map<(error: Error) => void, Question>()
  #questions = 0

  constructor(options: NetworkOptions) {
    this.#options = options
  }

  /** The store as a machine sees it. */
  source(machine: Machine, open: () => EngineStore): StoreSource {
    return { kind: 'memory', open: () => Promise.resolve(this.#between(machine, open())) }
  }

  /** Whoever waits for an answer learns that its connection is gone. */
  cutAll(): void {
    for (const fail of Array.from(this.#underWay.keys())) fail(connectionLost('a restart'))
  }

  /** Whether a machine waits for the answer to such a question. */
  isAsked(machine: Machine, verb: string): boolean {
    for (const { from, verb: asked } of this.#underWay.values()) if (from === machine && asked === verb) return true
    return false
  }

  #between<Store extends TenantStore>(machine: Machine, store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'listen')
          return (hear: (hint: Hint) => void) => this.#listen(machine, value as EngineStore['listen'], hear)
        if (name === 'forTenant')
          return (tenant: string) => this.#between(machine, (value as EngineStore['forTenant'])(tenant))
        if (name === 'close') return () => Promise.resolve()
        if (name === 'connections') return () => null
        if (typeof value === 'function') return this.#asked(machine, String(name), value as Verb, target)
        return typeof value === 'object' && value !== null ? this.#noun(machine, String(name), value, target) : value
      },
    })
  }

  #noun(machine: Machine, noun: string, target: object, { nodes }: TenantStore): object {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        if (name === 'keepAlive')
          return (request: KeepAliveRequest) => this.#keepAlive(machine, nodes as NodeStore, request)
        return this.#asked(machine, `${noun}.${String(name)}`, value as Verb, target)
      },
    })
  }

  /** From a thread, as on a server. */
  #keepAlive(machine: Machine, nodes: NodeStore, request: KeepAliveRequest): LeaseKeeper {
    const { nodeId, leaseMs } = request
    const renew = this.#asked(
      machine,
      'nodes.renew',
      (...values) => nodes.renew(...(values as [string, number])),
      nodes,
      true,
    )
    const list = this.#asked(machine, 'nodes.list', () => nodes.list(), nodes, true)
    const lease = {
      renew: () => renew(nodeId, leaseMs) as Promise<boolean>,
      isListed: async () => ((await list()) as { id: string }[]).some(({ id }) => id === nodeId),
    }
    const onLost = (reason: string) => machine.whenAble(() => request.onLost(reason))
    return new RenewalLoop(machine.env(true), lease, { ...request, onLost })
  }

  /** A hint may be late, doubled, or never come. */
  #listen(machine: Machine, listen: EngineStore['listen'], hear: (hint: Hint) => void): () => void {
    const { time, chance, latencyMs } = this.#options
    return listen((hint) => {
      if (machine.isDead || machine.isDeaf) return
      time.after(chance.between(0, latencyMs), () => machine.whenAble(() => hear(hint)))
    })
  }

  /** As the driver does it: what the server has undone for the sake of another is sent again. */
  #asked(machine: Machine, verb: string, send: Verb, target: object, isInThread = false): Verb {
    const env = machine.env(isInThread)
    return (...values) => {
      const asked = { from: machine, verb, values, askedAt: this.#options.time.now }
      const ask = () => this.#ask(asked, () => send.apply(target, values), isInThread)
      return sendAgain(env, ask)
    }
  }

  #ask(asked: Omit<Question, 'number'>, apply: () => unknown, isInThread: boolean): Promise<unknown> {
    const { from } = asked
    if (from.isDead) return new Promise(() => {})
    this.#questions += 1
    const question = { ...asked, number: this.#questions }
    return new Promise((resolve, reject) => {
      const answer = (settle: () => void) => from.whenAble(settle, isInThread)
      this.#send(question, apply, {
        resolve: (value) => answer(() => resolve(value)),
        reject: (error) => answer(() => reject(error)),
      })
    })
  }

  #send(question: Question, apply: () => unknown, heard: Heard): void {
    const { time, faults, chance, latencyMs, onFault } = this.#options
    const { verb } = question
    const fault = faults.ofQuestion(question.number)
    if (fault) onFault(fault, verb)
    let isSettled = false
    const once = (settle: () => void) => {
      if (isSettled) return
      isSettled = true
      this.#underWay.delete(fail)
      settle()
    }
    const fail = (error: Error) => once(() => heard.reject(error))
    this.#underWay.set(fail, question)
    const [there, back] = [chance.between(0, latencyMs), chance.between(0, latencyMs)]
    const performed = () => this.#apply(question, apply)
    const failLater = (error: Error) => void time.after(back, () => fail(error))
    const answered = (waitMs: number) =>
      void performed().then(
        (value) => void time.after(waitMs, () => once(() => heard.resolve(value))),
        (error: unknown) => void time.after(back, () => once(() => heard.reject(error as Error))),
      )
    // Whatever comes of it nobody hears.
    const unheard = () => void performed().catch(() => {})

    if (fault === null) return void time.after(there, () => answered(back))
    if (isRefusal(fault)) return void time.after(there, () => failLater(refusalOf(fault, verb)))
    switch (fault) {
      case 'lost':
        return void time.after(there, () => failLater(connectionLost(verb)))
      case 'unknown':
        return void time.after(there, () => {
          unheard()
          failLater(connectionLost(verb))
        })
      case 'belated':
        time.after(there, () => failLater(connectionLost(verb)))
        return void time.after(there + this.#aWhile(), unheard)
      case 'stalled':
        if (chance.isIn(0.5)) time.after(there, unheard)
        return void time.after(DEADLINE_MS, () => fail(deadlinePassed(verb)))
      case 'slow':
        return void time.after(there + chance.between(0, SLOW_MS), () => answered(back))
      case 'late':
        return void time.after(there, () => answered(back + chance.between(0, SLOW_MS)))
      case 'doubled':
        time.after(there + this.#aWhile(), unheard)
        time.after(there, () => answered(back))
    }
  }

  /** As likely some milliseconds as some seconds: what is overtaken by the next question, and what by much else. */
  #aWhile(): number {
    return Math.round(SLOW_MS ** this.#options.chance.fraction())
  }

  async #apply(question: Question, apply: () => unknown): Promise<unknown> {
    const seen = this.#options.observer.onApply(question)
    const answer = await apply()
    seen(answer)
    return answer
  }
}

interface Heard {
  resolve(value: unknown): void
  reject(error: Error): void
}

function connectionLost(what: string): Error {
  const message = `The connection was lost during ${what}. It may or may not have been applied.`
  return new StoreUnavailableError('store.connection_lost', message, { statement: what })
}

function deadlinePassed(what: string): Error {
  const message = `No answer to ${what} within ${DEADLINE_MS} ms. It may or may not have been applied.`
  return new StoreUnavailableError('store.deadline', message, { statement: what, deadlineMs: DEADLINE_MS })
}

/** What a store is opened with that only the network speaks to. */
export const QUIETLY = { logger: silentLogger }
