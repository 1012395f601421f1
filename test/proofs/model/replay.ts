import type { EngineStore } from '../../../src/store/store.ts'
import { type Bench, failure, LEASE_MS, success } from '../../suites/conformance/bench.ts'
import type { Run, State, Statement } from './lease-state.ts'
import type { Size } from './lease-world.ts'
import { Shadow } from './shadow.ts'

/** How a real store is asked: at once, or held before its commit. */
export interface Theatre {
  readonly bench: Bench
  /** How many statements may be under way at once. */
  readonly most: number
  send(ask: (store: EngineStore) => Promise<unknown>): Promise<Sent>
}

/** A statement that was sent: it stands before its commit, or waits for a lock. */
export interface Sent {
  readonly isBlocked: boolean
  /** Lets it commit. */
  commit(): Promise<unknown>
  undo(): Promise<void>
  /** Where it waits for a lock it is not held afterwards. Whether it is done, and what the answer was. */
  goesOn(): Promise<{ readonly isDone: boolean; readonly answer: unknown }>
}

interface Walk {
  readonly steps: number
  /** Statements of the model that were made on the store. */
  readonly statements: number
  readonly blocked: number
  /** What was done, a line each. */
  readonly lines: readonly string[]
}

const TENANT = 'acme'

/** Walks through the model at random, does the same with a real store, and compares what can be seen after each step. Throws where no state of the model fits. */
export async function replay(theatre: Theatre, size: Size, length: number, random: () => number): Promise<Walk> {
  const replaying = new Replay(theatre, size, random)
  await replaying.begin()
  return await replaying.walk(length)
}

interface UnderWay {
  readonly tag: number
  readonly statement: Statement
  readonly sent: Sent
}

class Replay {
  readonly #theatre: Theatre
  readonly #shadow: Shadow
  readonly #size: Size
  readonly #random: () => number
  readonly #lines: string[] = []
  readonly #nodeIds = new Map<number, string>()
  #executionIds: readonly string[] = []
  #held: UnderWay[] = []
  #blocked: UnderWay | null = null
  /** Statements whose sender has died. */
  readonly #orphans = new Set<number>()
  #statements = 0
  #blockings = 0

  constructor(theatre: Theatre, size: Size, random: () => number) {
    this.#theatre = theatre
    this.#size = size
    this.#shadow = new Shadow(size)
    this.#random = random
  }

