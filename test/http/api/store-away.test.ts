import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { routes } from '../../../src/server/routes/routes.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { openWire } from '../../proofs/torture/place/wire.ts'
import type { Wire } from '../../proofs/torture/stage.ts'
import { EventReader } from './event-reader.ts'
import { fill, type Probe, probeOf, successOf } from './probes.ts'
import { ADMIN, APPROVER, headersOf, nightly, openWorld, type Reply, type World } from './world.ts'

/** Routes that need no store to answer. */
const ALONE: readonly string[] = ['getOpenApi', 'closeSession']

/** Both decide about the one pending change of the settings: the second finds nothing pending. */
const DECISIONS: readonly string[] = ['approveSettings', 'rejectSettings']

describe.skipIf(isPostgresSkipped())('while the database is away', () => {
  let database: TestDatabase
  let wire: Wire & AsyncDisposable
  let world: World
  beforeAll(async () => {
    database = await createDatabase()
    wire = await openWire(database.url)
    world = await openWorld(postgres(wire.url), { logger: silentLogger })
  })
  afterAll(async () => {
    wire.set('open')
    await world?.[Symbol.asyncDispose]()
    await wire?.[Symbol.asyncDispose]()
    await database?.drop()
  })

  const asked = routes.filter(({ name }) => !ALONE.includes(name))
  const probes = new Map<string, Probe>()
  const replies = new Map<string, Reply>()

  /** All at once: each takes as long as it takes to see that nobody answers. */
  const askAll = async () => {
    await Promise.all(
      asked.map(async (route) => {
        const probe = probes.get(route.name) ?? {}
        replies.set(route.name, await world.ask(APPROVER, route.method, fill(route.path, probe), probe))
      }),
    )
  }

  const untilBack = () =>
    expect.poll(async () => (await world.ask(ADMIN, 'GET', '/api/jobs')).status, { timeout: 30_000 }).toBe(200)

  it('every request is answered all the same', async () => {
    for (const route of asked) probes.set(route.name, await probeOf(world, route))
    wire.set('gone')
    await askAll()
    expect(replies.size).toBe(asked.length)
  })

  it.each(asked.map(({ name }) => name))('%s says that it is, and when to ask again', (name) => {
    const { status, headers, body, text } = replies.get(name) ?? {}
    expect(status, text).toBe(503)
    expect(body).toMatchObject({ code: 'unavailable' })
    expect(Number(headers?.get('retry-after'))).toBeLessThanOrEqual(5)
    expect(text).not.toMatch(/postgres|127\.0\.0\.1|ECONN|password/i)
  })

  it('what needs no store goes on', async () => {
    for (const route of routes.filter(({ name }) => ALONE.includes(name))) {
      expect(await world.ask(APPROVER, route.method, route.path)).toMatchObject({ status: successOf(route) })
    }
  })

  it('afterwards everything is as it was', async () => {
    wire.set('open')
    await untilBack()
    await askAll()
    for (const route of asked) {
      const accepted = DECISIONS.includes(route.name) ? [successOf(route), 409] : [successOf(route)]
      expect(accepted, route.name).toContain(replies.get(route.name)?.status)
    }
  })

  it('a stream of events goes on, if need be for one who comes back', async () => {
    const open = (headers: Record<string, string> = {}) =>
      EventReader.open(`${world.url}/api/jobs/events`, { ...headersOf(ADMIN), ...headers })
    const events = await open()
    await events.nextBlock()
    const place = /id: (\d+)/.exec((await events.nextBlock()) ?? '')?.[1] ?? ''
    wire.set('gone')
    await world.test.advance('3s')
    wire.set('open')
    await untilBack()
    const { id } = (await world.ask(ADMIN, 'POST', '/api/jobs', { body: nightly() })).body
    const pending = events.next()
    await world.test.advance('3s')
    const again = await open({ 'last-event-id': place })
    expect((await pending) ?? (await again.next())).toMatchObject({ data: { jobId: id } })
    for (const reader of [events, again]) await reader.close()
  })
})
