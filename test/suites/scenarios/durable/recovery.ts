import { describe, expect, it } from 'vitest'
import { activity } from '../../../../src/job/activity/activity.ts'
import { job } from '../../../../src/job/type/job-type.ts'
import { aborted, Gate } from '../gate.ts'
import { DurableWorld, type SourceOf, startOn } from './world.ts'

export function durableRecovery(sourceOf: SourceOf, store: string): void {
  describe('a durable run', () => {
    it('goes on where it stood when its node is lost, and performs nothing again that was recorded', async () => {
      const performed: string[] = []
      const gate = new Gate()
      const work = activity('step', {
        run: async (name: string) => {
          performed.push(name)
          if (name === 'third') await gate.opened
          return name.length
        },
      })
      const steps = job('steps', {
        durable: true,
        run: async (_: undefined, ctx) => {
          const first = await ctx.run(work, 'first')
          const [second, third] = await Promise.all([ctx.run(work, 'second'), ctx.run(work, 'third')])
          return [first, second, third, ctx.uuid(), ctx.random(), ctx.now()]
        },
      })
      await using world = new DurableWorld(sourceOf())
      const dead = await world.node({ jobs: [steps] })
      const { id } = await dead.app.enqueue(steps)
      await world.pass('1s')
      const alive = await world.node({ jobs: [steps] })
      await world.kill(dead)
      expect(performed).toEqual(['first', 'second', 'third', 'third'])
      gate.open()
      await world.pass('1s')
      expect(await alive.execution(id)).toMatchObject({
        status: 'SUCCESS',
        attempts: [{ status: 'LOST' }, { status: 'SUCCESS' }],
        output: [5, 6, 5, expect.stringMatching(/^[0-9a-f-]{36}$/), expect.any(Number), world.now() - 1_000],
      })
      expect(await alive.app.history(id)).toMatchObject([
        { name: 'step', input: 'first', attempt: 1, replayed: 1 },
        { name: 'step', input: 'second', attempt: 1, replayed: 1 },
        { name: 'step', input: 'third', attempt: 1, replayed: 0 },
      ])
    })

    it('records nothing any more on a node that has lost it', async () => {
      const gate = new Gate()
      let count = 0
      const late = job('late', {
        durable: true,
        run: (_: undefined, ctx) =>
          ctx.run('wait', async () => {
            count += 1
            const mine = count
            if (mine === 1) await gate.opened
            return mine
          }),
      })
      await using world = new DurableWorld(sourceOf())
      const slow = await world.node({ jobs: [late] })
      const { id } = await slow.app.enqueue(late)
      await world.pass('1s')
      const quick = await world.node({ jobs: [late] })
      await world.kill(slow)
      expect(await quick.execution(id)).toMatchObject({ status: 'SUCCESS', output: 2 })
      slow.thaw()
      gate.open()
      await world.pass('2s')
      expect(await quick.execution(id)).toMatchObject({ status: 'SUCCESS', output: 2, epoch: 2 })
      expect(await quick.app.history(id)).toMatchObject([{ output: 2 }])
    })

    it('goes on from memory where it woke on the node that let it go, and never reads its history', async () => {
      const codes: number[] = []
      const nap = job('nap', {
        durable: true,
        run: async (_: undefined, ctx) => {
          codes.push(1)
          await ctx.run('before', () => 1)
          await ctx.sleep('10s')
          await ctx.run('after', () => 2)
          await ctx.sleep('10s')
        },
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [nap] })
      const { id } = await node.app.enqueue(nap)
      await world.pass('30s')
      expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', epoch: 3, attempt: 1 })
      expect(codes).toEqual([1])
      const asked = node.link.asked.filter((verb) => verb.startsWith('histories.') && verb !== 'histories.resume')
      const counts = Object.fromEntries(asked.map((verb) => [verb, asked.filter((each) => each === verb).length]))
      expect(counts).toEqual({ 'histories.record': 6, 'histories.park': 2, 'histories.news': 2 })
    })

    it('takes one statement for each activity that succeeds at once', async () => {
      const ten = job('ten', {
        durable: true,
        run: async (_: undefined, ctx) => {
          for (let n = 0; n < 10; n += 1) await ctx.run('n', () => n)
        },
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [ten] })
      await node.app.enqueue(ten)
      await world.settle()
      const asked = node.link.asked.filter((verb) => /^(histories|leases\.finish)/.test(verb))
      expect(asked.filter((verb) => verb !== 'histories.resume')).toEqual([
        ...Array<string>(10).fill('histories.record'),
        'leases.finish',
      ])
    })

    it('costs no slot while it waits, however many do', async () => {
      const count = store === 'memory' ? 1_000 : 100
      const sleeper = job('sleeper', { durable: true, run: (_: number, ctx) => ctx.sleep('30d') })
      const quick = job('quick', { run: () => 'done' })
      await using t = await startOn(sourceOf(), { jobs: [sleeper, quick], node: { slots: 5 } })
      await t.app.enqueueMany(
        sleeper,
        Array.from({ length: count }, (_, n) => n),
      )
      await t.settle()
      expect(await t.app.counts()).toMatchObject({ WAITING: count, RUNNING: 0 })
      const { id } = await t.app.enqueue(quick)
      await t.settle()
      expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS' })
      await t.advance('31d')
      expect(await t.app.counts()).toMatchObject({ WAITING: 0, RUNNING: 0, QUEUED: 0 })
      const ended = await t.app.executions({ jobType: 'sleeper', statuses: ['SUCCESS'], limit: 1_000 })
      expect(ended).toHaveLength(count)
    })

    it('is parked as DIVERGED where its nodes are lost again and again without progress', async () => {
      let begun = 0
      const deadly = job('deadly', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.run('safe', () => 1)
          await ctx.run('deadly', ({ signal }) => {
            begun += 1
            return aborted(signal)
          })
        },
      })
      await using world = new DurableWorld(sourceOf())
      const watcher = await world.node()
      const { id } = await watcher.app.enqueue(deadly)
      // The first has recorded something.
      for (let lost = 0; lost < 5; lost += 1) {
        const node = await world.node({ jobs: [deadly] })
        await world.pass('1s')
        await world.kill(node)
      }
      const last = await world.node({ jobs: [deadly] })
      await world.pass('1s')
      expect(begun).toBe(5)
      expect(await last.execution(id)).toMatchObject({ status: 'DIVERGED' })
      expect(last.log.of('execution.diverged')).toMatchObject([
        { level: 'warn', fields: { executionId: id, divergence: { reason: 'noProgress', attempts: 4 } } },
      ])
      // A start alone does not take it up again: a person does.
      await world.node({ jobs: [deadly] })
      expect(await last.execution(id)).toMatchObject({ status: 'DIVERGED' })
      await last.app.resumeExecution(id)
      await world.pass('1s')
      expect(begun).toBe(6)
      expect(await last.app.cancel(id, null, { force: true })).toBe('cancelled')
    })

    it('goes on after the loss of one node, also where jobs are not retried', async () => {
      let isLost = false
      const first = job('first-lost', {
        durable: true,
        run: (_: undefined, ctx) => ctx.run('only', ({ signal }) => (isLost ? 'done' : aborted(signal))),
      })
      await using world = new DurableWorld(sourceOf())
      const options = { jobs: [first], defaultRetry: { retries: 0 } }
      const dead = await world.node(options)
      const { id } = await dead.app.enqueue(first)
      await world.pass('1s')
      isLost = true
      const alive = await world.node(options)
      await world.kill(dead)
      expect(await alive.execution(id)).toMatchObject({ status: 'SUCCESS', output: 'done' })
    })

    it('comes back to the node that lost it, which ends what it had begun, and records the second only', async () => {
      const seen: string[] = []
      const gate = new Gate()
      let begun = 0
      const back = job('comes-back', {
        durable: true,
        run: (_: undefined, ctx) =>
          ctx.run('wait', async ({ signal }) => {
            begun += 1
            const mine = begun
            seen.push(`${mine} begun`)
            signal.addEventListener('abort', () => seen.push(`${mine} aborted`))
            await gate.opened
            return mine
          }),
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [back] })
      const { id } = await node.app.enqueue(back)
      await world.pass('1s')
      node.freeze()
      const other = await world.node()
      await world.pass('8s')
      node.thaw()
      await world.pass('5s')
      expect(seen.toSorted()).toEqual(['1 aborted', '1 begun', '2 begun'])
      gate.open()
      await world.pass('1s')
      expect(await other.execution(id)).toMatchObject({ status: 'SUCCESS', output: 2, epoch: 2 })
    })

    it('begins nothing that another has done, when its node has stood still for longer than its lease', async () => {
      const performed: string[] = []
      const answered = new Gate()
      const paused = job('paused', {
        durable: true,
        run: async (_: undefined, ctx) => {
          for (const name of ['first', 'second', 'third']) await ctx.run(name, () => void performed.push(name))
        },
      })
      await using world = new DurableWorld(sourceOf())
      const slow = await world.node({ jobs: [paused] })
      slow.link.intercept = async (verb, send) => {
        const answer = await send()
        if (verb !== 'histories.record') return answer
        slow.freeze()
        await answered.opened
        return answer
      }
      const { id } = await slow.app.enqueue(paused)
      await world.pass('1s')
      const quick = await world.node({ jobs: [paused] })
      await world.pass('8s')
      expect(await quick.execution(id)).toMatchObject({ status: 'SUCCESS' })
      // What it waited for comes first, and only then what it has missed.
      answered.open()
      await world.settle()
      slow.thaw()
      await world.pass('2s')
      expect(performed).toEqual(['first', 'second', 'third'])
    })

    it('is handed back at once when its node stops, and what is under way ends first', async () => {
      const gate = new Gate()
      const performed: string[] = []
      const moving = job('moving', {
        durable: true,
        run: async (_: undefined, ctx) => {
          await ctx.run('one', async () => {
            performed.push('one')
            await gate.opened
          })
          await ctx.run('two', () => void performed.push('two'))
        },
      })
      const waiting = job('waiting-short', { durable: true, run: (_: undefined, ctx) => ctx.sleep(200) })
      await using world = new DurableWorld(sourceOf())
      const first = await world.node({ jobs: [moving, waiting] })
      const { id } = await first.app.enqueue(moving)
      const idle = await first.app.enqueue(waiting)
      await world.settle()
      const before = world.now()
      const stopping = first.app.stop()
      await world.settle()
      gate.open()
      await world.settle()
      await stopping
      expect(world.now()).toBe(before)
      expect(performed).toEqual(['one'])
      const second = await world.node({ jobs: [moving, waiting] })
      await world.pass('1s')
      expect(performed).toEqual(['one', 'two'])
      expect(await second.execution(id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
      expect(await second.execution(idle.id)).toMatchObject({ status: 'SUCCESS', attempt: 1 })
    })

    it.each(['record', 'park', 'news', 'startChildren', 'continueAs'])(
      'comes to the same end where the answer to %s is lost',
      async (verb) => {
        const performed: string[] = []
        const child = job(`child-${verb}`, { run: () => 'child' })
        const all = job(`all-${verb}`, {
          durable: true,
          run: async (round: number, ctx) => {
            const perform = (name: string) => ctx.run(name, () => void performed.push(`${name} ${round}`))
            await Promise.all([perform('a'), perform('b')])
            const output = await ctx.call(child)
            await ctx.sleep('2s')
            await perform('c')
            if (round === 1) return await ctx.continueAs(2)
            return [output, await ctx.signal('go')]
          },
        })
        await using world = new DurableWorld(sourceOf())
        const node = await world.node({ jobs: [all, child] })
        for (let times = 0; times < 3; times += 1) node.link.loseAnswerOf(`histories.${verb}`)
        const { id } = await node.app.enqueue(all, 1)
        await world.pass('15s')
        await node.app.signal(id, 'go', 1)
        await world.pass('5s')
        expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: ['child', 1] })
        expect(performed).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2', 'c 2'])
        expect(await node.app.executions({ jobType: child.id })).toHaveLength(2)
      },
    )

    it('survives a store that is away for a while', async () => {
      const performed: number[] = []
      const through = job('through', {
        durable: true,
        run: async (_: undefined, ctx) => {
          for (let n = 0; n < 3; n += 1) {
            await ctx.run('n', () => void performed.push(n))
            await ctx.sleep('1s')
          }
        },
      })
      await using world = new DurableWorld(sourceOf())
      const node = await world.node({ jobs: [through], staleThreshold: '60s' })
      const { id } = await node.app.enqueue(through)
      await world.pass('1s')
      node.link.isAway = true
      await world.pass('10s')
      node.link.isAway = false
      await world.pass('10s')
      expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS' })
      expect(performed).toEqual([0, 1, 2])
    })
  })
}
