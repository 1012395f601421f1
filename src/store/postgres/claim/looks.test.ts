import { describe, expect, it } from 'vitest'
import { Looks } from './looks.ts'

/** Looks so often, each time after a while, and tells how many lanes each look asked for. */
async function othersOf(tookMs: number, afterMs: readonly number[]): Promise<number[]> {
  let now = 0
  const looks = new Looks(() => now)
  const asked: number[] = []
  for (const wait of afterMs) {
    now += wait
    await looks.take(({ others }) => {
      asked.push(others)
      now += tookMs
      return Promise.resolve()
    })
  }
  return asked
}

describe('a look at what is ready', () => {
  it.each([
    ['is quick, at other lanes too every time', 1, [0, 10, 1], [1, 1, 1]],
    ['takes a while, at other lanes too every time', 90, [0, 1_000, 1_000], [1, 1, 1]],
    ['was slow twice, at known ones until three seconds are over', 500, [0, 1_000, 1_000, 100], [1, 1, 0, 1]],
  ])('that %s', async (_name, tookMs, afterMs, lanes) => {
    expect(await othersOf(tookMs, afterMs)).toEqual(lanes)
  })
})
