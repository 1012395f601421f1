import { describe, expect, it } from 'vitest'
import { firstUuidAt } from '../../../uuid.ts'
import { ClaimCursor, type Findings } from './claim-cursor.ts'

const NOBODY: ReadonlySet<number> = new Set()
const LANE = 2 ** 20

/** A cursor, and claims that found nothing, each after a while; those that look for lanes take so long. */
class Claims {
  now = 0
  readonly cursor = new ClaimCursor(() => this.now)

  constructor() {
    this.cursor.serve(['default'], ['import'])
  }

  /** Returns for how many lanes each looked. */
  claim(walkMs: number, afterMs: readonly number[]): number[] {
    return afterMs.map((wait) => {
      this.now += wait
      const begun = this.cursor.begin(10, NOBODY)
      const lanes = begun.fields.mostLanes
      if (lanes > 0) this.now += walkMs
      this.cursor.learn(begun, findings({ walkMs: lanes > 0 ? walkMs : 0 }))
      return lanes
    })
  }
}

function findings(change: Partial<Findings>): Findings {
  return {
    taken: [],
    foreignLanes: [],
    lastLane: null,
    served: null,
    limitedTenants: [],
    limitedLanes: [],
    ratedLanes: [],
    hasSeveralTenants: false,
    now: 1_000_000,
    walkMs: 0,
    isAll: true,
    hasRoom: true,
    ...change,
  }
}

describe('a claim looks for other lanes', () => {
  it.each([
    ['every time, where that is quick', 5, [0, 1, 1], [64, 64, 64]],
    ['after ten times as long, where it takes a while', 20, [0, 1, 178, 30], [64, 0, 0, 64]],
    [
      'for a fiftieth of the time, where it is slow, and whatever is claimed meanwhile',
      55,
      [0, 1, 1, 2_700, 100],
      [64, 0, 0, 0, 64],
    ],
    ['every three seconds, where it is slower', 400, [0, 1, 2_900, 200], [64, 0, 0, 64]],
    ['for a fifth of the time, where it is slowest', 2_000, [0, 1, 9_000, 1_500], [64, 0, 0, 64]],
  ])('%s', (_when, walkMs, afterMs, lanes) => {
    expect(new Claims().claim(walkMs, afterMs)).toEqual(lanes)
  })
})

describe('lanes that are dead', () => {
  const DEAD = { lane: LANE, isOurs: true, now: 5_000_000 }

  it('are asked for once, and only where a walk was slow', async () => {
    const claims = new Claims()
    const asked: unknown[] = []
    const look = () =>
      claims.cursor.lookForDead((scope) => {
        asked.push(scope)
        return Promise.resolve([])
      })
    claims.claim(10, [0])
    await look()
    expect(asked).toEqual([])
    claims.claim(200, [1_000])
    await look()
    await look()
    expect(asked).toEqual([{ queues: ['default'], jobTypes: ['import'], known: [] }])
  })

  it('are known from then on, from shortly before, and the next claim looks around again', async () => {
    const claims = new Claims()
    claims.claim(200, [0])
    await claims.cursor.lookForDead(() => Promise.resolve([DEAD, { ...DEAD, lane: 2 * LANE, isOurs: false }]))
    // The first claim is a sweep; it has ended.
    const { lanes, firstHigh: high, firstLow: low, leftOut, mostLanes } = claims.cursor.begin(10, NOBODY).fields
    expect({ lanes, leftOut, mostLanes }).toEqual({ lanes: [LANE], leftOut: [2 * LANE], mostLanes: 64 })
    expect(high).toEqual(low)
    const shortlyBefore = (DEAD.now - 2_000).toString(16).padStart(12, '0')
    expect(high).toEqual([
      expect.stringMatching(new RegExp(`^${shortlyBefore.slice(0, 8)}-${shortlyBefore.slice(8)}-`)),
    ])
  })

  it('stay known from there when nothing is claimed', async () => {
    const claims = new Claims()
    claims.claim(200, [0])
    await claims.cursor.lookForDead(() => Promise.resolve([DEAD]))
    const before = claims.cursor.begin(10, NOBODY).fields.firstHigh
    claims.claim(0, [1, 1])
    expect(claims.cursor.begin(10, NOBODY).fields.firstHigh).toEqual(before)
  })

  it('are swept for what this process makes ready again in them', async () => {
    const claims = new Claims()
    claims.claim(200, [0])
    await claims.cursor.lookForDead(() => Promise.resolve([DEAD]))
    claims.cursor.noticed(firstUuidAt(DEAD.now - 60_000), LANE)
    expect(claims.cursor.begin(10, NOBODY).isSweep).toBe(true)
  })

  it('are those of what is served now: what was found out for other job types is not learned', async () => {
    const claims = new Claims()
    claims.claim(200, [0])
    await claims.cursor.lookForDead(() => {
      claims.cursor.serve(['default'], ['export'])
      return Promise.resolve([DEAD])
    })
    expect(claims.cursor.begin(10, NOBODY).fields.lanes).toEqual([])
  })

  it('may be asked for again after that has failed, though not at once', async () => {
    const claims = new Claims()
    let asked = 0
    const look = () =>
      claims.cursor.lookForDead(() => {
        asked += 1
        claims.now += 100
        return Promise.reject(new Error('away'))
      })
    claims.claim(200, [0])
    await expect(look()).rejects.toThrow('away')
    claims.claim(200, [4_000])
    await expect(look()).rejects.toThrow('away')
    expect(asked).toBe(2)
  })

  it('that are none were chance: the next claim looks around again', async () => {
    const claims = new Claims()
    claims.claim(200, [0])
    await claims.cursor.lookForDead(() => Promise.resolve([]))
    expect(claims.claim(0, [1])).toEqual([64])
  })

  it('are not looked for again and again where that does not help', async () => {
    const claims = new Claims()
    let asked = 0
    const look = () =>
      claims.cursor.lookForDead(() => {
        asked += 1
        claims.now += 200
        return Promise.resolve([])
      })
    for (let turn = 0; turn < 10; turn += 1) {
      claims.claim(200, [100])
      await look()
    }
    expect(asked).toBe(1)
  })
})
