import { beforeEach, describe, expect, it } from 'vitest'
import { ManualEnv } from '../../test/suites/conformance/manual-env.ts'
import { RenewalLoop } from './renewal-loop.ts'

let env: ManualEnv
let asked: string[]
let lost: string[]
let changes: string[]
let answer: () => Promise<boolean>

beforeEach(() => {
  env = new ManualEnv(0)
  asked = []
  lost = []
  changes = []
  answer = () => Promise.resolve(true)
})

function begin(): RenewalLoop {
  const ask = (what: string) => () => {
    asked.push(`${what} at ${env.now()}`)
    return answer()
  }
  const lease = { renew: ask('renew'), isListed: ask('look') }
  return new RenewalLoop(env, lease, {
    intervalMs: 1_000,
    onLost: (reason) => lost.push(reason),
    onFailed: (error) => changes.push(String(error)),
    onRecovered: () => changes.push('recovered'),
  })
}

/** Moves time on in steps, with room for answers between them. */
async function pass(milliseconds: number, stepMs = 250): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += stepMs) {
    env.advance(stepMs)
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
}

describe('a lease', () => {
  it('is renewed at every turn', async () => {
    begin()
    await pass(2_000)
    expect(asked).toEqual(['renew at 1000', 'renew at 2000'])
  })

  it('is tried again soon when the store failed', async () => {
    begin()
    answer = () => Promise.reject(new Error('away'))
    await pass(1_000)
    answer = () => Promise.resolve(true)
    await pass(500)
    expect(asked).toEqual(['renew at 1000', 'renew at 1250'])
    expect(lost).toEqual([])
  })

  it('that cannot be renewed is told of once, and once when it can again', async () => {
    begin()
    await pass(1_000)
    answer = () => Promise.reject(new Error('away'))
    await pass(2_000)
    answer = () => Promise.resolve(true)
    await pass(2_000)
    expect(changes).toEqual(['Error: away', 'recovered'])
  })

  it('is lost once, when the node is no longer on the list', async () => {
    begin()
    answer = () => Promise.resolve(false)
    await pass(3_000)
    expect(asked).toEqual(['renew at 1000'])
    expect(lost).toHaveLength(1)
  })

  it('is only looked at past the time that is allowed', async () => {
    const loop = begin()
    loop.allowUntil(1_500)
    await pass(3_000)
    loop.allowUntil(null)
    await pass(1_000)
    expect(asked).toEqual(['renew at 1000', 'look at 2000', 'look at 3000', 'renew at 4000'])
  })

  it('is asked about once at a time', async () => {
    begin()
    let settle = (_isListed: boolean) => {}
    answer = () => new Promise((resolve) => (settle = resolve))
    await pass(3_000)
    settle(true)
    await pass(1_000)
    expect(asked).toEqual(['renew at 1000', 'renew at 4000'])
  })

  it('is left alone once stopped', async () => {
    const loop = begin()
    answer = () => Promise.reject(new Error('away'))
    await pass(1_000)
    await loop.stop()
    await pass(3_000)
    expect(asked).toEqual(['renew at 1000'])
  })
})
