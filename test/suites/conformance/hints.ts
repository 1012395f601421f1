import { expect, it, vi } from 'vitest'
import type { Hint } from '../../../src/store/store.ts'
import type { Bench } from './bench.ts'
import { heldOf, running } from './durable-entries.ts'

/** What a store hints at that gives hints; none has to. */
export function describeHints(bench: Bench): void {
  const heard = (hint: Hint, act: () => Promise<unknown>) => async () => {
    const hints: Hint[] = []
    const stop = bench.store.listen((each) => hints.push(each))
    try {
      // A listener may still be on its way when the first hint is sent: hints are asked for until one comes.
      await vi.waitFor(
        async () => {
          await act()
          expect(hints).toContain(hint)
        },
        { timeout: 20_000, interval: 50 },
      )
    } finally {
      stop()
    }
    stop()
  }

  it(
    'hints that something may be claimed',
    heard('ready', () => bench.enqueue()),
  )
  it(
    'hints that something may fire',
    heard('jobs', () => bench.put(bench.job())),
  )
  it(
    'hints that a running execution was ended',
    heard('cancelled', async () => {
      const { executionId } = await bench.running()
      await bench.store.executions.cancel([{ id: executionId, reason: null }])
    }),
  )

  it(
    'hints that something has come for a durable execution that runs',
    heard('news', async () => {
      const { executionId } = await running(bench)
      await bench.store.histories.wake([executionId])
    }),
  )
  it(
    'hints that a durable execution that waited may be claimed',
    heard('ready', async () => {
      const held = await running(bench)
      await bench.store.histories.park([{ ...heldOf(held), dueAt: null }])
      await bench.store.histories.wake([held.executionId])
    }),
  )

  it('several may listen, and one who stopped hears nothing more', async () => {
    const [stopped, listening] = [vi.fn<(hint: Hint) => void>(), vi.fn<(hint: Hint) => void>()]
    const stop = bench.store.listen(stopped)
    const stopOther = bench.store.listen(listening)
    stop()
    await vi.waitFor(
      async () => {
        await bench.enqueue()
        expect(listening).toHaveBeenCalled()
      },
      { timeout: 20_000, interval: 50 },
    )
    stopOther()
    expect(stopped).not.toHaveBeenCalled()
  })
}
