import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { Processes } from './processes.ts'

describe('a node that hears no hints', () => {
  it('starts what another process enqueues with its next poll, one as the other', async () => {
    await using all = new Processes()
    const begun: number[] = []
    const quick = job('quick', { run: () => void begun.push(all.now()) })
    const node = await all.node({ jobs: [quick] })
    node.link.isDeaf = true
    const producer = all.process()
    const waits: number[] = []
    for (let turn = 0; turn < 12; turn += 1) {
      await all.pass(1_370 + 190 * turn)
      const enqueuedAt = all.now()
      await producer.app.enqueue(quick)
      await all.pass('2s')
      expect(begun).toHaveLength(turn + 1)
      waits.push((begun.at(-1) ?? 0) - enqueuedAt)
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(1_000)
  })
})
