import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreSource } from '../../../src/store/store.ts'
import { EventReader, type ReadEvent } from './event-reader.ts'
import { ADMIN, type Asker, headersOf, MANAGER, nightly, openWorld, STRANGER, type World } from './world.ts'

/** Answers that go on. */
export function describeStreams(kind: string, openStore: () => StoreSource | undefined): void {
  describe(`streams on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld(openStore(), { streamsPerTenant: 3 })
    })
    afterAll(() => world[Symbol.asyncDispose]())

    const follow = (path: string, asker: Asker = ADMIN, headers: Record<string, string> = {}) =>
      EventReader.open(`${world.url}${path}`, { ...headersOf(asker), ...headers })
    const make = async (asker: Asker = ADMIN, change = {}): Promise<string> =>
      (await world.ask(asker, 'POST', '/api/jobs', { body: nightly(change) })).body.id
    const execute = async (id: string): Promise<string> =>
      (await world.ask(ADMIN, 'POST', `/api/jobs/${id}/executar`)).body.executionId

    /** Lets time go by until it comes. */
    const comes = async <Value>(coming: Promise<Value>): Promise<Value> => {
      let isHere = false
      void coming.finally(() => {
        isHere = true
      })
      while (!isHere) await world.test.advance('1s')
      return await coming
    }

    it('tell what happens to the jobs of the tenant, and of no other', async () => {
      const events = await follow('/api/jobs/events')
      expect(events.response.headers.get('content-type')).toBe('text/event-stream')
      expect(await events.nextBlock()).toBe('retry: 2000')
      await make(STRANGER)
      const jobId = await make()
      const event = await comes(events.next())
      expect(event).toMatchObject({ data: { operation: 'JOBS_JOB_CREATE', jobId } })
      expect(event).toMatchObject({ data: { sequence: Number(event?.id) } })
      expect(Object.keys(event?.data ?? {}).toSorted()).toEqual([
        'executionId',
        'jobId',
        'operation',
        'sequence',
        'timestamp',
      ])
      await events.close()
    })

    it('tell what counts at their beginning, without an id, and again when it is other', async () => {
      const id = await make(ADMIN, { jobType: 'Demorar' })
      const events = await follow('/api/jobs/events')
      const first = await events.nextCounters()
      expect(Object.keys(first ?? {}).toSorted()).toEqual(['data', 'event'])
      expect(Object.keys(first?.data ?? {})).toEqual(['running', 'queued', 'waiting', 'workersUsed'])
      const executionId = await execute(id)
      const runningOf = (event: ReadEvent | null) => (event?.data as { running: number } | undefined)?.running ?? 0
      const running = runningOf(first)
      let now = running
      while (now === running) now = runningOf(await comes(events.nextCounters()))
      expect(now).toBe(running + 1)
      const resumed = await follow('/api/jobs/events', ADMIN, { 'last-event-id': '0' })
      expect((await comes(resumed.nextCounters()))?.data).toMatchObject({ running: now })
      await world.ask(ADMIN, 'POST', `/api/jobs/executions/${executionId}/cancel`)
      while (now !== running) now = runningOf(await comes(events.nextCounters()))
      for (const each of [events, resumed]) await each.close()
    })

    it('go on where they were cut off, without a gap and without a repetition', async () => {
      const first = await follow('/api/jobs/events')
      await make()
      const { id: last = '' } = (await comes(first.next())) ?? {}
      await first.close()
      const two = await make()
      const three = await make()
      const second = await follow('/api/jobs/events', ADMIN, { 'last-event-id': last })
      expect(await comes(second.next())).toMatchObject({ data: { jobId: two } })
      expect(await comes(second.next())).toMatchObject({ data: { jobId: three } })
      await second.close()
      const third = await follow(`/api/jobs/events?after=${last}`)
      expect(await comes(third.next())).toMatchObject({ data: { jobId: two } })
      await third.close()
    })

    it('are refused a place that is none', async () => {
      for (const place of ['abc', '-1', '1.5']) {
        const { status } = await world.ask(ADMIN, 'GET', '/api/jobs/events', { headers: { 'last-event-id': place } })
        expect(status, place).toBe(400)
      }
    })

    it('show that they are alive while nothing happens', async () => {
      const events = await follow('/api/jobs/events')
      await events.nextCounters()
      const block = events.nextBlock()
      await world.test.advance('16s')
      expect(await block).toBe(': still here')
      await events.close()
    })

    it('end soon after whoever asked may not have them any more', async () => {
      const asker: Asker = { ...MANAGER, userId: 'gone soon' }
      const events = await follow('/api/jobs/events', asker)
      await events.nextBlock()
      world.revoked.add(asker.userId)
      await world.test.advance('6s')
      while ((await events.nextBlock()) !== null);
      expect((await world.ask(asker, 'GET', '/api/jobs')).status).toBe(401)
    })

    it('are few for a tenant, and do not take from another', async () => {
      const open = await Promise.all([1, 2, 3].map(() => follow('/api/jobs/events')))
      const refused = await world.ask(ADMIN, 'GET', '/api/jobs/events')
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_streams' } })
      expect(refused.headers.get('retry-after')).toBe('30')
      const other = await follow('/api/jobs/events', STRANGER)
      expect(other.response.status).toBe(200)
      for (const each of [...open, other]) await each.close()
      await expect
        .poll(async () => (await world.ask(ADMIN, 'GET', '/api/jobs/events')).status, { timeout: 5_000 })
        .toBe(200)
    })

    it('give the lines of an execution until it has ended', async () => {
      const executionId = await execute(await make(ADMIN, { payload: { month: '2026-01' } }))
      const lines = await follow(`/api/jobs/executions/${executionId}/logs/stream`)
      const line = await comes(lines.next())
      expect(line?.data).toMatchObject({ level: 'info', message: 'imported', fields: { input: { month: '2026-01' } } })
      expect(await comes(lines.next())).toEqual({ event: 'end', data: {} })
      expect(await comes(lines.next())).toBeNull()
      const rest = await follow(`/api/jobs/executions/${executionId}/logs/stream`, ADMIN, {
        'last-event-id': line?.id ?? '',
      })
      expect(await comes(rest.next())).toEqual({ event: 'end', data: {} })
    })

    it('give lines as they come', async () => {
      const executionId = await execute(await make(ADMIN, { jobType: 'Demorar' }))
      const lines = await follow(`/api/jobs/executions/${executionId}/logs/stream`)
      expect(await comes(lines.next())).toMatchObject({ data: { message: 'begun' } })
      await world.ask(ADMIN, 'POST', `/api/jobs/executions/${executionId}/cancel`)
      expect(await comes(lines.next())).toEqual({ event: 'end', data: {} })
    })

    it('end when the server closes', async () => {
      const events = await follow('/api/jobs/events')
      await events.nextBlock()
      world.app.close()
      while ((await events.nextBlock()) !== null);
    })
  })
}
