import { describe, expect, it } from 'vitest'
import type { NewRequest } from '../../../src/store/requests.ts'
import { type Bench, HOUR, MINUTE } from './bench.ts'

const TAKEOVER_MS = 30_000
const ANSWER = { status: 201, headers: { etag: '"1"', location: '/api/jobs/7' }, body: '{"é":"\\u0000"}' }

export function describeRequests(bench: Bench): void {
  function request(change: Partial<NewRequest> = {}): NewRequest {
    return {
      tenant: 'acme',
      userId: 'ana',
      key: bench.uuid(),
      fingerprint: 'POST /api/jobs 1',
      resourceId: bench.uuid(),
      takeoverMs: TAKEOVER_MS,
      ...change,
    }
  }
  /** The same as it is sent again: what it would make is another. */
  const again = (first: NewRequest, change: Partial<NewRequest> = {}) => ({
    ...first,
    resourceId: bench.uuid(),
    ...change,
  })
  const begin = (asked: NewRequest) => bench.store.requests.begin(asked)

  describe('begin', () => {
    it('a request that nobody has sent before is new', async () => {
      const first = request()
      expect(await begin(first)).toEqual({ state: 'new', resourceId: first.resourceId })
    })

    it('one that somebody is at is running', async () => {
      const first = request()
      await begin(first)
      bench.advance(TAKEOVER_MS - 1)
      expect(await begin(again(first))).toEqual({ state: 'running' })
    })

    it('one that was begun, and never finished, is resumed with what it was to make; once', async () => {
      const first = request()
      await begin(first)
      for (let round = 0; round < 2; round += 1) {
        bench.advance(TAKEOVER_MS)
        expect(await begin(again(first))).toEqual({ state: 'resumed', resourceId: first.resourceId })
        expect(await begin(again(first))).toEqual({ state: 'running' })
      }
    })

    it('one whose answer was lost on the way to who began it is his', async () => {
      const first = request()
      await begin(first)
      expect(await begin(first)).toEqual({ state: 'new', resourceId: first.resourceId })
    })

    it('one that is done gets the answer it got', async () => {
      const first = request()
      await begin(first)
      await bench.store.requests.finish(first, ANSWER)
      bench.advance(HOUR)
      expect(await begin(again(first))).toEqual({ state: 'done', answer: ANSWER })
    })

    it.each(['running', 'done'])('another request with the same key does not match one that is %s', async (state) => {
      const first = request()
      await begin(first)
      if (state === 'done') await bench.store.requests.finish(first, ANSWER)
      bench.advance(HOUR)
      expect(await begin(again(first, { fingerprint: 'POST /api/jobs 2' }))).toEqual({ state: 'mismatch' })
    })

    const scopes: [string, Partial<NewRequest>][] = [
      ['tenant', { tenant: 'globex' }],
      ['user', { userId: 'rui' }],
      ['key', { key: 'another' }],
      ['letter of the key', { key: 'É' }],
    ]
    it.each(scopes)('one of another %s has nothing to do with it', async (_case, change) => {
      const first = request({ key: 'é' })
      await begin(first)
      const other = again(first, change)
      expect(await begin(other)).toEqual({ state: 'new', resourceId: other.resourceId })
      for (const each of [first, other]) await bench.store.requests.forget(each)
    })

    it.each(['running', 'done'])('one that was %s a day ago is forgotten', async (state) => {
      const first = request()
      await begin(first)
      if (state === 'done') await bench.store.requests.finish(first, ANSWER)
      bench.advance(24 * HOUR)
      const other = again(first, { fingerprint: 'POST /api/jobs 2' })
      expect(await begin(other)).toEqual({ state: 'new', resourceId: other.resourceId })
      expect(await begin(again(other))).toEqual({ state: 'running' })
    })
  })

  describe('finish', () => {
    it('keeps the first answer', async () => {
      const first = request()
      await begin(first)
      await bench.store.requests.finish(first, ANSWER)
      await bench.store.requests.finish(first, { status: 500, headers: {}, body: '' })
      expect(await begin(again(first))).toEqual({ state: 'done', answer: ANSWER })
    })

    it('of one that is forgotten keeps nothing', async () => {
      const first = request()
      await bench.store.requests.finish(first, ANSWER)
      expect(await begin(first)).toMatchObject({ state: 'new' })
    })
  })

  describe('forget', () => {
    it('lets a request be sent again, also a changed one', async () => {
      const first = request()
      await begin(first)
      await bench.store.requests.forget(first)
      const other = again(first, { fingerprint: 'POST /api/jobs 2' })
      expect(await begin(other)).toEqual({ state: 'new', resourceId: other.resourceId })
    })

    it('leaves alone what has an answer', async () => {
      const first = request()
      await begin(first)
      await bench.store.requests.finish(first, ANSWER)
      await bench.store.requests.forget(first)
      await bench.store.requests.forget(request())
      expect(await begin(again(first))).toEqual({ state: 'done', answer: ANSWER })
    })
  })

  it('of many who send the same at once, one performs it', async () => {
    const stores = [bench.store, await bench.openAnother(), await bench.openAnother()]
    for (let round = 0; round < 5; round += 1) {
      const first = request()
      const sent = Array.from({ length: 16 }, () => again(first))
      const answers = await Promise.all(sent.map((each, n) => stores[n % stores.length]!.requests.begin(each)))
      const states = answers.map(({ state }) => state)
      expect(states.toSorted()).toEqual(['new', ...Array.from({ length: 15 }, () => 'running')])
      bench.advance(TAKEOVER_MS)
      const { resourceId } = sent[states.indexOf('new')]!
      const taken = await Promise.all(sent.map((_, n) => stores[n % stores.length]!.requests.begin(again(first))))
      expect(taken.filter(({ state }) => state !== 'running')).toEqual([{ state: 'resumed', resourceId }])
    }
  })

  it('maintain removes what is a day old, and nothing else', async () => {
    const [old, young] = [request(), request()]
    await begin(old)
    bench.advance(MINUTE)
    await begin(young)
    bench.advance(24 * HOUR - MINUTE)
    await bench.store.maintain()
    bench.advance(-MINUTE)
    expect(await begin(again(old))).toMatchObject({ state: 'new' })
    expect(await begin(again(young, { takeoverMs: 48 * HOUR }))).toEqual({ state: 'running' })
    bench.advance(MINUTE)
  })
}
