import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { postgres } from '../../../src/postgres.ts'
import { startServer } from '../../harness/postgres/server.ts'
import { type Crowded, crowded } from '../torture/crowded.ts'

const CLIENTS = 200
const LASTS_MS = 60_000
const AWAY_MS = 5_000

/** 200 clients for a minute. */
describe(`${CLIENTS} clients for ${LASTS_MS / 1_000} seconds`, () => {
  it('on PGlite get no 5xx', async () => {
    const report = await crowded({ source: pglite(), clients: CLIENTS, lastsMs: LASTS_MS })
    print('PGlite', report)
    expect(report.strange).toEqual([])
    expect(failuresOf(report)).toEqual([])
  })

  it('on PostgreSQL get no 5xx', async () => {
    const server = await startServer({ version: '18', isDurable: true })
    try {
      const report = await crowded({ source: postgres(server.url), clients: CLIENTS, lastsMs: LASTS_MS })
      print('PostgreSQL', report)
      expect(report.strange).toEqual([])
      expect(failuresOf(report)).toEqual([])
    } finally {
      await server.stop()
    }
  })

  it('on PostgreSQL that is restarted in the middle get 503 with Retry-After, and then answers again', async () => {
    const server = await startServer({ version: '18', isDurable: true })
    try {
      const report = await crowded({
        source: postgres(server.url),
        clients: CLIENTS,
        lastsMs: LASTS_MS,
        meanwhile: async () => {
          await sleep(LASTS_MS / 2)
          await server.restart(() => sleep(AWAY_MS))
        },
      })
      print('PostgreSQL, restarted', report)
      expect(report.strange).toEqual([])
      expect(report.unhelpful).toBe(0)
      expect(failuresOf(report)).toEqual(['503'])
      expect(report.longestGapMs).toBeLessThan(AWAY_MS + 15_000)
    } finally {
      await server.stop()
    }
  })
})

function failuresOf({ statuses }: Crowded): string[] {
  return Object.keys(statuses).filter((status) => Number(status) >= 500 || status === '0')
}

function print(where: string, { statuses, requests, p50Ms, p99Ms, rssMb, longestGapMs, ...rest }: Crowded): void {
  const { jobs, executions, strange } = rest
  const kept = { jobs: jobs.length, executions: executions.length }
  process.stdout.write(
    `${where}: ${JSON.stringify({ requests, statuses, p50Ms, p99Ms, longestGapMs, rssMb, kept, strange })}\n`,
  )
}
