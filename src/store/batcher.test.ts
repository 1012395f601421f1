import { describe, expect, it } from 'vitest'
import { Batcher } from './batcher.ts'

/** A batcher whose flushes end when the test says so. */
function held(options: { maxItems?: number; maxFlushes?: number } = {}) {
  const flushes: { readonly items: readonly number[]; end(): void; fail(error: Error): void }[] = []
  const batcher = new Batcher<number, string>({
    ...options,
    flush: (items) =>
      new Promise((resolve, reject) => {
        flushes.push({
          items,
          end: () => resolve(items.map((item) => `did ${item}`)),
          fail: (error: Error) => reject(error),
        })
      }),
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { batcher, flushes, turn }
}

const items = (flushes: readonly { readonly items: readonly number[] }[]) => flushes.map((flush) => flush.items)

describe('a batcher', () => {
  it('sends what one turn adds together, and answers each with its own', async () => {
    const { batcher, flushes, turn } = held()
    const answers = Promise.all([batcher.add(1), batcher.add(2), batcher.add(3)])
    await turn()
    expect(items(flushes)).toEqual([[1, 2, 3]])
    flushes[0]?.end()
    expect(await answers).toEqual(['did 1', 'did 2', 'did 3'])
  })

  it('keeps what comes meanwhile for the next flush', async () => {
    const { batcher, flushes, turn } = held()
    const first = batcher.add(1)
    await turn()
    const others = Promise.all([batcher.add(2), batcher.add(3)])
    await turn()
    expect(items(flushes)).toEqual([[1]])
    flushes[0]?.end()
    await first
    await turn()
    expect(items(flushes)).toEqual([[1], [2, 3]])
    flushes[1]?.end()
    expect(await others).toEqual(['did 2', 'did 3'])
  })

  it('takes no more at once than it may', async () => {
    const { batcher, flushes, turn } = held({ maxItems: 2 })
    const answers = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))
    for (let index = 0; index < 3; index += 1) {
      await turn()
      flushes[index]?.end()
    }
    await answers
    expect(items(flushes)).toEqual([[1, 2], [3, 4], [5]])
  })

  it('has several flushes under way where it may', async () => {
    const { batcher, flushes, turn } = held({ maxItems: 1, maxFlushes: 2 })
    const answers = Promise.all([1, 2, 3].map((item) => batcher.add(item)))
    await turn()
    expect(items(flushes)).toEqual([[1], [2]])
    flushes[1]?.end()
    await turn()
    expect(items(flushes)).toEqual([[1], [2], [3]])
    flushes[0]?.end()
    flushes[2]?.end()
    expect(await answers).toEqual(['did 1', 'did 2', 'did 3'])
  })

  it('fails those of a flush that failed, and no others', async () => {
    const { batcher, flushes, turn } = held()
    const failed = Promise.allSettled([batcher.add(1), batcher.add(2)])
    await turn()
    const fine = batcher.add(3)
    const reason = new Error('no')
    flushes[0]?.fail(reason)
    expect(await failed).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
    await turn()
    flushes[1]?.end()
    expect(await fine).toBe('did 3')
  })

  it.each([
    ['text', 'no', 'no'],
    ['nothing', undefined, 'undefined'],
  ])('fails with an error though %s was thrown', async (_what, thrown, message) => {
    const { batcher, flushes, turn } = held()
    const failed = expect(batcher.add(1)).rejects.toThrow(message)
    await turn()
    flushes[0]?.fail(thrown as unknown as Error)
    await failed
  })

  it('fails where the flush throws at once', async () => {
    const batcher = new Batcher<number, string>({
      flush: () => {
        throw new Error('at once')
      },
    })
    await expect(batcher.add(1)).rejects.toThrow('at once')
  })
})