  async begin(): Promise<void> {
    const { bench } = this.#theatre
    const { maxAttempts, executions, limit } = this.#size
    const all = Array.from({ length: executions }, () => bench.execution({ tenant: TENANT, maxAttempts }))
    await bench.store.executions.enqueue(all)
    this.#executionIds = all.map(({ body }) => body.id)
    if (limit !== null) await bench.store.tenants.limit([{ tenant: TENANT, concurrency: limit }])
    for (const { life } of this.#shadow.states[0]?.listed ?? []) await this.#register(life)
    await this.#compare('the beginning')
  }

  async walk(length: number): Promise<Walk> {
    let steps = 0
    for (; steps < length; steps += 1) if (!(await this.#step())) break
    while (this.#held.length > 0) await this.#commit(this.#held[0]!)
    return { steps, statements: this.#statements, blocked: this.#blockings, lines: this.#lines }
  }

  async #step(): Promise<boolean> {
    const mayBegin = this.#blocked === null && this.#held.length < this.#theatre.most
    const [guide] = this.#shadow.states
    const open = this.#shadow.steps.filter((step) => {
      if (step.of || !guide) return false
      return step.next.begun === guide.begun || (mayBegin && !this.#isBusy(step.next.statements.at(-1)!))
    })
    const choices = open.length + this.#held.length
    if (choices === 0) return false
    const choice = Math.floor(this.#random() * choices)
    const held = this.#held[choice - open.length]
    if (held) {
      const isUndone = this.#random() < 0.2
      await (isUndone ? this.#undo(held) : this.#commit(held))
      return true
    }
    const step = open[choice]!
    this.#lines.push(step.name)
    const isStatement = step.next.begun > guide!.begun
    const before = guide!
    this.#shadow.take(step.name)
    this.#mourn(step.next)
    if (isStatement) await this.#send(step.next.statements.at(-1)!)
    else await this.#change(before, step.next)
    return true
  }

  /** A statement that found nothing is over for the model; who sent it waits until it commits. */
  #isBusy({ sender, verb }: Statement): boolean {
    const isRenewal = verb === 'renew'
    return this.#held.some(({ statement: each }) => {
      const isSame = sender !== null && each.sender === sender && !this.#orphans.has(each.tag)
      return isSame && (each.verb === 'renew') === isRenewal
    })
  }

  #mourn({ processes }: State): void {
    for (const { tag, statement } of [...this.#held, ...(this.#blocked ? [this.#blocked] : [])]) {
      if (statement.sender !== null && processes[statement.sender]?.isUp === false) this.#orphans.add(tag)
    }
  }

  /** What happens to the tables without a statement of the model: a node registers, or its lease runs out. */
  async #change(before: State, after: State): Promise<void> {
    const { nodes } = this.#theatre.bench.store
    for (const { life, isLapsed } of after.listed) {
      const known = before.listed.find((each) => each.life === life)
      if (!known) await this.#register(life)
      // A lease of no time is over.
      else if (isLapsed && !known.isLapsed) await nodes.renew(this.#nodeId(life), 0)
    }
    await this.#compare('this')
  }

  async #register(life: number): Promise<void> {
    this.#nodeIds.set(life, await this.#theatre.bench.node({ leaseMs: 1_000 * LEASE_MS }))
  }

  async #send(statement: Statement): Promise<void> {
    this.#statements += 1
    const sent = await this.#theatre.send((store) => this.#ask(statement, store))
    const under = { tag: statement.tag, statement, sent }
    this.#shadow.meet(statement.tag, sent.isBlocked)
    this.#require(`${statement.verb} ${sent.isBlocked ? 'waits for a lock' : 'stands before its commit'}`)
    if (sent.isBlocked) {
      this.#blockings += 1
      this.#blocked = under
      this.#lines.push('  waits for a lock')
    } else {
      this.#held.push(under)
      if (this.#theatre.most === 1) await this.#commit(under)
    }
    await this.#compare('what is under way')
  }

  async #commit(under: UnderWay): Promise<void> {
    this.#held = this.#held.filter((each) => each !== under)
    const answer = await under.sent.commit()
    this.#lines.push(`${under.statement.verb} commits: ${JSON.stringify(answer)}`)
    const isClaim = under.statement.verb === 'claim'
    this.#shadow.finish(under.tag, true, isClaim)
    if ((await this.#unblock()) && isClaim) this.#shadow.claimAgain()
    this.#learn(under, answer)
    await this.#compare('the commit')
  }

  async #undo(under: UnderWay): Promise<void> {
    this.#held = this.#held.filter((each) => each !== under)
    await under.sent.undo()
    this.#lines.push(`${under.statement.verb} is undone`)
    this.#shadow.undo(under.tag)
    await this.#unblock()
    await this.#compare('what was undone')
  }

  /** Who waited for a lock goes on as soon as it is free. Returns whether somebody did. */
  async #unblock(): Promise<boolean> {
    const under = this.#blocked
    if (!under) return false
    const { isDone, answer } = await under.sent.goesOn()
    this.#shadow.finish(under.tag, isDone, false)
    if (!isDone) return false
    this.#lines.push(`  ${under.statement.verb} goes on: ${JSON.stringify(answer)}`)
    this.#blocked = null
    this.#learn(under, answer)
    return true
  }

