import { setTimeout as sleep } from 'node:timers/promises'
import { type Pontual, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import type { Figure } from '../record/record.ts'
import { percentile } from '../torture/dead-rows.ts'
import { startCrew } from './crew.ts'
import { PLAIN_TYPES, slow } from './job-types.ts'
import { judge, type Part } from './part.ts'

const FLOOD = 1_000_000
const AT_FULL_LENGTH_MINUTES = 30
const CHUNK = 10_000
const RETRYING = 5_000
const TRIES = 20
const BETWEEN_MS = 300
const MOST_MS = 5_000

/** When others come. */
interface Moment {
  readonly name: string
  readonly waitsMs: readonly number[]
}

/** One tenant enqueues a million executions; the first execution of another starts soon all the same: while they come in, while they wait, and while they fail and are tried again. */
export const flood: Part = {
  name: 'flood',
  async run({ url, minutes, say }) {
    const number = Math.round(FLOOD * Math.min(1, minutes / AT_FULL_LENGTH_MINUTES))
    const shared = { url, slots: 10, types: 'plain', serves: false, leakedBytes: 0 } as const
    const crew = await startCrew(['node 1', 'node 2'].map((name) => ({ ...shared, name })))
    const app = pontual({ store: postgres(url, { maxConnections: 4 }), jobs: PLAIN_TYPES, logger: 'silent' })
    const newcomers = new Newcomers(app)
    try {
      say(`flood: ${number} of one tenant come in`)
      let isIn = false
      const coming = pourIn(app, number).finally(() => {
        isIn = true
      })
      const during = await newcomers.come(TRIES, () => isIn)
      await coming
      say('flood: all are in')
      const standing = await newcomers.come(TRIES)
      // They fail twice and are ready again at once: what was there before stands in front of what comes.
      await app.enqueueMany(
        slow,
        Array.from({ length: RETRYING }, () => ({ fails: 2 })),
        { tenant: 'flood', priority: 'HIGH' },
      )
      await sleep(2_000)
      say('flood: they fail and are tried again')
      const retrying = await newcomers.come(TRIES)
      const { QUEUED: left } = await app.counts()
      return judge(
        figuresOf(number, left, [
          { name: 'while they come in', waitsMs: during },
          { name: 'while they wait', waitsMs: standing },
          { name: 'while they fail and are tried again', waitsMs: retrying },
        ]),
      )
    } finally {
      await app.stop()
      await crew.stop()
    }
  },
}

async function pourIn(app: Pontual, number: number): Promise<void> {
  for (let sent = 0; sent < number; sent += CHUNK) {
    const inputs = Array.from({ length: Math.min(CHUNK, number - sent) }, () => ({ fails: 0 }))
    await app.enqueueMany(slow, inputs, { tenant: 'flood' })
  }
}

/** Tenants of whom nobody has heard before. */
class Newcomers {
  readonly #app: Pontual
  #count = 0

  constructor(app: Pontual) {
    this.#app = app
  }

  /** How long the first execution of each waited for its start, one tenant after the other; at most so many, and at least one. */
  async come(most: number, isOver: () => boolean = () => false): Promise<number[]> {
    const waits: number[] = []
    do {
      await sleep(BETWEEN_MS)
      waits.push(await this.#comeOne())
    } while (waits.length < most && !isOver())
    return waits.toSorted((a, b) => a - b)
  }

  async #comeOne(): Promise<number> {
    this.#count += 1
    const { id } = await this.#app.enqueue(slow, { fails: 0 }, { tenant: `newcomer ${this.#count}` })
    const { startedAt, createdAt } = await this.#app.waitFor(id, { timeout: '1m' })
    return Number(startedAt) - createdAt
  }
}

function figuresOf(number: number, left: number, moments: readonly Moment[]): Figure[] {
  const of = { section: 'load', invariants: ['I19'] } as const
  return [
    { ...of, what: 'executions of one tenant that flood the queue', value: number, atLeast: FLOOD },
    { ...of, what: 'of which waited when the last newcomer had run', value: left },
    ...moments.flatMap(({ name, waitsMs }) => [
      { ...of, what: `newcomers ${name}`, value: waitsMs.length },
      {
        ...of,
        what: `the first execution of a newcomer starts after, ${name}, p50`,
        value: Math.round(percentile(waitsMs, 50)),
        unit: 'ms',
      },
      {
        ...of,
        what: `the first execution of a newcomer starts after, ${name}, at most`,
        value: Math.round(percentile(waitsMs, 100)),
        unit: 'ms',
        atMost: MOST_MS,
      },
    ]),
  ]
}
