import { expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { ManualEnv } from '../../../src/testing/manual-env.ts'
import { Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { RecordedEvents } from './recorded.ts'

const COUNT = 300

it.each([1, 2, 3])(
  'success, failure, timeout, cancel and a lost node race (seed %i), and each execution ends once',
  async (seed) => {
    const { random } = new ManualEnv({ startAt: 0, seed, isBusy: () => false })
    await using all = new Processes()
    using events = new RecordedEvents()
    const gates = Array.from({ length: COUNT }, () => new Gate())
    const work = job('work', {
      timeout: '10s',
      retry: { intervals: [0] },
      run: async (index: number) => {
        await gates[index]?.opened
        if (index % 3 === 0) throw new Error('no')
        return index
      },
    })
    const frozen = await all.node({ jobs: [work], node: { slots: COUNT / 3 } })
    const node = await all.node({ jobs: [work], node: { slots: COUNT } })
    const enqueued = await node.app.enqueueMany(
      work,
      gates.map((_, index) => index),
    )
    await all.settle()
    frozen.freeze()
    // What happens to each comes at any second, also at that of its timeout, and while its node is lost.
    for (let second = 0; second <= 45; second += 1) {
      for (const [index, { id }] of enqueued.entries()) {
        const chance = random()
        if (chance < 0.02) gates[index]?.open()
        else if (chance < 0.03) void node.app.cancel(id)
      }
      if (second === 40) frozen.thaw()
      await all.pass('1s')
    }
    for (const gate of gates) gate.open()
    await all.pass('2m')

    const ends = new Map<string, string[]>()
    for (const { name, facts } of events.all) {
      if (!['execution.succeeded', 'execution.failed', 'execution.cancelled'].includes(name)) continue
      const { executionId } = facts as { executionId: string }
      ends.set(executionId, [...(ends.get(executionId) ?? []), name])
    }
    const seen = new Set<string>()
    for (const { id } of enqueued) {
      const { status, attempts, attempt, output } = await node.execution(id)
      seen.add(status)
      expect(ends.get(id)).toEqual([
        { SUCCESS: 'execution.succeeded', CANCELLED: 'execution.cancelled' }[status as string] ?? 'execution.failed',
      ])
      expect(attempts).toHaveLength(attempt)
      expect(attempt).toBeLessThanOrEqual(2)
      expect(output === undefined).toBe(status !== 'SUCCESS')
    }
    expect([...seen].toSorted()).toEqual(['CANCELLED', 'FAILED', 'SUCCESS', 'TIMEOUT'])
    expect(events.names).toContain('execution.recovered')
    expect(await node.app.health()).toMatchObject({ running: 0, stale: 0 })
  },
)
