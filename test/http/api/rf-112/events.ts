import { describe, expect, it } from 'vitest'
import { EventReader } from '../event-reader.ts'
import type { Company, Stage } from './stage.ts'

/** The stream of events, cut off again and again. */
export function describeEvents(at: () => Stage): void {
  const open = async ({ manager }: Company, last?: string) =>
    new EventReader(
      await manager.send('GET', '/api/jobs/events', { headers: last === undefined ? {} : { 'last-event-id': last } }),
    )

  describe('events', () => {
    it('come in order, once each, to one who is cut off while many write', async () => {
      const a = at().company()
      const first = await a.makes()
      const wanted = 24
      const writers = Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let made = 0; made < wanted / 4; made += 1) await a.makes()
        }),
      )
      const seen: number[] = []
      const jobs = new Set<unknown>()
      let last = '0'
      while (seen.length < wanted + 1) {
        const events = await open(a, last)
        // Some are read, and more may be on their way when the connection is cut.
        for (let read = 0; read < 5 && seen.length < wanted + 1; read += 1) {
          const pending = events.next()
          await at().test.advance('1s')
          const event = await pending
          if (event === null) break
          const { sequence, jobId } = event.data as { sequence: number; jobId: string }
          seen.push(sequence)
          jobs.add(jobId)
          last = event.id ?? last
        }
        await events.close()
      }
      await writers
      expect(seen).toEqual(Array.from({ length: wanted + 1 }, (_, index) => index + 1))
      expect(jobs.size).toBe(wanted + 1)
      expect(jobs).toContain(first.id)
    })

    it('tell of what ends, and hold no values', async () => {
      const a = at().company()
      const { id, name } = await a.makes()
      const { id: executionId } = await a.runs(id)
      const events = await open(a, '1')
      const event = await events.next()
      expect(event).toMatchObject({ id: '2', data: { operation: 'JOBS_JOB_EXECUTE', jobId: id, executionId } })
      expect(JSON.stringify(event)).not.toContain(name)
      await events.close()
    })

    it('begin with what happens from now on', async () => {
      const a = at().company()
      await a.makes()
      const events = await open(a)
      await events.nextBlock()
      const { id } = await a.makes()
      const pending = events.next()
      await at().test.advance('2s')
      expect(await pending).toMatchObject({ id: '2', data: { jobId: id } })
      await events.close()
    })

    it('are not for those who may not read jobs', async () => {
      const nobody = at().company().person('Admin', ['jobs:viewDashboard'])
      expect(await nobody.get('/api/jobs/events')).toMatchObject({ status: 403 })
    })
  })
}
