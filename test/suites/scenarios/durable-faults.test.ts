import { describe, expect, it } from 'vitest'
import { activity } from '../../../src/job/activity/activity.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import { DurableWorld } from './durable/world.ts'
import { Gate } from './gate.ts'
import type { Process, ProcessOptions } from './processes.ts'

/** A job that does a bit of everything, twice, and what it did. */
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
    run: async (round: number, ctx) => {
      const first = await ctx.run(book, `flight ${round}`)
      const flaky = ctx.run('flaky', ({ attempt }) => {
        if (attempt === 1) throw new Error('Once.')
        return note(`flaky ${round}`)
      })
      const both = await Promise.all([ctx.run(book, `hotel ${round}`), flaky, ctx.run(render, `film ${round}`)])
      const raced = await Promise.race([ctx.sleep('1s').then(() => 'slept'), ctx.signal('never')])
      const called = await ctx.call(child, `child ${round}`)
      if (round === 1) await ctx.continueAs(2)
      const signal = await ctx.signal('go')
      const rest = await Promise.allSettled([ctx.run('last', () => note('last')), ctx.sleep(100)])
      return [first, both, raced, called, signal, rest.length]
    },
  })
  return { performed, options: { jobs: [all, child], activities: [render] }, all }
}

const OUTPUT = ['flight 2', ['hotel 2', 'flaky 2', 'film 2'], 'slept', 'child 2', 'now', 2]
const ONCE = [...['flight', 'hotel', 'flaky', 'film', 'child'].flatMap((name) => [`${name} 1`, `${name} 2`]), 'last']

/** What happens at the n-th question to the store. */
type Fault = (node: Process, send: () => Promise<unknown>) => Promise<unknown>

interface Story {
  readonly fault: Fault
  /** What happens once the fault has. */
  readonly after?: ((world: DurableWorld, node: Process, options: ProcessOptions) => Promise<void>) | undefined
}

/** Runs it with a fault at the n-th question of its node. How it ended, what was performed, and whether it came so far. */
async function runWith(n: number, { fault, after }: Story) {
  const { performed, options, all } = program()
  await using world = new DurableWorld(memory())
  const watcher = await world.node()
  const node = await world.node(options)
  const { id } = await node.app.enqueue(all, 1)
  await watcher.app.signal(id, 'go', 'now')
  let asked = 0
  node.link.intercept = async (verb, send) => {
    if (!/^(histories|leases\.(claim|finish|promote|retry|release))/.test(verb)) return await send()
    asked += 1
    return asked === n ? await fault(node, send) : await send()
  }
  for (let second = 0; second < 10 && asked < n; second += 1) await world.pass('1s')
  const isHit = asked >= n
  const recorded = (await watcher.app.history(id)).filter(({ status }) => status === 'COMPLETED')
  const before = [...performed]
  if (isHit) await after?.(world, node, options)
  await world.pass('40s')
  const { status, output } = await watcher.execution(id)
  const isRecorded = (name: string) => before.includes(name) && recorded.some((entry) => entry.output === name)
  const again = performed.slice(before.length).filter(isRecorded)
  return { isHit, ended: { n, status, output, again }, performed: performed.toSorted() }
}

const away = () => new StoreUnavailableError('store.unavailable', 'Nobody knows whether it was applied.')

describe('a durable run', { timeout: 60_000 }, () => {
  it.each<[string, Fault]>([
    [
      'is not asked',
      () => {
        throw away()
      },
    ],
    [
      'gives no answer',
      async (_node, send) => {
        await send()
        throw away()
      },
    ],
  ])('whose store %s, at any question, performs everything once', async (_name, fault) => {
    let n = 1
    for (let isHit = true; isHit; n += 1) {
      const { ended, performed, ...told } = await runWith(n, { fault })
      expect(ended).toEqual({ n, status: 'SUCCESS', output: OUTPUT, again: [] })
      expect({ n, performed }).toEqual({ n, performed: ONCE.toSorted() })
      isHit = told.isHit
    }
    expect(n).toBeGreaterThan(30)
  })

  it.each([
    ['before', false],
    ['after', true],
  ])(
    'whose node stands still for longer than its lease, %s any question, performs nothing again that was recorded',
    async (_when, isApplied) => {
      let n = 1
      for (let isHit = true; isHit; n += 1) {
        const gate = new Gate()
        const fault: Fault = async (node, send) => {
          const answer = isApplied ? send() : null
          node.freeze()
          await gate.opened
          return await (answer ?? send())
        }
        const after: Story['after'] = async (world, node) => {
          await world.pass('8s')
          node.thaw()
          gate.open()
        }
        const { ended, ...told } = await runWith(n, { fault, after })
        expect(ended).toEqual({ n, status: 'SUCCESS', output: OUTPUT, again: [] })
        isHit = told.isHit
      }
      expect(n).toBeGreaterThan(30)
    },
  )

  it('whose node is stopped at any question goes on elsewhere, and performs everything once', async () => {
    let n = 1
    for (let isHit = true; isHit; n += 1) {
      const fault: Fault = async (node, send) => {
        void node.app.stop()
        return await send()
      }
      const after: Story['after'] = async (world, _node, options) => void (await world.node(options))
      const { ended, performed, ...told } = await runWith(n, { fault, after })
      expect(ended).toEqual({ n, status: 'SUCCESS', output: OUTPUT, again: [] })
      expect({ n, performed }).toEqual({ n, performed: ONCE.toSorted() })
      isHit = told.isHit
    }
    expect(n).toBeGreaterThan(30)
  })
})