  /** Who has claimed knows what, unless he died meanwhile. */
  #learn({ tag, statement: { verb, sender } }: UnderWay, answer: unknown): void {
    if (verb !== 'claim' || sender === null || this.#orphans.has(tag)) return
    const [claimed] = answer as readonly { executionId: string; epoch: number }[]
    const isRun = (run: Run | null | undefined) =>
      claimed
        ? run?.epoch === claimed.epoch && this.#executionIds[run.execution] === claimed.executionId
        : (run ?? null) === null
    this.#shadow.keep(({ processes }) => isRun(processes[sender]?.run))
  }

  async #ask({ verb, life, execution, epoch, outcome, limit }: Statement, store: EngineStore): Promise<unknown> {
    const held = { executionId: this.#executionIds[execution ?? 0] ?? '', epoch }
    const nodeId = life === null ? '' : this.#nodeId(life)
    switch (verb) {
      case 'claim': {
        const request = { nodeId, limit: 1, queues: ['default'], jobTypes: ['import'], aged: 0 }
        const { executions } = await store.leases.claim(request)
        return executions.map((each) => ({ executionId: each.executionId, epoch: each.epoch }))
      }
      case 'finish':
        return await store.leases.finish([success(held, { status: outcome ?? 'SUCCESS' })])
      case 'retry':
        return await store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: 0 }])
      case 'release':
        return await store.leases.release([held])
      case 'renew':
        return await store.nodes.renew(nodeId, 1_000 * LEASE_MS)
      case 'recover':
        return (await store.leases.recover({ silentForMs: null, limit: 500 })).length
      case 'promote':
        return await store.leases.promote(1)
      case 'cancel':
        return await store.executions.cancel([{ id: held.executionId, reason: null }])
      case 'limit':
        return await store.tenants.limit([{ tenant: TENANT, concurrency: limit ?? 'unlimited' }])
    }
  }

  #nodeId(life: number): string {
    return this.#nodeIds.get(life) ?? ''
  }

  /** What can be seen of the store is what can be seen of a state of the model. */
  async #compare(what: string): Promise<void> {
    const seen = await this.#look()
    const expected = this.#shadow.states.map((state) => this.#sightOf(state))
    this.#shadow.keep((state) => this.#sightOf(state) === seen)
    this.#require(`${what}: the store has ${seen}, the model ${[...new Set(expected)].join(' or ') || 'no state'}`)
  }

  #require(what: string): void {
    if (this.#shadow.states.length > 0) return
    throw new Error(`The store does not keep to the model: ${what}\n${this.#lines.join('\n')}`)
  }

  async #look(): Promise<string> {
    const { executions, nodes } = this.#theatre.bench.store
    const found = new Map((await executions.find(this.#executionIds)).map((each) => [each.id, each]))
    const lives = new Map([...this.#nodeIds].map(([life, id]) => [id, life]))
    const rows = this.#executionIds.map((id) => {
      const { status, attempt, epoch, nodeId, dueAt } = found.get(id)!
      const holder = nodeId === null ? '' : ` by ${lives.get(nodeId)}`
      return `${status}${dueAt === null ? '' : ' later'} e${epoch} a${attempt}${holder}`
    })
    const listed = (await nodes.list()).map(({ id, isAlive }) => `${lives.get(id)}${isAlive ? '' : '!'}`)
    return `${rows.join(', ')} · ${listed.sort().join(' ')}`
  }

  #sightOf({ rows, listed }: State): string {
    const all = rows.map(([row]) => {
      const { place, end, epoch, attempt, holder } = row!
      const status = end ?? (place === 'leases' ? 'RUNNING' : 'QUEUED')
      return `${status}${place === 'delayed' ? ' later' : ''} e${epoch} a${attempt}${holder === null ? '' : ` by ${holder}`}`
    })
    const nodes = listed.map(({ life, isLapsed }) => `${life}${isLapsed ? '!' : ''}`)
    return `${all.join(', ')} · ${nodes.sort().join(' ')}`
  }
}
