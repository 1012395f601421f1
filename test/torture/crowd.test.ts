import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { pglite } from '../../src/pglite.ts'
import { postgres } from '../../src/postgres.ts'
import { isPostgresSkipped } from '../postgres/database.ts'
import { startServer } from '../postgres/server.ts'
import { crowded } from './crowded.ts'

const CLIENTS = 40
const LASTS_MS = 3_000

test('a crowd on PGlite is served, and all it was promised is kept', async () => {
  const { statuses, strange, requests } = await crowded({ source: pglite(), clients: CLIENTS, lastsMs: LASTS_MS })
  expect(strange).toEqual([])
  expect(Object.keys(statuses).filter((status) => Number(status) >= 500 || status === '0')).toEqual([])
  expect(requests).toBeGreaterThan(CLIENTS)
})

describe.skipIf(isPostgresSkipped())('a crowd on a PostgreSQL server that is restarted', () => {
  test('is told to come back, is served again, and all it was promised is kept', async () => {
    const server = await startServer({ version: '18', isDurable: true })
    try {
      const { statuses, strange, unhelpful } = await crowded({
        source: postgres(server.url, { deadline: 3_000 }),
        clients: CLIENTS,
        lastsMs: LASTS_MS * 3,
        meanwhile: async () => {
          await sleep(LASTS_MS)
          await server.restart(() => sleep(1_000))
        },
      })
      expect(strange).toEqual([])
      expect(unhelpful).toBe(0)
      // Nothing but that it is away is said by a service whose database is.
      expect(Object.keys(statuses).filter((status) => ['0', '500', '502', '504'].includes(status))).toEqual([])
      expect(statuses[503]).toBeGreaterThan(0)
    } finally {
      await server.stop()
    }
  })
})
