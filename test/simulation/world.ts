import { inspect } from 'node:util'
import { decodeValue } from '../../src/durable/codec.ts'
import { fires } from '../../src/job/job-status.ts'
import { type Pontual, pontualIn } from '../../src/pontual.ts'
import { createService } from '../../src/service/service.ts'
import { openStore } from '../../src/store/memory/store.ts'
import { Tables } from '../../src/store/memory/tables.ts'
import { Chance } from './chance.ts'
import { Client } from './client.ts'
import { type Commit, CommitLog } from './commits.ts'
import { type Fault, Faults, type WorldFault } from './faults.ts'
import { ALL_INVARIANTS } from './invariants/all.ts'
import { type Evidence, type Invariant, Violation } from './invariants/invariant.ts'
import { type Order, simulatedTypes } from './job-types.ts'
import { Ledger } from './ledger.ts'
import { Machine } from './machine.ts'
import { Network, QUIETLY } from './network.ts'
import type { Configuration } from './swarm.ts'
import { VirtualTime } from './virtual-time.ts'

const LOOK_MS = 1_000
/** By then all that was begun has to have ended, once nothing goes wrong any more. */
const HEALING_MS = 3_600_000
const STEP_MS = 5_000

interface Node {
  readonly machine: Machine
  readonly app: Pontual
}

/** Several nodes, those who use them, one store, and everything that may go wrong between them. */
export class World implements Evidence {
  readonly configuration: Configuration
  readonly tables = new Tables(() => Promise.resolve())
  readonly faults: Faults
  readonly ledger: Ledger
  readonly seen = new Map<string, number>()
  /** The last commits, to tell what led to a violation. */
  readonly trace: string[] = []
  readonly #time: VirtualTime
  readonly #chance: Chance
  readonly #network: Network
  readonly #invariants: readonly Invariant[] = ALL_INVARIANTS.map((make) => make())
  readonly #nodes: (Node | null)[]
  readonly #client: Client
  readonly #clientApp: Pontual
  #machines = 0
  #looks = 0
  #violation: Violation | null = null

