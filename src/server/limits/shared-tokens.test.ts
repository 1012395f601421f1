import { describe, expect, it } from 'vitest'
import { IdentityWorld } from '../../../test/http/identity/world.ts'
import { MINUTE_MS } from '../../duration.ts'
import { loggerTo, silentLogger } from '../../logger.ts'
import { memory } from '../../store/memory/memory.ts'
import type { RateStore } from '../../store/rates.ts'
import { SharedTokens } from './shared-tokens.ts'

async function stage(limit: number) {
  const world = await IdentityWorld.open()
  const { env } = world
  const { rates } = await memory().open({ env, logger: silentLogger, now: () => env.now() })
  let statements = 0
  let isAway = false
  const counted: RateStore = {
    acquire: (requests) => {
      statements += 1
      return isAway ? Promise.reject(new Error('gone')) : rates.acquire(requests)
    },
  }
  const logged: string[] = []
  const process = () =>
    new SharedTokens({
      policy: 'user',
      rule: { limit, windowMs: MINUTE_MS },
      rates: counted,
      env,
      logger: loggerTo((_level, message) => logged.push(message)),
    })
  return {
    world,
    process,
    logged,
    statements: () => statements,
    goAway: () => {
      isAway = true
    },
  }
}

async function taken(tokens: SharedTokens, times: number, name = 'ana'): Promise<number> {
  let count = 0
  for (let time = 0; time < times; time += 1) if ((await tokens.take(name)) === 0) count += 1
  return count
}

describe('tokens that processes share', () => {
  it.each([1, 20, 49])('are together %i', async (limit) => {
    const { process } = await stage(limit)
    const [one, other] = [process(), process()]
    let count = 0
    for (let turn = 0; turn < limit; turn += 1) count += (await taken(one, 2)) + (await taken(other, 1))
    expect(count).toBe(limit)
  })

  it('of a large limit are over it by a fiftieth for each process at most', async () => {
    const { process, statements } = await stage(1_000)
    const processes = [process(), process(), process()]
    let count = 0
    for (let turn = 0; turn < 1_000; turn += 1) for (const each of processes) count += await taken(each, 1)
    expect(count).toBeGreaterThanOrEqual(1_000)
    expect(count).toBeLessThanOrEqual(1_060)
    expect(statements()).toBeLessThan(90)
  })

  it('are taken all at once by those who ask all at once', async () => {
    const { process } = await stage(30)
    const [one, other] = [process(), process()]
    const waits = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => (at % 2 === 0 ? one : other).take('ana')),
    )
    expect(waits.filter((ms) => ms === 0)).toHaveLength(30)
  })

  it('are there again after the window, and not before', async () => {
    const { process, world } = await stage(20)
    const tokens = process()
    expect(await taken(tokens, 50)).toBe(20)
    expect(await tokens.take('ana')).toBe(MINUTE_MS)
    world.advance(MINUTE_MS - 1)
    expect(await taken(tokens, 5)).toBe(0)
    world.advance(1)
    expect(await taken(tokens, 50)).toBe(20)
  })

  it('that are not used are not kept for later', async () => {
    const { process, world } = await stage(20)
    const tokens = process()
    await taken(tokens, 1)
    world.advance(MINUTE_MS * 2)
    expect(await taken(tokens, 50)).toBe(20)
  })

  it('of a few requests a minute are not asked for at all', async () => {
    const { process, statements } = await stage(3_000)
    expect(await taken(process(), 60)).toBe(60)
    expect(statements()).toBe(0)
  })

  it('that are used up cost whoever is refused nothing', async () => {
    const { process, statements } = await stage(10)
    const tokens = process()
    await taken(tokens, 20)
    const before = statements()
    expect(await taken(tokens, 10_000)).toBe(0)
    expect(statements()).toBe(before)
  })

  it('of a limit that is none are never too many for a store', async () => {
    const { process, logged } = await stage(Number.MAX_SAFE_INTEGER)
    expect(await taken(process(), 100)).toBe(100)
    expect(logged).toEqual([])
  })

  it('are nobody else’s', async () => {
    const { process } = await stage(10)
    const tokens = process()
    expect(await taken(tokens, 20, 'ana')).toBe(10)
    expect(await taken(tokens, 20, 'bia')).toBe(10)
  })

  it('are given while the store is away, and that is said', async () => {
    const { process, goAway, logged, statements } = await stage(10)
    const tokens = process()
    goAway()
    expect(await taken(tokens, 100)).toBe(100)
    expect(statements()).toBe(1)
    expect(logged).toEqual(['Requests are counted by each process for itself: the store does not answer'])
  })
})
