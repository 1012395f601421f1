import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { HOUR_MS } from '../../../../src/duration.ts'
import { Chance } from '../../../harness/chance.ts'
import { freePort } from '../../../harness/postgres/free-port.ts'
import { watchDatabase } from '../check/watch-database.ts'
import { wallMinusMachine } from '../history/machine-time.ts'
import { HistoryWriter } from '../history/writer.ts'
import { startTorturedServer } from '../place/server.ts'
import { openWire } from '../place/wire.ts'
import type { Stage, TorturedServer, Wire } from '../stage.ts'
import { Asking } from './asking.ts'
import { Flooding } from './flooding.ts'
import { NOT_STARTED, Program, type ProgramName, type Surroundings } from './program.ts'
import { Sampler } from './sampler.ts'
import { SeatedNode } from './seated-node.ts'
import { VERSION_BEFORE } from './tally.ts'
import { BOOKINGS, LEASE_MS } from './workload.ts'

const NODES = 3
const CLIENTS = 2
const REPLACE_MS = 300
const READ_CLOCK_MS = 500
/** How long the version before is alone. */
const BEFORE_MS = 4_000

export interface EnsembleOptions {
  readonly seed: number
  readonly minutes: number
  readonly rate: number
  readonly folder: string
  /** Whoever wants everything to end at once. */
  readonly interrupted: AbortSignal
  /** Of the programs, by their names; those that are not named have ours. */
  readonly surroundings: Readonly<Partial<Record<ProgramName, Surroundings>>>
  /** Where the sources of the version stand that everything begins with; null where it begins with these. */
  readonly rootBefore: string | null
}

/** The server, the nodes, those who ask, and whoever looks on: everything that is there, in processes of their own, each behind a wire. */
export class Ensemble implements Stage, AsyncDisposable {
  readonly leaseMs = LEASE_MS
  readonly history: HistoryWriter
  readonly minutes: number
  /** What processes did that none may do. */
  readonly strange: string[] = []
  /** How long there was no service while one of this version took the place of one before, and brought the database up to date; null where none did. */
  upgradedInMs: number | null = null
  readonly #options: EnsembleOptions
  /** What ends with us, the last first. */
  readonly #own: AsyncDisposable[] = []
  readonly #clock: NodeJS.Timeout
  #server: TorturedServer | null = null
  #nodes: readonly SeatedNode[] = []
  #clientWires: readonly Wire[] = []
  #client: Program | null = null
  /** Those of the version before who ask, until they know everything they have asked for. */
  #leaving: Promise<unknown> = Promise.resolve()
  #service: Program | null = null
  #flooding: Flooding | null = null
  #sampler: Sampler | null = null
  #timeIsOver = new AbortController()
  #names = 0
  /** Whether whoever is started now is of the version before. */
  #isBefore: boolean
  #isOver = false

