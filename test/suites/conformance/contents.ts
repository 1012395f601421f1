import { describe, expect, it } from 'vitest'
import { ERASED } from '../../../src/job/execution/unreadable.ts'
import { ERASED_FAILURE } from '../../../src/store/contents.ts'
import { type Bench, failure, HOUR, success } from './bench.ts'
import { running, settled } from './durable-entries.ts'

const DAY = 24 * HOUR
const ABSENT = '01999999-0000-7000-8000-00000000dead'

export function describeContents(bench: Bench): void {
  const line = (held: { executionId: string; epoch: number }, sequence: number) => ({
    executionId: held.executionId,
    epoch: held.epoch,
    sequence,
    attempt: 1,
    at: bench.now,
    level: 'info' as const,
    message: 'Card 4242',
    fields: '{"card":"4242"}',
  })

  /** A durable execution with everything an execution may have, that has ended. */
  async function rich() {
    const { histories, leases, logs } = bench.store
    const held = await running(bench, { payload: '{"card":"4242"}' })
    await histories.record([{ ...held, entries: [settled(1, { input: '"4242"', output: '"4242"' })] }])
    await histories.signal([{ executionId: held.executionId, name: 'go', payload: '"4242"', idempotencyKey: 'k' }])
    await histories.checkpoint([{ ...held, state: '"4242"' }])
    await logs.append([line(held, 1), line(held, 2)])
    await leases.progress([{ ...held, fraction: 0.5, note: '4242' }])
    await leases.finish([success(held, { output: '"4242"' })])
    return held.executionId
  }

  const textsOf = async (id: string) =>
    (await bench.store.contents.read(null, 1_000)).texts.filter(({ executionId }) => executionId === id)

  describe('read', () => {
    it('gives every text of an execution, wherever it stands', async () => {
      const id = await rich()
      const places = (await textsOf(id)).map(({ table, column, part }) => `${table}.${column} ${part}`.trim())
      expect(places.filter((place) => !place.startsWith('signals')).toSorted()).toEqual([
        'checkpoints.state',
        'execution_logs.fields 1',
        'execution_logs.fields 2',
        'execution_logs.message 1',
        'execution_logs.message 2',
        'executions.payload',
        'history_entries.input 1',
        'history_entries.output 1',
        'results.output',
        'results.progress_note',
      ])
      expect(places.filter((place) => place.startsWith('signals'))).toHaveLength(1)
    })

    it('tells whose it is, and where its history began', async () => {
      const held = await running(bench, { payload: '1', options: { seed: ABSENT } })
      expect(await textsOf(held.executionId)).toMatchObject([{ tenant: 'acme', origin: ABSENT, name: null }])
    })

    it('goes through executions in the order of their ids', async () => {
      const ids = []
      for (const payload of ['1', null, '3']) ids.push((await bench.running({ payload })).executionId)
      const seen = []
      for (let after: string | null = null; ; ) {
        const page = await bench.store.contents.read(after, 1)
        if (page.last === null) break
        seen.push(page.last)
        after = page.last
      }
      expect(seen).toEqual(ids.toSorted())
    })
  })

  describe('rewrite', () => {
    it('puts other texts in place of what was seen', async () => {
      const id = await rich()
      const seen = await textsOf(id)
      const changes = seen.map(({ text: before, ...place }) => ({ ...place, before, after: '"other"' }))
      expect(await bench.store.contents.rewrite(changes)).toBe(seen.length)
      expect((await textsOf(id)).map(({ text }) => text)).toEqual(seen.map(() => '"other"'))
    })

    it('leaves alone what has changed since', async () => {
      const held = await bench.running({ payload: '1' })
      const [seen] = await textsOf(held.executionId)
      if (!seen) throw new Error('There is no text.')
      const change = { ...seen, before: seen.text, after: '"other"' }
      expect(await bench.store.contents.rewrite([{ ...change, before: '"4711"' }])).toBe(0)
      expect(await textsOf(held.executionId)).toEqual([seen])
    })
  })

  describe('erase', () => {
    it('overwrites everything that an execution took, gave and said', async () => {
      const id = await rich()
      expect(await bench.store.contents.erase(id)).toBe('erased')
      const texts = await textsOf(id)
      expect(new Set(texts.map(({ text }) => text))).toEqual(new Set([ERASED]))
      const found = await bench.find(id)
      expect(found).toMatchObject({ status: 'SUCCESS', payload: ERASED, output: ERASED, progressNote: ERASED })
      expect(await bench.store.histories.read(id)).toMatchObject([
        { status: 'COMPLETED', input: ERASED, output: ERASED },
      ])
      expect(await bench.store.logs.read({ executionId: id, limit: 9 })).toMatchObject([
        { sequence: 1, message: ERASED },
        { sequence: 2, message: ERASED },
      ])
    })

    it('overwrites the words of errors', async () => {
      const held = await bench.running()
      await bench.store.leases.retry([{ ...held, status: 'FAILED', error: failure, delayMs: 1 }])
      bench.advance(2)
      await bench.store.leases.promote(9)
      const again = await bench.claimOne(held.nodeId)
      await bench.store.leases.finish([{ ...success(again), status: 'FAILED', error: failure }])
      await bench.store.contents.erase(held.executionId)
      const { error, attempts } = await bench.find(held.executionId)
      expect([error, ...attempts.map((attempt) => attempt.error)]).toEqual([1, 2, 3].map(() => ERASED_FAILURE))
    })

    it('marks one that had nothing', async () => {
      const held = await bench.running()
      await bench.store.leases.finish([success(held)])
      expect(await bench.store.contents.erase(held.executionId)).toBe('erased')
      expect(await bench.find(held.executionId)).toMatchObject({ payload: ERASED, output: null, error: null })
    })

    it('forgets what is kept of it for others', async () => {
      const held = await bench.running()
      await bench.store.leases.finish([success(held, { output: '1' })])
      const place = { tenant: 'acme', jobType: bench.uuid(), hash: 'a'.repeat(64) }
      await bench.store.cache.put([{ ...place, executionId: held.executionId, ttlMs: HOUR }])
      await bench.store.contents.erase(held.executionId)
      expect(await bench.store.cache.find([place])).toEqual([])
    })

    it('reaches the archive', async () => {
      const { archive, contents, executions, histories, logs } = bench.store
      const id = await rich()
      const place = { tenant: 'acme', jobType: bench.uuid(), hash: 'a'.repeat(64) }
      await bench.store.cache.put([{ ...place, executionId: id, ttlMs: 400 * DAY }])
      bench.advance(200 * DAY)
      for (const part of await archive.due(90 * DAY)) {
        if (part.kind === 'executions') await archive.move(part, 90 * DAY)
      }
      await archive.moveLate(90 * DAY, 1_000)
      expect(await executions.find([id])).toEqual([])
      expect(await contents.erase(id)).toBe('erased')
      const where = { archived: true }
      expect(await executions.find([id], where)).toMatchObject([{ payload: ERASED, output: ERASED }])
      expect(await histories.read(id, where)).toMatchObject([{ input: ERASED, output: ERASED }])
      expect(await logs.read({ executionId: id, limit: 1, ...where })).toMatchObject([{ message: ERASED }])
      expect(await bench.store.cache.find([place])).toEqual([])
    })

    it('leaves others alone', async () => {
      const [id, other] = [await rich(), await rich()]
      await bench.store.contents.erase(id)
      expect(await bench.find(other)).toMatchObject({ payload: '{"card":"4242"}', output: '"4242"' })
    })

    it('of one that has not ended is refused', async () => {
      const held = await bench.running({ payload: '1' })
      expect(await bench.store.contents.erase(held.executionId)).toBe('open')
      expect(await bench.find(held.executionId)).toMatchObject({ payload: '1' })
    })

    it('of none tells so', async () => {
      expect(await bench.store.contents.erase(ABSENT)).toBe('unknown')
    })

    it('again changes nothing', async () => {
      const id = await rich()
      await bench.store.contents.erase(id)
      const before = await textsOf(id)
      expect(await bench.store.contents.erase(id)).toBe('erased')
      expect(await textsOf(id)).toEqual(before)
    })
  })
}
