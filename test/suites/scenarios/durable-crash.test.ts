import { describe, expect, it } from 'vitest'
import { activity } from '../../../src/job/activity/activity.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { DurableWorld } from './durable/world.ts'

/** A job that does a bit of everything, and what it did. */
function program() {
  const performed: string[] = []
  const note = (name: string) => {
    performed.push(name)
    return name
  }
  const book = activity('book', { run: (what: string) => note(what), compensate: (what) => note(`undo ${what}`) })
  const render = activity('render', { queue: 'gpu', run: (what: string) => note(what) })
  const child = job('child', { run: (what: string) => note(what) })
  const all = job('all', {
    durable: true,
    run: async (_: undefined, ctx) => {
      const first = await ctx.run(book, 'flight')
      const both = await Promise.all([
        ctx.run(book, 'hotel'),
        ctx.run('flaky', ({ attempt }) => {
          if (attempt === 1) throw new Error('Once.')
          return note('flaky')
        }),
        ctx.run(render, 'film'),
      ])
      const raced = await Promise.race([ctx.sleep('1s').then(() => 'slept'), ctx.signal('never')])
      const called = await ctx.call(child, 'child')
      const signal = await ctx.signal('go')
      const rest = await Promise.allSettled([ctx.run('last', () => note('last')), ctx.sleep(100)])
      return [first, both, raced, called, signal, rest.length, ctx.now() > 0]
    },
  })
  return { performed, jobs: [all, child], activities: [render], all }
}

const EXPECTED = ['flight', ['hotel', 'flaky', 'film'], 'slept', 'child', 'now', 2, true]

/** Runs it, and kills its node at the n-th thing it asks of the store. Whether it came so far. */
async function killAt(n: number, isApplied: boolean): Promise<boolean> {
  const { performed, jobs, activities, all } = program()
  await using world = new DurableWorld(memory())
  const first = await world.node({ jobs, activities })
  const { id } = await first.app.enqueue(all)
  let asked = 0
  first.link.intercept = async (verb, send) => {
    if (!/^(histories|leases\.(claim|finish|promote|retry))/.test(verb)) return await send()
    asked += 1
    if (asked !== n) return await send()
    if (isApplied) await send()
    first.freeze()
    return await new Promise(() => {})
  }
  await world.pass('5s')
  const second = await world.node({ jobs, activities })
  await second.app.signal(id, 'go', 'now').catch(() => {})
  await world.pass('1s')
  const recorded = (await second.app.history(id)).filter(({ status }) => status === 'COMPLETED')
  const before = new Map(performed.map((name) => [name, performed.filter((each) => each === name).length]))
  await world.pass('25s')
  expect({ n, isApplied, ...(await second.execution(id)) }).toMatchObject({ status: 'SUCCESS', output: EXPECTED })
  for (const { output } of recorded) {
    if (typeof output !== 'string' || !before.has(output)) continue
    expect({ n, output, times: performed.filter((each) => each === output).length }).toEqual({
      n,
      output,
      times: before.get(output),
    })
  }
  expect(performed.filter((name) => name.startsWith('undo'))).toEqual([])
  return first.isFrozen
}

describe('a durable run whose node dies', () => {
  it.each([
    ['before it is applied', false],
    ['after it is applied', true],
  ])('at any question to the store, %s, comes to the same end', { timeout: 60_000 }, async (_when, isApplied) => {
    let n = 1
    while (await killAt(n, isApplied)) n += 1
    expect(n).toBeGreaterThan(20)
  })
})
