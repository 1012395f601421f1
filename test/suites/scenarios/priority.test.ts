import { describe, expect, it } from 'vitest'
import type { Priority } from '../../../src/job/rules/priority.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { Processes } from './processes.ts'

/** A process with one slot, whose work ends when the clock moves a second. */
async function oneSlot() {
  const all = new Processes()
  const order: string[] = []
  const pending: (() => void)[] = []
  const work = job('work', {
    run: (name: string) => {
      order.push(name)
      return new Promise<void>((resolve) => pending.push(resolve))
    },
  })
  const producer = all.process()
  const enqueue = (name: string, priority: Priority) => producer.app.enqueue(work, name, { priority })
  const finishOne = async () => {
    pending.shift()?.()
    await all.settle()
  }
  return { all, order, work, enqueue, finishOne, pending }
}

describe('priorities', () => {
  it('HIGH goes before MEDIUM and that before LOW, within one the oldest first', async () => {
    const { all, order, work, enqueue, finishOne } = await oneSlot()
    await using _ = all
    for (const name of ['low 1', 'medium 1', 'high 1', 'low 2', 'medium 2', 'high 2']) {
      await enqueue(name, name.split(' ')[0]?.toUpperCase() as Priority)
    }
    await all.node({ jobs: [work], node: { slots: 1 } })
    for (let index = 0; index < 6; index += 1) await finishOne()
    expect(order).toEqual(['high 1', 'high 2', 'medium 1', 'medium 2', 'low 1', 'low 2'])
  })

  it('a run has that of its job type where it has none of its own, else MEDIUM', async () => {
    await using all = new Processes()
    const urgent = job('urgent', { priority: 'HIGH', run: () => undefined })
    const plain = job('plain', { run: () => undefined })
    const node = await all.node()
    const ids = [
      await node.app.enqueue(urgent),
      await node.app.enqueue(urgent, undefined, { priority: 'LOW' }),
      await node.app.enqueue(plain),
    ]
    const priorities = await Promise.all(ids.map(async ({ id }) => (await node.execution(id)).priority))
    expect(priorities).toEqual(['HIGH', 'LOW', 'MEDIUM'])
  })

  it.each<[string, number]>([
    ['one slot', 1],
    ['ten slots', 10],
  ])('LOW is not starved by a flood of HIGH that never ends, with %s', async (_slots, slots) => {
    const { all, order, work, enqueue, finishOne, pending } = await oneSlot()
    await using _ = all
    for (let index = 0; index < 40; index += 1) await enqueue(`high ${index}`, 'HIGH')
    await enqueue('low', 'LOW')
    await enqueue('medium', 'MEDIUM')
    await all.node({ jobs: [work], node: { slots } })
    for (let index = 0; index < 40; index += 1) {
      await enqueue(`later ${index}`, 'HIGH')
      await finishOne()
    }
    expect(order.indexOf('low')).toBeGreaterThanOrEqual(0)
    expect(order.indexOf('low')).toBeLessThan(24)
    expect(order.indexOf('medium')).toBeGreaterThanOrEqual(0)
    // Seven of eight slots stay with those who are in a hurry.
    expect(order.slice(0, 24).filter((name) => name.startsWith('high'))).toHaveLength(22)
    while (pending.length > 0) await finishOne()
  })

  it('an unknown one is refused with those there are', async () => {
    await using all = new Processes()
    const node = await all.node()
    await expect(node.app.enqueue('work', undefined, { priority: 'HIHG' as Priority })).rejects.toThrow(
      'priority must be one of HIGH, MEDIUM, LOW, got "HIHG". Did you mean "HIGH"?',
    )
  })
})