  constructor(configuration: Configuration, only: readonly Fault[] | null = null) {
    const { seed, startAt, rates, latencyMs, nodes } = configuration
    this.configuration = configuration
    this.faults = new Faults(seed, rates, only)
    this.#chance = new Chance(seed, 'world')
    this.#time = new VirtualTime(startAt, new Chance(seed, 'ties'))
    this.ledger = new Ledger((effect) => void this.#check((each) => each.onEffect?.(effect, this)))
    const log = new CommitLog(
      this.tables,
      () => this.now(),
      (commit) => this.#afterCommit(commit),
    )
    this.#network = new Network({
      time: this.#time,
      faults: this.faults,
      chance: new Chance(seed, 'network'),
      latencyMs,
      observer: log,
      onFault: (kind, verb) => this.sometimes(`${kind} ${verb}`),
    })
    this.#nodes = Array.from({ length: nodes }, () => null)
    const machine = this.#machine('client')
    this.#clientApp = this.#appOn(machine)
    const service = createService(this.#clientApp, { duties: false })
    this.#client = new Client(this.#clientApp, service, {
      time: this.#time,
      chance: new Chance(seed, 'client'),
      configuration,
    })
    this.tables.audit.isEnabled = true
  }

  get promised() {
    return this.#client.promised
  }

  get happenings(): number {
    return this.#time.count
  }

  readonly now = (): number => this.#time.now

  readonly sometimes = (what: string): void => {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  /** Lets chaos reign, then heals; gives what must never be, or null. */
  async run(): Promise<Violation | null> {
    const { startAt, chaosMs } = this.configuration
    for (const place of this.#nodes.keys()) this.#start(place)
    this.#client.begin()
    this.#lookAgain()
    await this.#time.runTo(startAt + chaosMs, () => this.#violation !== null)
    this.#heal()
    for (let at = this.now(); at < startAt + chaosMs + HEALING_MS && !this.#violation; ) {
      if (!this.#client.isBusy) {
        if (this.#isDone()) break
        this.#client.calm()
        this.#sendMissing()
      }
      at += STEP_MS
      await this.#time.runTo(at, () => this.#violation !== null)
    }
    // What has fired late is on record by then.
    await this.#time.runTo(this.now() + 60_000, () => this.#violation !== null)
    await this.#check((each) => each.atEnd?.(this))
    const [error] = this.promised.errors
    if (error !== undefined && !this.#violation)
      this.#violation = new Violation(
        'unexpected',
        error instanceof Error ? (error.stack ?? error.message) : inspect(error),
      )
    this.#end()
    return this.#violation
  }

  #isDone(): boolean {
    const { results, executions, jobs } = this.tables
    return results.size === executions.size && ![...jobs.rows()].some(({ status }) => fires(status))
  }

  /** Orders get the signals that nobody has sent them yet, and no more: one that was lost is missed. */
  #sendMissing(): void {
    for (const { id, jobType, payload } of this.tables.executions.rows()) {
      if (jobType !== 'order' || this.tables.results.has(id)) continue
      const { signals } = decodeValue(payload) as Order
      if ((this.promised.signalled.get(id)?.length ?? 0) < signals) this.#client.sendLater(id)
    }
  }

  #heal(): void {
    this.faults.heal()
    for (const [place, node] of this.#nodes.entries()) {
      if (node) node.machine.isDeaf = false
      if (!node || node.machine.isDead) this.#start(place)
    }
  }

  #end(): void {
    for (const node of this.#nodes) node?.machine.kill()
  }

  // Nodes, and what becomes of them.

  #machine(name: string): Machine {
    const { seed, skewMs } = this.configuration
    this.#machines += 1
    const chance = new Chance(seed, `machine ${this.#machines}`)
    return new Machine(
      `${name} ${this.#machines}`,
      this.#time,
      chance,
      skewMs === 0 ? 0 : chance.between(-skewMs, skewMs),
    )
  }

  #appOn(machine: Machine): Pontual {
    const { leaseMs, slots } = this.configuration
    const env = machine.env()
    const open = () => openStore(this.tables, { env, now: () => this.now(), ...QUIETLY })
    return pontualIn(
      {
        application: 'simulation',
        store: this.#network.source(machine, open),
        jobs: simulatedTypes({ machine, time: this.#time, ledger: this.ledger }),
        node: { slots, name: machine.name },
        staleThreshold: leaseMs,
        staleCheckInterval: Math.min(5_000, leaseMs),
        shutdownGrace: '2s',
        logger: 'silent',
        overrides: { env: {} },
      },
      { env },
    )
  }

  #start(place: number): void {
    const machine = this.#machine('node')
    const app = this.#appOn(machine)
    this.#nodes[place] = { machine, app }
    app.start().catch(() => {
      // As whoever runs a process would: it is started anew a little later.
      machine.kill()
      this.#time.after(1_000, () => this.#replace(place, machine))
    })
  }

  #replace(place: number, gone: Machine): void {
    if (this.#nodes[place]?.machine === gone) this.#start(place)
  }

  #lookAgain(): void {
    this.#time.after(LOOK_MS, () => {
      this.#looks += 1
      const fault = this.faults.ofLook(this.#looks)
      if (fault) this.#strike(fault)
      this.#raiseTheDead()
      this.#lookAgain()
    })
  }

  /** Also those that their own work has killed. */
  #raiseTheDead(): void {
    for (const [place, node] of this.#nodes.entries()) {
      if (!node?.machine.isDead) continue
      this.#nodes[place] = null
      this.#time.after(this.#chance.between(0, 15_000), () => {
        if (this.#nodes[place] === null) this.#start(place)
      })
    }
  }

  #strike(fault: WorldFault): void {
    this.sometimes(fault)
    if (fault === 'restartDatabase') this.#network.cutAll()
    const living = this.#nodes.filter((node) => node !== null)
    if (living.length === 0) return
    const node = this.#chance.pick(living)
    const forMs = this.#chance.between(100, this.configuration.leaseMs * 2)
    if (fault === 'kill') node.machine.kill()
    if (fault === 'stop') node.machine.stop(forMs)
    if (fault === 'block') node.machine.block(forMs)
    if (fault === 'deafen') node.machine.isDeaf = true
    if (fault === 'rollingRestart') this.#restart(node)
  }

  /** Lets it end as it should, and starts another in its place. */
  #restart({ machine, app }: Node): void {
    const place = this.#nodes.findIndex((node) => node?.machine === machine)
    const replace = () => {
      machine.kill()
      this.#replace(place, machine)
    }
    void app.stop().then(replace, replace)
  }

  // What is looked at.

  #afterCommit(commit: Commit): void {
    if (commit.changes.length > 0) this.#note(commit)
    void this.#check((each) => each.afterCommit?.(commit, this))
  }

  #note({ question, changes, at }: Commit): void {
    const told = changes.map(
      ({ table, key, before, after }) => `${before ? (after ? '~' : '-') : '+'}${table} ${key.slice(-6)}`,
    )
    this.trace.push(
      `${((at - this.configuration.startAt) / 1_000).toFixed(3)} ${question.from.name} ${question.verb}: ${told.join(' ')}`,
    )
    if (this.trace.length > 200) this.trace.shift()
  }

  async #check(look: (invariant: Invariant) => void | Promise<void> | undefined): Promise<void> {
    for (const invariant of this.#invariants) {
      if (this.#violation) return
      try {
        const looking = look(invariant)
        if (looking) await looking
      } catch (error) {
        this.#violation ??=
          error instanceof Violation ? error : new Violation('checker', String((error as Error).stack))
      }
    }
  }
}
