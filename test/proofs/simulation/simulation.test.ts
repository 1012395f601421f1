import { describe, expect, it } from 'vitest'
import { isTransient } from '../../../src/store/unavailable.ts'
import { Chance } from '../../harness/chance.ts'
import { Faults } from './faults.ts'
import { REFUSALS, refusalOf } from './refusals.ts'
import { runSeed } from './run-seed.ts'
import { StoreClock } from './store-clock.ts'
import { drawConfiguration } from './swarm.ts'
import { activitiesOf } from './versions.ts'
import { VirtualTime } from './virtual-time.ts'

describe('virtual time', () => {
  it('lets things happen in order, and nothing that was called off', async () => {
    const time = new VirtualTime(1_000, new Chance(1, 'ties'))
    const seen: number[] = []
    for (const delay of [30, 10, 20]) time.after(delay, () => seen.push(time.now))
    time.after(15, () => seen.push(-1))()
    await time.runTo(1_025, () => false)
    expect([seen, time.now]).toEqual([[1_010, 1_020], 1_025])
    await time.runTo(2_000, () => false)
    expect(seen).toEqual([1_010, 1_020, 1_030])
  })

  it('puts what happens at once in another order with another seed', async () => {
    const orders = await Promise.all(
      Array.from({ length: 20 }, async (_, seed) => {
        const time = new VirtualTime(0, new Chance(seed, 'ties'))
        const seen: string[] = []
        for (const name of ['a', 'b', 'c']) time.after(5, () => seen.push(name))
        await time.runTo(10, () => false)
        return seen.join('')
      }),
    )
    expect(new Set(orders).size).toBeGreaterThan(3)
  })
})

describe('faults', () => {
  it('that are left out do not move the others', () => {
    const rates = { lost: 0.1, late: 0.1 }
    const all = new Faults(7, rates, null)
    for (let question = 1; question <= 200; question += 1) all.ofQuestion(question)
    expect(all.happened.length).toBeGreaterThan(10)
    const fewer = all.happened.filter((_, index) => index % 2 === 0)
    const again = new Faults(7, rates, fewer)
    for (let question = 1; question <= 200; question += 1) again.ofQuestion(question)
    expect(again.happened).toEqual(fewer)
  })

  it('end when all is healed', () => {
    const faults = new Faults(7, { lost: 1 }, null)
    expect(faults.ofQuestion(1)).toBe('lost')
    faults.heal()
    expect(faults.ofQuestion(2)).toBeNull()
  })
})

describe('refusals', () => {
  it.each(REFUSALS)('%s is trouble that passes, as the driver tells it', (kind) => {
    const refusal = refusalOf(kind, 'leases.claim')
    expect(isTransient(refusal)).toBe(true)
    expect(refusal.message).toContain('the simulation')
  })
})

describe('the clock of the store', () => {
  it('goes with the time, and can be set', async () => {
    const time = new VirtualTime(1_000, new Chance(1, 'ties'))
    const clock = new StoreClock(time)
    await time.runTo(2_000, () => false)
    clock.jump(-500)
    expect([clock.now, clock.wasSetAhead]).toEqual([1_500, false])
    await time.runTo(2_600, () => false)
    expect([clock.now, clock.furthestSince(2_100), clock.furthestSince(1_900)]).toEqual([2_100, 2_100, 2_100])
    clock.jump(-1_000)
    expect([clock.furthestSince(2_600), clock.aheadSince(2_100)]).toEqual([2_100, { least: -1_500, most: -500 }])
    clock.jump(3_000)
    expect([clock.now, clock.wasSetAhead]).toEqual([4_100, true])
    expect(clock.aheadSince(1_000)).toEqual({ least: -1_500, most: 1_500 })
  })
})

describe('versions of the code', () => {
  it('call what their stages say', () => {
    const asked = { steps: 2, sleepMs: 5, signals: 1, hasChild: true }
    const old = ['first', 'step 1', 'step 2', 'look at the clock', null, null, null, null, 'last']
    expect(activitiesOf('old', 'added', asked)).toEqual(old)
    expect(activitiesOf('new', 'added', asked)).toEqual(['extra', ...old])
    expect(activitiesOf('new', 'removed', asked)).toEqual(old.slice(1))
    expect(activitiesOf('new', 'renamed', asked)).toEqual(['begin', ...old.slice(1)])
  })
})

describe('a seed', () => {
  it('is the same every time', async () => {
    const runs = [await runSeed(11), await runSeed(11)]
    const told = runs.map(({ happenings, faults, trace, seen }) => ({ happenings, faults, trace, seen: [...seen] }))
    expect(told[0]?.happenings).toBeGreaterThan(100)
    expect(told[0]).toEqual(told[1])
  })

  it.each([1, 2, 3, 47])('%i holds', async (seed) => {
    const { violation, seen, finished } = await runSeed(seed)
    expect(violation).toBeNull()
    expect(finished).toBeGreaterThan(0)
    expect(seen.size).toBeGreaterThan(3)
  })

  it('draws what it is about: with and without faults, nodes, limits, durable jobs and approvals', () => {
    const drawn = Array.from({ length: 200 }, (_, seed) => drawConfiguration(seed))
    const isSeen = (fits: (each: (typeof drawn)[number]) => boolean) => drawn.filter(fits).length > 5
    expect(
      [
        isSeen(({ rates }) => Object.keys(rates).length === 0),
        isSeen(({ rates }) => Object.keys(rates).length === 1),
        isSeen(({ rates }) => Object.keys(rates).length > 4),
        isSeen(({ nodes }) => nodes === 1),
        isSeen(({ nodes }) => nodes === 7),
        isSeen(({ leaseMs }) => leaseMs === 200),
        isSeen(({ leaseMs }) => leaseMs === 60_000),
        isSeen(({ driftPpm }) => driftPpm > 0),
        isSeen(({ rates }) => rates.clockBack !== undefined),
        isSeen(({ hasTwoVersions, codeChange }) => hasTwoVersions && codeChange !== 'same'),
        isSeen(({ hasNotices }) => hasNotices),
        isSeen(({ cap }) => cap === 1),
        isSeen(({ isDurable }) => isDurable),
        isSeen(({ hasApprovals }) => hasApprovals),
        isSeen(({ skewMs }) => skewMs > 0),
      ].every(Boolean),
    ).toBe(true)
  })
})
