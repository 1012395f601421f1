import { describe, expect, it } from 'vitest'
import { ManualEnv } from './manual-env.ts'

const make = (seed = 1, isBusy = () => false) => new ManualEnv({ startAt: 1_000, seed, isBusy })

describe('time by hand', () => {
  it('stands still until it is moved', async () => {
    const env = make()
    expect([env.now(), env.monotonic()]).toEqual([1_000, 1_000])
    await env.moveTo(2_500)
    expect([env.now(), env.monotonic()]).toEqual([2_500, 2_500])
  })

  it('does not go back', async () => {
    const env = make()
    await env.moveTo(500)
    expect(env.now()).toBe(1_000)
  })

  it('goes from timer to timer, in order, those of one instant in the order they were set', async () => {
    const env = make()
    const calls: [string, number][] = []
    const set = (name: string, delayMs: number) => env.after(delayMs, () => calls.push([name, env.now()]))
    set('late', 300)
    set('first', 100)
    set('second', 100)
    set('never', 301)
    await env.moveTo(1_300)
    expect(calls).toEqual([
      ['first', 1_100],
      ['second', 1_100],
      ['late', 1_300],
    ])
  })

  it.each([
    [0, 1_000],
    [-5, 1_000],
    [0.2, 1_001],
  ])('a timer of %d ms goes off at %d', async (delayMs, at) => {
    const env = make()
    let calledAt: number | null = null
    env.after(delayMs, () => {
      calledAt = env.now()
    })
    expect(calledAt).toBeNull()
    await env.moveTo(2_000)
    expect(calledAt).toBe(at)
  })

  it('lets a timer set others on the way', async () => {
    const env = make()
    const times: number[] = []
    const again = () => {
      times.push(env.now())
      if (times.length < 5) env.after(100, again)
    }
    env.after(100, again)
    await env.moveTo(1_450)
    expect(times).toEqual([1_100, 1_200, 1_300, 1_400])
  })

  it('lets what a timer began end before the next one', async () => {
    const env = make()
    const order: string[] = []
    env.after(10, () => {
      void (async () => {
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
        order.push('begun by the first')
      })()
    })
    env.after(20, () => order.push('second'))
    await env.moveTo(2_000)
    expect(order).toEqual(['begun by the first', 'second'])
  })

  it('forgets a timer that is called off, also a second time and afterwards', async () => {
    const env = make()
    let calls = 0
    const count = () => {
      calls += 1
    }
    const cancelled = env.after(10, count)
    cancelled()
    cancelled()
    const done = env.after(20, count)
    await env.moveTo(2_000)
    done()
    expect(calls).toBe(1)
  })

  it('calls what repeats once for a long stretch', async () => {
    const env = make()
    const times: number[] = []
    const stop = env.every(100, () => times.push(env.now()))
    await env.moveTo(1_099)
    expect(times).toEqual([])
    await env.moveTo(1_100)
    await env.moveTo(5_000)
    expect(times).toEqual([1_100, 5_000])
    stop()
    await env.moveTo(9_000)
    expect(times).toHaveLength(2)
  })

  it('calls what repeats at timers on the way too', async () => {
    const env = make()
    const times: number[] = []
    env.every(100, () => times.push(env.now()))
    env.after(150, () => {})
    env.after(180, () => {})
    await env.moveTo(1_400)
    expect(times).toEqual([1_150, 1_400])
  })

  it('waits for what goes on turn by turn', async () => {
    const env = make()
    let turns = 0
    const again = () => {
      turns += 1
      if (turns < 5_000) env.nextTurn(again)
    }
    env.nextTurn(again)
    await env.settle()
    expect(turns).toBe(5_000)
  })

  it('waits for what is under way, though not for ever', async () => {
    let turns = 0
    const env = make(1, () => {
      turns += 1
      return turns < 500
    })
    await env.settle()
    expect(turns).toBeGreaterThanOrEqual(500)
    await make(1, () => true).settle()
  })

  it('waits for a server however many turns it takes', async () => {
    let turns = 0
    const isBusy = () => {
      turns += 1
      return turns < 10_000
    }
    const env = new ManualEnv({ startAt: 1_000, seed: 1, isBusy, isServerAsked: () => turns < 10_000 })
    await env.settle()
    expect(turns).toBeGreaterThanOrEqual(10_000)
  })
})

describe('chance by hand', () => {
  it('is the same for the same seed, and another for another', () => {
    const draw = (seed: number) => {
      const env = make(seed)
      return [env.random(), env.random(), env.uuid(1_000)]
    }
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
  })

  it('is spread evenly from 0 up to 1', () => {
    const { random } = make(3)
    const tenths = Array.from({ length: 10 }, () => 0)
    for (let index = 0; index < 10_000; index += 1) {
      const tenth = Math.floor(random() * 10)
      tenths[tenth] = (tenths[tenth] ?? Number.NaN) + 1
    }
    expect(tenths).toHaveLength(10)
    expect(tenths.every((count) => count > 900 && count < 1_100)).toBe(true)
  })
})
