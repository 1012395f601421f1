import { inspect } from 'node:util'
import { decodeValue } from '../../../src/durable/codec.ts'
import type { Job } from '../../../src/job/job.ts'
import { firesNow } from '../../../src/job/job-status.ts'
import { createService } from '../../../src/service/service.ts'
import { Tables } from '../../../src/store/memory/schema/tables.ts'
import { Chance } from '../../harness/chance.ts'
import { Client } from './client.ts'
import { Cluster } from './cluster.ts'
import { type Commit, CommitLog } from './commits.ts'
import { type Fault, Faults, type WorldFault } from './faults.ts'
import { ALL_INVARIANTS } from './invariants/all.ts'
import { type Evidence, type Invariant, Violation } from './invariants/invariant.ts'
import { Ledger } from './ledger.ts'
import { MailServer } from './mail-server.ts'
import { Network } from './network.ts'
import type { Order } from './order-type.ts'
import { StoreClock } from './store-clock.ts'
import type { Configuration } from './swarm.ts'

import { VERSIONS } from './versions.ts'
import { VirtualTime } from './virtual-time.ts'

const KEPT = 200

/** The last things that happened, to tell what led to a violation. */
class Trace {
  readonly #startAt: number
  readonly #told: (() => string)[] = []

  constructor(startAt: number) {
    this.#startAt = startAt
  }

  get lines(): string[] {
    return this.#told.slice(-KEPT).map((tell) => tell())
  }

  commit(at: number, { question, changes }: Commit): void {
    this.#keep(at, () => {
      const told = changes.map(
        ({ table, key, before, after }) => `${before ? (after ? '~' : '-') : '+'}${table} ${key.slice(-6)}`,
      )
      return `${question.from.name} ${question.verb}: ${told.join(' ')}`
    })
  }

  note(at: number, what: string): void {
    this.#keep(at, () => `--- ${what}`)
  }

  /** Put into words only where somebody reads them: most runs are fine. */
  #keep(at: number, tell: () => string): void {
    this.#told.push(() => `${((at - this.#startAt) / 1_000).toFixed(3)} ${tell()}`)
    if (this.#told.length > 2 * KEPT) this.#told.splice(0, KEPT)
  }
}

const LOOK_MS = 1_000
/** By then all that was begun has to have ended, once nothing goes wrong any more. */
const HEALING_MS = 3_600_000
const STEP_MS = 5_000
/** By then every job that fires has to be up to date, once no node is stopped any more. */
const PATIENCE_MS = 60_000
/** How long each version of the code runs alone, in turns, until all that only it can end has ended. */
const TURN_MS = 60_000
const TAIL_MS = 12_000
const BACK_MS: readonly number[] = [
  -1_000, -2_000, -5_000, -5_000, -10_000, -10_000, -20_000, -60_000, -60_000, -600_000,
]
const AHEAD_MS: readonly number[] = [1_000, 10_000, 60_000, 3_600_000]

/** Several nodes, those who use them, one store, and everything that may go wrong between them. */
export class World implements Evidence {
  readonly configuration: Configuration
  readonly tables = new Tables(() => Promise.resolve())
  readonly faults: Faults
  readonly ledger: Ledger
  readonly clock: StoreClock
  readonly seen = new Map<string, number>()
  readonly trace: Trace
  readonly #time: VirtualTime
  readonly #network: Network
  readonly #cluster: Cluster
  readonly #client: Client
  readonly #invariants: readonly Invariant[] = ALL_INVARIANTS.map((make) => make())
  #looks = 0
  #violation: Violation | null = null

  constructor(configuration: Configuration, only: readonly Fault[] | null = null) {
    const { seed, startAt, rates, latencyMs } = configuration
    const chanceFor = (purpose: string) => new Chance(seed, purpose)
    this.configuration = configuration
    this.faults = new Faults(seed, rates, only)
    this.trace = new Trace(startAt)
    this.#time = new VirtualTime(startAt, chanceFor('ties'))
    this.clock = new StoreClock(this.#time)
    this.ledger = new Ledger((effect) => this.#check((each) => each.onEffect?.(effect, this)))
    const log = new CommitLog(
      this.tables,
      () => this.clock.now,
      (commit) => this.#afterCommit(commit),
    )
    this.#network = new Network({
      time: this.#time,
      faults: this.faults,
      chance: chanceFor('network'),
      latencyMs,
      observer: log,
      onFault: (kind, verb) => this.sometimes(`${kind} ${verb}`),
    })
    const isTroubled = () => !this.faults.isHealed && Object.keys(rates).length > 0
    const mailServer = new MailServer({ time: this.#time, chance: chanceFor('mail'), ledger: this.ledger, isTroubled })
    this.#cluster = new Cluster({
      configuration,
      tables: this.tables,
      time: this.#time,
      clock: this.clock,
      network: this.#network,
      ledger: this.ledger,
      mailServer,
      sometimes: this.sometimes,
      onStopped: (machine) => this.#check((each) => each.onStopped?.(machine, this)),
    })
    const app = this.#cluster.client()
    const around = { time: this.#time, chance: chanceFor('client'), configuration }
    this.#client = new Client(app, createService(app, { duties: false }), around)
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
    const { startAt, chaosMs, clockChange } = this.configuration
    this.#cluster.startAll()
    this.#client.begin()
    this.#lookAgain()
    if (clockChange) this.#time.at(clockChange.at, () => this.#noteClockChange(clockChange.kind))
    await this.#runTo(startAt + chaosMs)
    this.faults.heal()
    this.#cluster.heal()
    await this.#settle(startAt + chaosMs + HEALING_MS)
    // What was under way for as long as anything can be has come by then.
    await this.#runTo(this.now() + TAIL_MS)
    this.#check((each) => each.atEnd?.(this))
    const [error] = this.promised.errors
    if (error !== undefined && !this.#violation) {
      const told = error instanceof Error ? (error.stack ?? error.message) : inspect(error)
      this.#violation = new Violation('unexpected', told)
    }
    this.#cluster.end()
    return this.#violation
  }

  async #runTo(instant: number): Promise<void> {
    await this.#time.runTo(instant, () => this.#violation !== null)
  }

