import { describe, expect, it } from 'vitest'
import { type JobContext, job } from '../../../src/job/type/job-type.ts'
import { Gate } from './gate.ts'
import { Processes } from './processes.ts'

async function running() {
  const all = new Processes()
  const contexts: JobContext[] = []
  const gate = new Gate()
  const work = job('work', {
    retry: { retries: 0 },
    run: async (_input, context) => {
      contexts.push(context)
      await gate.opened
      context.progress(0.99, 'almost')
      return 'done'
    },
  })
  const node = await all.node({ jobs: [work] })
  const { id } = await node.app.enqueue(work)
  await all.settle()
  const [context] = contexts
  if (!context) throw new Error('It does not run.')
  return { all, node, id, context, gate }
}

describe('progress', () => {
  it('is what the handler said last', async () => {
    const { all, node, id, context, gate } = await running()
    await using _ = all
    expect(await node.execution(id)).toMatchObject({ progress: null, progressNote: null })
    context.progress(0.25, 'a quarter')
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ progress: 0.25, progressNote: 'a quarter' })
    context.progress(0.5)
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ progress: 0.5, progressNote: null })
    gate.open()
  })

  it('survives to the result', async () => {
    const { all, node, id, gate } = await running()
    await using _ = all
    gate.open()
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', progress: 0.99, progressNote: 'almost' })
  })

  it('said a thousand times is sent a few times, and the last word wins', async () => {
    const { all, node, id, context, gate } = await running()
    await using _ = all
    for (let step = 0; step <= 1_000; step += 1) context.progress(step / 1_000, `step ${step}`)
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ progress: 1, progressNote: 'step 1000' })
    expect(node.link.asked.filter((verb) => verb === 'leases.progress').length).toBeLessThanOrEqual(3)
    gate.open()
  })

  it.each([
    ['NUL', 'a\0b', 'a␀b'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['a thousand characters and more', 'x'.repeat(2_000), `${'x'.repeat(1_000)}…`],
    ['nothing', '', ''],
  ])('may have a note of %s', async (_what, note, kept) => {
    const { all, node, id, context, gate } = await running()
    await using _ = all
    context.progress(0, note)
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ progress: 0, progressNote: kept })
    gate.open()
  })

  it.each([-0.01, 1.01, Number.NaN, Number.POSITIVE_INFINITY, '0.5', undefined])('is not %j', async (fraction) => {
    const { all, context, gate } = await running()
    await using _ = all
    expect(() => context.progress(fraction as number)).toThrow('progress must be a number from 0 to 1')
    gate.open()
  })

  it('waits for a store that is away, and the work goes on meanwhile', async () => {
    const { all, node, id, context, gate } = await running()
    await using _ = all
    node.link.isAway = true
    context.progress(0.5)
    await all.pass('10s')
    expect(context.signal.aborted).toBe(false)
    node.link.isAway = false
    await all.pass('3s')
    expect(await node.execution(id)).toMatchObject({ progress: 0.5 })
    gate.open()
    await all.settle()
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', progress: 0.99 })
  })

  it('begins anew with every attempt', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', {
      retry: { intervals: ['1s'] },
      run: async (_input, context) => {
        if (context.attempt > 1) return await gate.opened
        context.progress(0.7)
        throw new Error('again')
      },
    })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.pass('2s')
    expect(await node.execution(id)).toMatchObject({ status: 'RUNNING', attempt: 2, progress: null })
    gate.open()
  })
})

it('what a handler is given may be taken apart', async () => {
  await using all = new Processes()
  const work = job('work', {
    run: (_input, context) => {
      const { progress, logger, signal } = context as unknown as {
        progress: (fraction: number) => void
        logger: JobContext['logger']
        signal: AbortSignal
      }
      progress(0.5)
      logger.info('apart')
      return signal.aborted
    },
  })
  const node = await all.node({ jobs: [work] })
  const { id } = await node.app.enqueue(work)
  await all.settle()
  expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS', output: false, progress: 0.5 })
})
