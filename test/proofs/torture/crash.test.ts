import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { job, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { isPostgresSkipped } from '../../harness/postgres/database.ts'
import { startServer } from '../../harness/postgres/server.ts'

const CRASHES = 4
const PRODUCERS = 4
const TIMING = { staleThreshold: 4_000, renewalInterval: 500, staleCheckInterval: 1_000, pollInterval: 200 }

describe.skipIf(isPostgresSkipped())('a server that crashes and recovers, again and again', () => {
  it('loses nothing that was acknowledged, and nothing ends but once', async () => {
    const server = await startServer({ version: '18', isDurable: true })
    try {
      const work = job('work', { retry: { retries: 20, intervals: [100] }, run: () => sleep(5) })
      const store = postgres(server.url, { deadline: 3_000 })
      await using app = pontual({ store, jobs: [work], logger: 'silent', ...TIMING })
      await app.start()

      const acknowledged: string[] = []
      let isOver = false
      const producers = Array.from({ length: PRODUCERS }, async () => {
        while (!isOver) {
          // What is not acknowledged may be lost; it must say so as a store that is away.
          await app.enqueue(work).then(
            ({ id }) => acknowledged.push(id),
            (error: unknown) => expect(error).toMatchObject({ name: 'StoreUnavailableError' }),
          )
        }
      })
      for (let crash = 0; crash < CRASHES; crash += 1) {
        await sleep(500)
        await crashServer(server.url)
      }
      await sleep(500)
      // A slow machine may have acknowledged next to nothing between two crashes.
      await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(CRASHES)
      isOver = true
      await Promise.all(producers)
      // However long its last recovery takes on this machine.
      await (await connect(server.url)).end()

      const ended = await Promise.all(acknowledged.map((id) => app.waitFor(id, { timeout: '45s' })))
      expect(ended.filter(({ status }) => status !== 'SUCCESS')).toEqual([])
      for (const { attempts } of ended) expect(attempts.filter(({ status }) => status === 'SUCCESS')).toHaveLength(1)
      expect(await app.counts()).toEqual({ QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 })
    } finally {
      await server.stop()
    }
  })
})

/** A backend that is killed takes all others with it: the server drops its memory and recovers from its log. */
async function crashServer(url: string): Promise<void> {
  const client = await connect(url)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const [backend] = rows
  if (!backend) throw new Error('The server does not say which process it is.')
  process.kill(backend.pid, 'SIGKILL')
  await client.end().catch(() => {})
}

/** While it recovers from the crash before, the server refuses. */
async function connect(url: string): Promise<pg.Client> {
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch {
      await sleep(50)
    }
  }
}
