import { type Pontual, pontualIn } from '../../../src/pontual.ts'
import type { Tables } from '../../../src/store/memory/schema/tables.ts'
import { openStore } from '../../../src/store/memory/store.ts'
import { Chance } from '../../harness/chance.ts'
import { simulatedTypes } from './job-types.ts'
import type { Ledger } from './ledger.ts'
import { Machine } from './machine.ts'
import type { MailServer } from './mail-server.ts'
import { type Network, QUIETLY } from './network.ts'
import type { StoreClock } from './store-clock.ts'
import type { Configuration } from './swarm.ts'
import { VERSIONS, type Version } from './versions.ts'
import type { VirtualTime } from './virtual-time.ts'

interface Node {
  readonly machine: Machine
  readonly app: Pontual
}

export interface ClusterOptions {
  readonly configuration: Configuration
  readonly tables: Tables
  readonly time: VirtualTime
  readonly clock: StoreClock
  readonly network: Network
  readonly ledger: Ledger
  readonly mailServer: MailServer
  readonly sometimes: (what: string) => void
  /** A node says that it has stopped. */
  readonly onStopped: (machine: Machine) => void
}

const RESTART_MS = 1_000
const LONGEST_AWAY_MS = 15_000

/** The nodes, each in its place: whatever becomes of one, another is started there. */
export class Cluster {
  readonly #options: ClusterOptions
  readonly #chance: Chance
  readonly #nodes: (Node | null)[]
  readonly #versions: Version[]
  #machines = 0
  #downUntil = 0

  constructor(options: ClusterOptions) {
    const { seed, nodes, hasTwoVersions } = options.configuration
    this.#options = options
    this.#chance = new Chance(seed, 'cluster')
    this.#nodes = Array.from({ length: nodes }, () => null)
    this.#versions = this.#nodes.map(() => (hasTwoVersions ? this.#chance.pick(VERSIONS) : 'old'))
  }

  startAll(): void {
    for (const place of this.#nodes.keys()) this.#start(place)
  }

  /** Those that run. */
  get living(): readonly Machine[] {
    return this.#nodes.flatMap((node) => (node && !node.machine.isDead ? [node.machine] : []))
  }

  /** An application of whoever only asks: it knows all job types. */
  client(): Pontual {
    const { time, clock, ledger, configuration } = this.#options
    const machine = this.#machine('client', 'old')
    return this.#appOn(machine, simulatedTypes({ machine, time, clock, ledger }, configuration.codeChange, false))
  }

  /** Lets one end as it should, and starts another in its place. */
  restart(machine: Machine): void {
    const { onStopped, network, sometimes } = this.#options
    const place = this.#nodes.findIndex((node) => node?.machine === machine)
    const node = this.#nodes[place]
    if (!node) return
    if (network.isAsked(machine, 'leases.claim')) sometimes('a node is told to stop while it claims')
    const replace = () => {
      if (!machine.isDead) onStopped(machine)
      machine.kill()
      if (this.#nodes[place]?.machine === machine) this.#start(place)
    }
    void node.app.stop().then(replace, replace)
  }

  /** The same, with the other version of the code. */
  deploy(machine: Machine): void {
    const place = this.#nodes.findIndex((node) => node?.machine === machine)
    this.#versions[place] = machine.version === 'old' ? 'new' : 'old'
    this.restart(machine)
  }

  /** All nodes run one version of the code. */
  deployAll(version: Version): void {
    for (const place of this.#versions.keys()) this.#versions[place] = version
    for (const machine of this.living) if (machine.version !== version) this.restart(machine)
  }

  /** No node runs for a while. */
  outage(forMs: number): void {
    this.#downUntil = Math.max(this.#downUntil, this.#options.time.now + forMs)
    for (const machine of this.living) machine.kill()
  }

  /** Starts others where some have died, a little later; also those that their own work has killed. */
  raiseTheDead(): void {
    const { time } = this.#options
    for (const [place, node] of this.#nodes.entries()) {
      if (!node?.machine.isDead) continue
      this.#nodes[place] = null
      const awayMs = Math.max(this.#chance.between(0, LONGEST_AWAY_MS), this.#downUntil - time.now)
      time.after(awayMs, () => {
        if (this.#nodes[place] === null) this.#start(place)
      })
    }
  }

  /** All run, and hear. */
  heal(): void {
    this.#downUntil = 0
    for (const [place, node] of this.#nodes.entries()) {
      if (node) node.machine.isDeaf = false
      if (!node || node.machine.isDead) this.#start(place)
    }
  }

  end(): void {
    for (const node of this.#nodes) node?.machine.kill()
  }

  #start(place: number): void {
    const { time, clock, ledger, configuration, mailServer } = this.#options
    const { codeChange, hasTwoVersions, hasNotices } = configuration
    const machine = this.#machine('node', this.#versions[place] ?? 'old')
    const app = this.#appOn(machine, simulatedTypes({ machine, time, clock, ledger }, codeChange, hasTwoVersions))
    this.#nodes[place] = { machine, app }
    const started = async () => {
      await app.start()
      if (!hasNotices) return
      const opened = await app.opened()
      opened.join(mailServer.notifier(machine, opened))
    }
    started().catch(() => {
      // As whoever runs a process would: it is started anew a little later.
      machine.kill()
      time.after(RESTART_MS, () => {
        if (this.#nodes[place]?.machine === machine) this.#start(place)
      })
    })
  }

  #machine(name: string, version: Version): Machine {
    const { configuration, time } = this.#options
    const { seed, skewMs, driftPpm } = configuration
    this.#machines += 1
    const chance = new Chance(seed, `machine ${this.#machines}`)
    const wrongBy = (most: number) => (most === 0 ? 0 : chance.between(-most, most))
    const traits = { skewMs: wrongBy(skewMs), driftPpm: wrongBy(driftPpm), version }
    return new Machine(`${name} ${this.#machines}${version === 'new' ? ' (new)' : ''}`, time, chance, traits)
  }

  #appOn(machine: Machine, jobs: ReturnType<typeof simulatedTypes>): Pontual {
    const { configuration, tables, clock, network } = this.#options
    const { leaseMs, slots } = configuration
    const env = machine.env()
    const open = () => openStore(tables, { env, now: () => clock.now, ...QUIETLY })
    return pontualIn(
      {
        application: 'simulation',
        store: network.source(machine, open),
        jobs,
        node: { slots, name: machine.name },
        staleThreshold: leaseMs,
        staleCheckInterval: Math.min(5_000, Math.max(1_000, leaseMs)),
        shutdownGrace: '2s',
        logger: 'silent',
        overrides: { env: {} },
      },
      { env },
    )
  }
}
