import { afterEach, describe, expect, it } from 'vitest'
import type { OverlapRule } from '../../../src/job/rules/overlap.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { Gate } from './gate.ts'
import { recording, told } from './observed.ts'
import { type Process, Processes } from './processes.ts'

const MINUTE = 60_000
const BACKLOG = 3

/**
 * One slot, and a backlog that always holds three executions of a minute each: an occurrence waits three minutes for its turn, and the job is due every
 * minute.
 */
class Backlog implements AsyncDisposable {
  readonly all = new Processes()
  readonly tick = recording('tick')
  readonly #running: Gate[] = []
  readonly #filler = job('filler', {
    run: async () => {
      const gate = new Gate()
      this.#running.push(gate)
      await gate.opened
    },
  })
  #node: Process | null = null

  get app() {
    if (!this.#node) throw new Error('start() first.')
    return this.#node.app
  }

  async start(overlap: OverlapRule): Promise<void> {
    this.#node = await this.all.node({ jobs: [this.tick.type, this.#filler], node: { slots: 1 } })
    for (let count = 0; count <= BACKLOG; count += 1) await this.app.enqueue(this.#filler, undefined)
    const trigger = cron('* * * * *', { timeZone: 'UTC' })
    await this.app.schedule(this.tick.type, { name: 'tick', trigger, overlap, misfire: { threshold: '1h' } })
  }

  /** Each half minute past, the running filler ends and another joins the queue. */
  async pass(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed += 1) {
      await this.all.pass('30s')
      await this.app.enqueue(this.#filler, undefined)
      this.#running.shift()?.open()
      await this.all.pass('30s')
    }
  }

  async ledger(): Promise<string[]> {
    return told(await this.app.ledger('tick', 0, this.all.now() + MINUTE))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const timer = setInterval(() => this.#running.shift()?.open(), 1)
    await this.all[Symbol.asyncDispose]()
    clearInterval(timer)
  }
}

let backlog: Backlog | null = null
afterEach(() => backlog?.[Symbol.asyncDispose]())

describe('a job of every minute that waits three minutes for a slot', () => {
  it.each<[OverlapRule, number]>([
    ['allow', 26],
    ['skip', 7],
    ['queue', 7],
    ['replace', 7],
  ])('runs under %j', async (overlap, atLeast) => {
    backlog = new Backlog()
    await backlog.start(overlap)
    await backlog.pass(30)
    expect(backlog.tick.runs.length).toBeGreaterThanOrEqual(atLeast)
  })

  it.each<[OverlapRule]>([['queue'], ['replace']])(
    '%j records no occurrence as fired that never ran',
    async (overlap) => {
      backlog = new Backlog()
      await backlog.start(overlap)
      await backlog.pass(30)
      const records = await backlog.app.ledger('tick', 0, backlog.all.now() + MINUTE)
      const cancelled = await backlog.app.executions({ jobType: 'tick', statuses: ['CANCELLED'], limit: 100 })
      const decided = new Map(records.map(({ executionId, decision }) => [executionId, decision]))
      expect(cancelled.length).toBeGreaterThan(15)
      expect(new Set(cancelled.map(({ id }) => decided.get(id)))).toEqual(new Set(['consolidated']))
      expect(backlog.tick.runs.map(({ misfire }) => misfire?.missedCount)).toEqual(backlog.tick.runs.map(() => 4))
    },
  )
})