  private constructor(options: EnsembleOptions) {
    this.#options = options
    this.minutes = options.minutes
    this.#isBefore = options.rootBefore !== null
    this.history = new HistoryWriter(options.folder, 'stage')
    this.#clock = setInterval(() => {
      this.history.write({ kind: 'clock', wallMinusMachineMs: wallMinusMachine() })
    }, READ_CLOCK_MS)
  }

  /** Everything is there, and takes and gives work. */
  static async assemble(options: EnsembleOptions): Promise<Ensemble> {
    const ensemble = new Ensemble(options)
    try {
      await ensemble.#assemble()
      return ensemble
    } catch (error) {
      await ensemble[Symbol.asyncDispose]()
      throw error
    }
  }

  get server(): TorturedServer {
    if (!this.#server) throw new Error('There is no server yet.')
    return this.#server
  }

  get nodes(): readonly SeatedNode[] {
    return this.#nodes
  }

  get clientWires(): readonly Wire[] {
    return this.#clientWires
  }

  readonly wait = async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { signal: this.#timeIsOver.signal }).catch(() => {})
  }

  async flood(count: number, dueInMs: number): Promise<number> {
    return (await this.#flooding?.enqueue(count, dueInMs)) ?? 0
  }

  /** Nobody waits any longer. */
  stopWaiting(): void {
    this.#timeIsOver.abort()
  }

  /** Those who ask come to an end; whether they did, in so long. */
  async finishAsking(withinMs: number): Promise<boolean> {
    const client = this.#client
    if (!client) return true
    client.tell('finish')
    const { interrupted: signal } = this.#options
    const patience = sleep(withinMs, null, { ref: false, signal }).catch(() => null)
    return (await Promise.race([Promise.all([client.ended, this.#leaving]), patience])) !== null
  }

  /** All stop as they should, but for the server. */
  async rest(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#nodes.map((node) => node.end()))
    await this.#service?.kill()
    await this.#client?.kill()
    await this.#flooding?.end()
    await this.#sampler?.end()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    this.stopWaiting()
    await Promise.all([
      ...this.#nodes.map((node) => node.endAtOnce()),
      this.#service?.kill(),
      this.#client?.kill(),
      this.#sampler?.end(),
      this.#flooding?.end(),
    ])
    for (const each of this.#own.reverse()) await each[Symbol.asyncDispose]()
    clearInterval(this.#clock)
    this.history[Symbol.dispose]()
  }

  async #assemble(): Promise<void> {
    const { interrupted } = this.#options
    interrupted.addEventListener('abort', () => this.stopWaiting(), { once: true })
    const server = await startTorturedServer()
    this.#server = server
    this.#own.push(server)
    const wires: Wire[] = []
    for (let count = 0; count < NODES + CLIENTS + 1; count += 1) {
      const wire = await openWire(server.url)
      this.#own.push(wire)
      wires.push(wire)
    }
    const nodeWires = wires.splice(0, NODES)
    this.#clientWires = wires
    const serviceWire = wires.at(-1)
    if (!serviceWire) throw new Error('There is no wire for the service.')

    // The service comes first: what happens from then on is in the audit log.
    const port = await freePort()
    this.#service = this.#serve(serviceWire, port)
    await untilReady(this.#service, 'The service')
    await this.#makeBookings(server.url)
    await watchDatabase(server.url)

    const client = this.#ask(port)
    this.#client = client
    const chance = new Chance(this.#options.seed, 'ensemble')
    this.#flooding = new Flooding(server.url, new Asking(this.history, 'stage', chance))
    this.#nodes = nodeWires.map((wire) => this.#seat(wire, chance))
    await Promise.all(this.#nodes.map((node) => node.untilReady()))
    await untilReady(client, 'Those who ask')
    if (this.#isBefore) await this.#upgrade(client, port)
    this.#sampler = new Sampler(server.url, this.history)
  }

  /**
   * All is of the version before, and at work. Now a service of this one comes, which brings the database up to date under them, and others ask; each node is of
   * this version once it is replaced.
   */
  async #upgrade(before: Program, port: number): Promise<void> {
    await this.wait(BEFORE_MS)
    this.#isBefore = false
    const nodes = this.#nodes.map(({ name }) => name)
    this.history.write({ kind: 'strike', fault: VERSION_BEFORE, phase: 'begun', detail: { nodes } })
    const startedAt = performance.now()
    await this.#service?.kill()
    // Whoever watches over it has started another meanwhile, as often as it takes.
    while (!this.#service?.isUp || (await this.#service.ready) === null) await sleep(REPLACE_MS)
    this.upgradedInMs = performance.now() - startedAt
    this.history.write({ kind: 'strike', fault: VERSION_BEFORE, phase: 'healed', detail: { ms: this.upgradedInMs } })
    this.#client = this.#ask(port)
    await untilReady(this.#client, 'Those who ask')
    before.tell('leave')
    this.#leaving = before.ended
  }

  #ask(port: number): Program {
    const { seed, rate, folder } = this.#options
    const urls = this.#clientWires.slice(0, CLIENTS).map(({ url }) => url)
    const name = this.#isBefore ? 'client-before' : 'client'
    const asking = { urls, serviceUrl: `http://127.0.0.1:${port}`, name, folder, seed, rate }
    const program = new Program('client', { ...asking, seconds: this.minutes * 60 }, this.#surroundingsOf('client'))
    void program.ended.then(({ code, errors }) => {
      if (code !== 0 && !this.#isOver) this.strange.push(`${name} ended by itself: code ${code}\n${errors}`)
    })
    return program
  }

  #surroundingsOf(name: ProgramName): Surroundings {
    const { surroundings, rootBefore } = this.#options
    return this.#isBefore && rootBefore !== null
      ? { ...surroundings[name], root: rootBefore }
      : (surroundings[name] ?? {})
  }

  #seat(wire: Wire, chance: Chance): SeatedNode {
    const { folder } = this.#options
    return new SeatedNode({
      history: this.history,
      folder,
      wire,
      nextSurroundings: () => this.#surroundingsOf('node'),
      nextName: () => {
        this.#names += 1
        return `node-${this.#names}`
      },
      nextSkewMs: () => (chance.isIn(0.5) ? chance.between(-HOUR_MS, HOUR_MS) : 0),
      wait: this.wait,
      onStrange: (what) => this.strange.push(what),
    })
  }

  #serve(wire: Wire, port: number): Program {
    this.#names += 1
    const name = `service-${this.#names}`
    const { folder } = this.#options
    const isBefore = this.#isBefore
    const program = new Program('service', { url: wire.url, name, folder, port }, this.#surroundingsOf('service'))
    void program.ended.then(async ({ code, signal, errors }) => {
      if (this.#isOver) return
      // That of the version before is replaced by us.
      const isReplaced = isBefore && !this.#isBefore && signal === 'SIGKILL'
      if (code !== NOT_STARTED && !isReplaced)
        this.strange.push(`${name} ended by itself: ${signal ?? code}\n${errors}`)
      await sleep(REPLACE_MS)
      if (!this.#isOver) this.#service = this.#serve(wire, port)
    })
    return program
  }

  async #makeBookings(url: string): Promise<void> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`create table ${BOOKINGS} (execution_id uuid not null, mark text not null)`)
    await client.query(`grant all on ${BOOKINGS} to public`)
    await client.end()
  }
}

async function untilReady(program: Program, what: string): Promise<void> {
  if ((await program.ready) === null) throw new Error(`${what} ended: ${(await program.ended).errors}`)
}
