import { describe, expect, it } from 'vitest'
import type { Principal } from '../access/principal.ts'
import { ManualEnv } from '../testing/manual-env.ts'
import { TenantFeeds } from './tenant-feed.ts'

const somebody: Principal = {
  tenant: 'a',
  userId: 'u',
  ownerId: null,
  profile: 'Admin',
  permissions: new Set(['jobs:read']),
  source: 'jwt',
}

function begin(answer: () => Promise<number>) {
  const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
  let asked = 0
  const feeds = new TenantFeeds(env, {
    lastSequence: () => {
      asked += 1
      return answer()
    },
  })
  const woken: string[] = []
  const wait = (name: string, position: number, signal = new AbortController().signal) =>
    void feeds.waitFor(somebody, position, signal).then(() => woken.push(name))
  return { env, wait, woken, asked: () => asked }
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
    expect(asked()).toBe(2)
  })

  it('asks nothing while nobody waits', async () => {
    const { env, wait, asked } = begin(() => Promise.resolve(1))
    wait('one', 0)
    await env.moveTo(60_000)
    expect(asked()).toBe(1)
  })

  it('goes on after a question that was not answered', async () => {
    let isAway = true
    const { env, wait, woken } = begin(() => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(1)))
    wait('one', 0)
    await env.moveTo(3_000)
    expect(woken).toEqual([])
    isAway = false
    await env.moveTo(4_000)
    expect(woken).toEqual(['one'])
  })

  it('lets go of whoever does not want to wait any more', async () => {
    const { env, wait, woken, asked } = begin(() => Promise.resolve(0))
    const abort = new AbortController()
    wait('one', 0, abort.signal)
    abort.abort()
    wait('late', 0, abort.signal)
    await env.moveTo(60_000)
    expect(woken).toEqual(['one', 'late'])
    expect(asked()).toBe(0)
  })
})
