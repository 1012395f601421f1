import { describe, expect, it } from 'vitest'
import { Chance } from '../../harness/chance.ts'
import { MemoryWatch } from './memory-watch.ts'

const MIB = 2 ** 20
const NOISE_MIB = 0.3
const A_SECOND = 150
const LOOKS = 100

/** A process that warms up as real ones do, looked at a hundred times, and that may keep some bytes of each execution. */
function watchFor(minutes: number, leakedBytes: number): MemoryWatch {
  const chance = new Chance(1, 'noise')
  const watch = new MemoryWatch()
  for (let second = 0; second < minutes * 60; second += (minutes * 60) / LOOKS) {
    const ended = second * A_SECOND
    const warm = 28 + 1.5 * (1 - Math.exp(-second / 20)) + NOISE_MIB * chance.fraction()
    const retainedBytes = warm * MIB + leakedBytes * ended
    const rest = { rssBytes: 2 * retainedBytes, connections: 1, steals: 0, claimsMs: [] }
    watch.add('node', second / 3_600, { retainedBytes, ended, ...rest })
  }
  return watch
}

describe('memory that is watched', () => {
  it.each([1, 3, 15])('is not said to grow where it only warms up, in %d minutes', (minutes) => {
    expect(watchFor(minutes, 0).verdict().faults).toEqual([])
  })

  it.each([8, 15])('is said to grow where 100 bytes of each execution are kept, in %d minutes', (minutes) => {
    expect(watchFor(minutes, 100).verdict().faults).toEqual([expect.stringContaining('The heap of node grows')])
  })

  it('a slow leak is found by a longer look, and a shorter one leaves it open', () => {
    expect(watchFor(2, 5).verdict()).toMatchObject({
      faults: [],
      gaps: [expect.stringContaining('The heap'), expect.anything()],
    })
    expect(watchFor(120, 5).verdict().faults).toHaveLength(1)
  })
})
