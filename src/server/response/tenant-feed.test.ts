import { describe, expect, it } from 'vitest'
import type { Principal } from '../../access/principal.ts'
import type { CountersView } from '../../service/api.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { TenantFeeds } from './tenant-feed.ts'

const somebody: Principal = {
  tenant: 'a',
  userId: 'u',
  ownerId: null,
  profile: 'Admin',
  permissions: new Set(['jobs:read']),
  source: 'jwt',
}

const IDLE: CountersView = { running: 0, queued: 0, waiting: 0, workersUsed: 0 }

function begin(answer: () => Promise<number>, count: () => Promise<CountersView> = () => Promise.resolve(IDLE)) {
  const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
  const asked = { lastSequence: 0, counters: 0 }
  const feeds = new TenantFeeds(env, {
    audit: {
      lastSequence: () => {
        asked.lastSequence += 1
        return answer()
      },
    },
    overview: {
      counters: () => {
        asked.counters += 1
        return count()
      },
    },
  })
  const woken: string[] = []
  const wait = (name: string, position: number, signal = new AbortController().signal) =>
    void feeds.waitFor(somebody, { position, counters: IDLE }, signal).then(() => woken.push(name))
  return { env, feeds, wait, woken, asked }
}

describe('a feed', () => {
  it('wakes those who have not seen the last, with one question a second for all of them', async () => {
    let last = 5
    const { env, wait, woken, asked } = begin(() => Promise.resolve(last))
    for (const name of ['one', 'two', 'three']) wait(name, 5)
    wait('behind', 4)
    await env.moveTo(1_000)
    expect(woken).toEqual(['behind'])
    last = 6
    await env.moveTo(2_000)
    expect(woken).toEqual(['behind', 'one', 'two', 'three'])
    expect(asked).toEqual({ lastSequence: 2, counters: 2 })
  })

  it('wakes all when other numbers count', async () => {
    let counters = IDLE
    const { env, wait, woken } = begin(
      () => Promise.resolve(0),
      () => Promise.resolve(counters),
    )
    for (const name of ['one', 'two']) wait(name, 0)
    await env.moveTo(2_000)
    expect(woken).toEqual([])
    counters = { ...IDLE, queued: 1 }
    await env.moveTo(3_000)
    expect(woken).toEqual(['one', 'two'])
  })

  it('counts once a second, however many ask and however often they are woken', async () => {
    let counters = IDLE
    const { env, feeds, wait, asked } = begin(
      () => Promise.resolve(0),
      () => Promise.resolve(counters),
    )
    for (let n = 0; n < 10; n += 1) expect(await feeds.counters(somebody)).toEqual(IDLE)
    expect(asked.counters).toBe(1)
    for (let second = 1; second <= 5; second += 1) {
      wait('one', 0)
      counters = { ...IDLE, running: second }
      await env.moveTo(second * 1_000)
      expect(await feeds.counters(somebody)).toEqual(counters)
      expect(asked.counters).toBe(second + 1)
    }
  })

  it('asks nothing while nobody waits', async () => {
    const { env, wait, asked } = begin(() => Promise.resolve(1))
    wait('one', 0)
    await env.moveTo(60_000)
    expect(asked).toEqual({ lastSequence: 1, counters: 1 })
  })

  it('goes on after a question that was not answered', async () => {
    let isAway = true
    const away = () => Promise.reject(new Error('away'))
    const { env, feeds, wait, woken } = begin(
      () => (isAway ? away() : Promise.resolve(1)),
      () => (isAway ? away() : Promise.resolve(IDLE)),
    )
    wait('one', 0)
    expect(await feeds.counters(somebody)).toBeNull()
    await env.moveTo(3_000)
    expect(woken).toEqual([])
    isAway = false
    await env.moveTo(4_000)
    expect(woken).toEqual(['one'])
    expect(await feeds.counters(somebody)).toEqual(IDLE)
  })

  it('lets go of whoever does not want to wait any more', async () => {
    const { env, wait, woken, asked } = begin(() => Promise.resolve(0))
    const abort = new AbortController()
    wait('one', 0, abort.signal)
    abort.abort()
    wait('late', 0, abort.signal)
    await env.moveTo(60_000)
    expect(woken).toEqual(['one', 'late'])
    expect(asked).toEqual({ lastSequence: 0, counters: 0 })
  })
})
