import { expect, test } from 'vitest'
import type { Env } from '../../clock.ts'
import { LeaseRenewal } from './lease-renewal.ts'

/** A renewal whose timer goes off by hand, and what it did. */
function begin() {
  let time = 0
  let call = () => {}
  let isListed: () => Promise<boolean> = () => Promise.resolve(true)
  const asked: string[] = []
  const lost: string[] = []
  let isCancelled = false
  const env: Env = {
    now: () => time,
    monotonic: () => time,
    after: () => () => {},
    every: (_intervalMs, onTick) => {
      call = onTick
      return () => {
        isCancelled = true
      }
    },
    random: () => 0,
    uuid: () => '',
  }
  const ask = (question: string) => () => {
    asked.push(question)
    return isListed()
  }
  const request = { nodeId: 'node', leaseMs: 30, intervalMs: 5, onLost: (reason: string) => lost.push(reason) }
  const renewal = new LeaseRenewal(env, request, { renew: ask('renew'), isListed: ask('look') })
  return {
    renewal,
    asked,
    lost,
    isCancelled: () => isCancelled,
    answer: (next: () => Promise<boolean>) => {
      isListed = next
    },
    tick: async (afterMs = 5) => {
      time += afterMs
      call()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('a lease is renewed at every tick', async () => {
  const { tick, asked, lost } = begin()
  await tick()
  await tick()
  expect(asked).toEqual(['renew', 'renew'])
  expect(lost).toEqual([])
})

test('a node that is off the list is lost once, and nothing is renewed from then on', async () => {
  const { tick, answer, asked, lost, isCancelled } = begin()
  answer(() => Promise.resolve(false))
  await tick()
  await tick()
  expect(asked).toEqual(['renew'])
  expect(lost).toHaveLength(1)
  expect(isCancelled()).toBe(true)
})

test('a renewal that fails is made again at the next tick', async () => {
  const { tick, answer, asked, lost } = begin()
  answer(() => Promise.reject(new Error('away')))
  await tick()
  answer(() => Promise.resolve(true))
  await tick()
  expect(asked).toEqual(['renew', 'renew'])
  expect(lost).toEqual([])
})

test('past the time that is allowed the lease is only looked at, until more is allowed', async () => {
  const { renewal, tick, asked } = begin()
  renewal.allowUntil(7)
  await tick()
  await tick()
  renewal.allowUntil(10)
  await tick()
  renewal.allowUntil(null)
  await tick(1_000)
  expect(asked).toEqual(['renew', 'look', 'renew', 'renew'])
})

test('past the time that is allowed a node still finds out that it is off the list', async () => {
  const { renewal, tick, answer, lost } = begin()
  renewal.allowUntil(0)
  answer(() => Promise.resolve(false))
  await tick()
  expect(lost).toHaveLength(1)
})

test('stopping waits for the renewal under way, and says nothing of a loss', async () => {
  const { renewal, tick, answer, lost } = begin()
  let settle: (isListed: boolean) => void = () => {}
  answer(() => new Promise((resolve) => (settle = resolve)))
  await tick()
  let isStopped = false
  const stopping = renewal.stop().then(() => {
    isStopped = true
  })
  await tick()
  expect(isStopped).toBe(false)
  settle(false)
  await stopping
  expect(lost).toEqual([])
})