  /** Until all that was begun has ended. Where there are two versions of the code each has its turn, and the other's work waits. */
  async #settle(until: number): Promise<void> {
    let turns = 0
    let turnEndsAt = 0
    const patientUntil = this.now() + 2 * this.configuration.leaseMs + PATIENCE_MS
    while (this.now() < until && !this.#violation) {
      if (this.now() >= patientUntil) this.#requireUpToDate()
      if (!this.#client.isBusy && (this.now() >= patientUntil || !this.#overdue)) {
        if (this.#isDone()) return
        this.#client.calm()
        this.#sendMissing()
        this.#resumeGivenUp()
      }
      if (this.configuration.hasTwoVersions && this.now() >= turnEndsAt) {
        this.#cluster.deployAll(VERSIONS[turns % VERSIONS.length] ?? 'old')
        turns += 1
        turnEndsAt = this.now() + TURN_MS
      }
      await this.#runTo(this.now() + STEP_MS)
    }
  }

  #isDone(): boolean {
    const { results, executions, jobs, service } = this.tables
    const { unplanned, waiting } = service.notifications
    if (results.size !== executions.size) return false
    if (this.configuration.hasNotices && unplanned.size + waiting.size > 0) return false
    return ![...jobs.rows()].some((job) => firesNow(job))
  }

  /** I2: with nodes that run, what is due does not wait. */
  #requireUpToDate(): void {
    const job = this.#overdue
    if (job)
      this.#violation ??= new Violation(
        'I2',
        `${job.name} stands at ${job.schedule.nextFireAt}, and nobody decides about it`,
      )
  }

  /** A job whose next occurrence should have been decided about; null: there is none. */
  get #overdue(): Job | null {
    const isOverdue = (job: Job) =>
      firesNow(job) && (job.schedule.nextFireAt ?? Number.POSITIVE_INFINITY) <= this.clock.now - STEP_MS
    return [...this.tables.jobs.rows()].find(isOverdue) ?? null
  }

  /** Orders get the signals that nobody has sent them yet, and no more: one that was lost is missed. */
  #sendMissing(): void {
    for (const { id, jobType, payload } of this.tables.executions.rows()) {
      if (jobType !== 'order' || this.tables.results.has(id)) continue
      const { signals } = decodeValue(payload) as Order
      if ((this.promised.signalled.get(id)?.length ?? 0) < signals) this.#client.sendLater(id)
    }
  }

  /** As whoever operates it does, once the cause is removed. */
  #resumeGivenUp(): void {
    for (const { body, divergence } of this.tables.delayedByStatus.rowsOf('DIVERGED')) {
      if (divergence?.reason === 'noProgress') this.#client.resumeLater(body.id)
    }
  }

  #lookAgain(): void {
    this.#time.after(LOOK_MS, () => {
      this.#looks += 1
      const fault = this.faults.ofLook(this.#looks)
      if (fault) this.#strike(fault)
      this.#cluster.raiseTheDead()
      this.#lookAgain()
    })
  }

  #strike(fault: WorldFault): void {
    const chance = new Chance(this.configuration.seed, `strike ${this.#looks}`)
    this.sometimes(fault)
    this.trace.note(this.now(), fault)
    if (fault === 'restartDatabase') this.#network.cutAll()
    if (fault === 'outage') this.#cluster.outage(chance.between(2_000, 40_000))
    if (fault === 'clockBack') this.#setClock(chance.pick(BACK_MS))
    if (fault === 'clockAhead') this.#setClock(chance.pick(AHEAD_MS))
    if (fault === 'clockStep') this.#setClock(-chance.between(1, 1_500))
    const { living } = this.#cluster
    if (living.length === 0) return
    const machine = chance.pick(living)
    const forMs = chance.between(100, this.configuration.leaseMs * 2)
    if (fault === 'kill') machine.kill()
    if (fault === 'stop') machine.stop(forMs)
    if (fault === 'block') machine.block(forMs)
    if (fault === 'deafen') machine.isDeaf = true
    if (fault === 'rollingRestart') this.#cluster.restart(machine)
    if (fault === 'deploy') this.#cluster.deploy(machine)
  }

  #setClock(byMs: number): void {
    this.clock.jump(byMs)
    if (this.#cluster.living.length === 0) this.sometimes('the clock is set while no node runs')
  }

  #noteClockChange(kind: 'gap' | 'fold'): void {
    const isOutage = this.#cluster.living.length === 0 && this.configuration.schedules.length > 0
    if (isOutage) this.sometimes(`a ${kind} is crossed while no node runs`)
  }

  #afterCommit(commit: Commit): void {
    if (commit.changes.length > 0) this.trace.commit(this.now(), commit)
    this.#check((each) => each.afterCommit?.(commit, this))
  }

  #check(look: (invariant: Invariant) => void): void {
    if (this.#violation) return
    try {
      for (const invariant of this.#invariants) look(invariant)
    } catch (error) {
      this.#violation = error instanceof Violation ? error : new Violation('checker', String((error as Error).stack))
    }
  }
}
