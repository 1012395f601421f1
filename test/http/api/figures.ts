import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  AgendaView,
  CalendarPreviewView,
  FailuresView,
  SeriesView,
  UpcomingView,
} from '../../../src/service/api.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { ADMIN, type Asker, nightly, openWorld, type World } from './world.ts'

/** Nobody else's figures are in its own. */
const OWN: Asker = { tenant: 'figures', userId: 'fia', profile: 'Admin' }

/** What pages and charts are drawn from. */
export function describeFigures(kind: string, openStore: () => StoreSource | undefined): void {
  describe(`figures on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld(openStore())
    })
    afterAll(() => world?.[Symbol.asyncDispose]())

    const get = async <Answer>(path: string, asker = OWN): Promise<Answer> => {
      const { status, body, text } = await world.ask(asker, 'GET', `/api/jobs/${path}`)
      expect(status, text).toBe(200)
      return body as unknown as Answer
    }
    const make = async (change: object): Promise<string> =>
      (await world.ask(OWN, 'POST', '/api/jobs', { body: nightly({ timeZone: 'UTC', ...change }) })).body.id
    const refusedAs = async (path: string, body?: object) => {
      const reply = await world.ask(OWN, body ? 'POST' : 'GET', `/api/jobs/${path}`, body && { body })
      return [reply.status, reply.body.errors?.map(({ pointer }) => pointer)]
    }

    it('tell how executions ended over time, and why some failed', async () => {
      const sum = async () => {
        const { buckets } = await get<SeriesView>('series?hours=6')
        const all = (key: 'succeeded' | 'failed') => buckets.reduce((total, bucket) => total + bucket[key], 0)
        return { succeeded: all('succeeded'), failed: all('failed') }
      }
      expect(await sum()).toEqual({ succeeded: 0, failed: 0 })
      const [good, bad] = [await make({}), await make({ jobType: 'Falhar', retryCount: 0 })]
      for (const id of [good, bad]) await world.ask(OWN, 'POST', `/api/jobs/${id}/execute`)
      while ((await sum()).succeeded + (await sum()).failed < 2) await world.test.settle()
      expect(await sum()).toEqual({ succeeded: 1, failed: 1 })
      const { items } = await get<FailuresView>('failures')
      expect(items).toMatchObject([{ errorName: 'Error', count: 1, jobCount: 1, jobs: [{ id: bad }] }])
      expect((await get<SeriesView>('series')).buckets).toHaveLength(49)
      expect((await get<FailuresView>('failures', { ...OWN, tenant: 'others' })).items).toEqual([])
    })

    it('tell how long the oldest of the queue has waited', async () => {
      const { queue } = await get<{ queue: unknown }>('dashboard')
      expect(queue).toEqual({ oldestWaitMs: null })
    })

    it('tell what fires when, and what a calendar would change', async () => {
      const definition = { type: 'weekly', weekdays: [0], timeZone: 'UTC' }
      await world.ask(OWN, 'PUT', '/api/jobs/calendars/rest', { body: { definition } })
      const jobId = await make({ cronExpression: '0 12 * * *', calendar: 'rest' })
      const from = new Date(world.test.now()).toISOString()
      const to = new Date(world.test.now() + 14 * 86_400_000).toISOString()
      const agenda = await get<AgendaView>(`agenda?from=${from}&to=${to}&bucketMinutes=1440&jobId=${jobId}`)
      expect(agenda).toMatchObject({ jobs: 1, isPartial: false, isSuspended: false, bucketMinutes: 1_440 })
      expect(agenda.buckets).toHaveLength(12)
      expect(agenda.items).toHaveLength(12)
      const upcoming = await get<UpcomingView>('upcoming?limit=100')
      expect(upcoming.items.filter((item) => item.jobId === jobId)[0]).toMatchObject({
        ...agenda.items[0],
        timeZone: 'UTC',
      })
      const preview = await world.ask(OWN, 'POST', '/api/jobs/calendars/rest/preview', {
        body: { definition: { ...definition, weekdays: [0, 6] }, days: 14 },
      })
      expect(preview.status, preview.text).toBe(200)
      expect((preview.body as unknown as CalendarPreviewView).jobs).toMatchObject([
        { jobId, removedCount: 2, addedCount: 0 },
      ])
    })

    it.each<[string, string, object | undefined, string]>([
      ['no hours', 'series?hours=0', undefined, '/hours'],
      ['too many hours', 'failures?hours=2161', undefined, '/hours'],
      ['a bucket of 7 minutes', 'agenda?bucketMinutes=7', undefined, '/bucketMinutes'],
      ['more than 45 days', 'agenda?from=2026-01-01T00:00:00Z&to=2026-02-16T00:00:00Z', undefined, '/to'],
      ['an end before the beginning', 'agenda?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', undefined, '/to'],
      ['a calendar that is none', 'calendars/rest/preview', { definition: { type: 'lunar' } }, '/definition'],
      ['more than 366 days', 'calendars/rest/preview', { definition: { type: 'weekly' }, days: 367 }, '/days'],
    ])('are refused where somebody asks for %s', async (_what, path, body, pointer) => {
      expect(await refusedAs(path, body)).toEqual([400, [pointer]])
    })

    it('are not for others than those who may see them', async () => {
      const nobody = { ...ADMIN, permissions: [] }
      for (const path of ['series', 'failures', 'upcoming', 'agenda']) {
        expect((await world.ask(nobody, 'GET', `/api/jobs/${path}`)).status, path).toBe(403)
      }
    })
  })
}
