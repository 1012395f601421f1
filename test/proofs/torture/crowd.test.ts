import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { postgres } from '../../../src/postgres.ts'
import { REQUEST_PATIENCE_MS } from '../../../src/service/scope.ts'
import { isPostgresSkipped } from '../../harness/postgres/database.ts'
import { startServer } from '../../harness/postgres/server.ts'
import { crowded } from './crowded.ts'

const CLIENTS = 40
const LASTS_MS = 3_000
/** What was acknowledged may take up to two minutes to run. */
const TEST_MS = 180_000
/** A request that arrives as the server stops fails before the server is back. */
const AWAY_MS = REQUEST_PATIENCE_MS + 2_000
/** For the server to stop and start, and for the crowd to be served again. */
const AFTERWARDS_MS = 8_000

it('a crowd on PGlite is served, and all it was promised is kept', { timeout: TEST_MS }, async () => {
  const { statuses, strange, requests } = await crowded({ source: pglite(), clients: CLIENTS, lastsMs: LASTS_MS })
  expect(strange).toEqual([])
  expect(Object.keys(statuses).filter((status) => Number(status) >= 500 || status === '0')).toEqual([])
  expect(requests).toBeGreaterThan(CLIENTS)
})

describe.skipIf(isPostgresSkipped())('a crowd on a PostgreSQL server that is away for long', () => {
  it('is told to come back, is served again, and all it was promised is kept', { timeout: TEST_MS }, async () => {
    const server = await startServer({ version: '18', isDurable: true })
    try {
      const { statuses, strange, unhelpful, longestGapMs } = await crowded({
        source: postgres(server.url, { deadline: 3_000 }),
        clients: CLIENTS,
        lastsMs: LASTS_MS + AWAY_MS + AFTERWARDS_MS,
        meanwhile: async () => {
          await sleep(LASTS_MS)
          await server.restart(() => sleep(AWAY_MS))
        },
      })
      expect(strange).toEqual([])
      expect(unhelpful).toBe(0)
      expect(Object.keys(statuses).filter((status) => !['200', '201', '202', '503'].includes(status))).toEqual([])
      expect(statuses[503]).toBeGreaterThan(0)
      // A gap is measured when it ends.
      expect(longestGapMs).toBeGreaterThan(AWAY_MS)
    } finally {
      await server.stop()
    }
  })
})
