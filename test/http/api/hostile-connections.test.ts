import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loggerTo } from '../../../src/logger.ts'
import { createApp } from '../../../src/server/app.ts'
import type { App } from '../../../src/server/app-options.ts'
import { expressHandler } from '../../../src/server/mount/express.ts'
import { type Served, type ServeOptions, serve } from '../../../src/server/mount/serve.ts'
import type { AuditVerdict, ServiceApi } from '../../../src/service/api.ts'
import { exchange, statusesIn } from './raw-http.ts'
import { ADMIN, nightly, openWorld, principalOf } from './world.ts'

const closers: (() => PromiseLike<unknown> | undefined)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** The API of a service of which only the audit log is there, and in which nothing happens. */
async function served(audit: Partial<ServiceApi['audit']>, options: ServeOptions = {}): Promise<Served> {
  const overview = { counters: async () => ({ running: 0, queued: 0, waiting: 0, workersUsed: 0 }) }
  const service = { audit, overview } as unknown as ServiceApi
  const app = createApp({ service, authenticate: async () => principalOf(ADMIN) })
  const found = await serve(app, { port: 0, graceMs: 100, ...options })
  closers.push(found.close)
  return found
}

const HEAD = 'Host: 127.0.0.1\r\n\r\n'

describe('an answer that fails on its way', () => {
  it('is cut off, so that nobody takes it for the whole, and tells nothing of why', async () => {
    const message = 'relation "secret_table" does not exist'
    // The adapter for Node reports the error on the console.
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    closers.push(async () => reported.mockRestore())
    const { url } = await served({
      list: async (_principal, { cursor }) => {
        if (cursor !== undefined) throw new Error(message)
        return { items: [], nextCursor: 'more' }
      },
    })
    const received = await exchange(url, `GET /api/jobs/audit-log/export HTTP/1.1\r\n${HEAD}`)
    expect(statusesIn(received)).toEqual([200])
    expect(received).not.toContain('secret_table')
    expect(reported.mock.calls).toEqual([[expect.objectContaining({ message })]])
    // The end of a chunked body.
    expect(received).not.toMatch(/\r\n0\r\n\r\n$/)
  })
})

describe('a client that goes in the middle of its request', () => {
  it.each([
    ['that said how long it is', 'Content-Length: 100\r\n\r\n{"name":'],
    ['in chunks', 'Transfer-Encoding: chunked\r\n\r\n8\r\n{"name":\r\n'],
  ])('%s has made nothing go wrong here', async (_what, rest) => {
    const logged: string[] = []
    const answers: Promise<Response>[] = []
    let isHere: () => void = () => {}
    const arrived = new Promise<void>((resolve) => {
      isHere = resolve
    })
    const app = createApp({
      service: {} as ServiceApi,
      authenticate: async () => principalOf(ADMIN),
      logger: loggerTo((_level, message) => logged.push(message)),
    })
    const watched: App = {
      close: () => app.close(),
      fetch: (request, connection) => {
        const answer = app.fetch(request, connection)
        answers.push(answer)
        setImmediate(isHere)
        return answer
      },
    }
    const { port, close } = await serve(watched, { port: 0, graceMs: 100 })
    closers.push(close)
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${rest}`)
    await arrived
    socket.resetAndDestroy()
    const [answer] = await Promise.all(answers)
    expect(await answer?.json()).toMatchObject({ status: 400, code: 'body_incomplete' })
    expect(logged).toEqual([])
  })
})

describe('a client that does not read', () => {
  /** Opens a connection, asks, and leaves what comes where it is. */
  async function stalled(port: number, text: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', readableHighWaterMark: 1 } as never)
    socket.pause()
    socket.on('error', () => {})
    closers.push(() => {
      socket.destroy()
      return undefined
    })
    await new Promise<void>((resolve) => socket.write(text, () => resolve()))
    return socket
  }

  it('is sent what fits its connection, and is let go of', async () => {
    let asked = 0
    const { port, server } = await served(
      {
        lastSequence: async () => 1_000_000,
        eventsAfter: async (_principal, after) => {
          asked += 1
          return Array.from({ length: 100 }, (_, at) => ({
            sequence: after + at + 1,
            operation: 'JOBS_JOB_EXECUTE' as const,
            jobId: crypto.randomUUID(),
            executionId: crypto.randomUUID(),
            timestamp: '2026-01-01T00:00:00.000Z',
          }))
        },
      },
      { stallMs: 300 },
    )
    const gone = new Promise<void>((resolve) => {
      server.on('connection', (socket) => socket.on('close', () => resolve()))
    })
    await stalled(port, `GET /api/jobs/events?after=0 HTTP/1.1\r\n${HEAD}`)
    await gone
    // Some megabytes at most stand in buffers, 20 kB of them with every question.
    expect(asked).toBeGreaterThan(1)
    expect(asked).toBeLessThan(1_000)
    const before = asked
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(asked).toBe(before)
  })

  it('is not one whose answer takes its time', async () => {
    let finish: () => void = () => {}
    const verify = () =>
      new Promise<AuditVerdict>((resolve) => {
        finish = () => resolve({ isIntact: true, entries: 0, hash: '' })
      })
    const { url, server } = await served({ verify }, { stallMs: 50 })
    let quietTimes = 0
    server.on('timeout', () => {
      quietTimes += 1
      if (quietTimes === 3) finish()
    })
    expect((await fetch(`${url}/api/jobs/audit-log/verify`)).status).toBe(200)
    expect(quietTimes).toBeGreaterThanOrEqual(3)
  })
})

describe('behind a parser of Express', () => {
  async function host(app: App, limit = '1mb'): Promise<string> {
    const outer = express()
    outer.use(express.json({ limit }))
    outer.use('/ops', expressHandler(app))
    const server = createServer(outer).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    closers.push(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops`
  }

  it.each<[string, string, number]>([
    ['a tower', '['.repeat(40_000) + ']'.repeat(40_000), 400],
    ['a tower of objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400],
    ['a prototype', '{"__proto__":{"profile":"Admin"}}', 400],
    [
      'a number that was changed on the way',
      '{"name":"abc","jobType":"ImportarFaturas","cronExpression":"0 2 * * *","payload":[1e400]}',
      400,
    ],
    ['NUL', '{"name":"a\\u0000b"}', 400],
    ['half a character', '{"name":"\\ud800"}', 400],
    [
      'names without end',
      JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 1]))),
      400,
    ],
  ])('%s is a problem', async (_what, body, status) => {
    const world = await openWorld()
    closers.push(() => world[Symbol.asyncDispose]())
    const url = await host(world.app)
    const answer = await fetch(`${url}/api/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-asker': JSON.stringify(ADMIN) },
      body,
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await answer.text()).length).toBeLessThan(10_000)
  })

  it('a job is made where it is told to be', async () => {
    const world = await openWorld()
    closers.push(() => world[Symbol.asyncDispose]())
    const url = await host(world.app)
    const answer = await fetch(`${url}/api/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-asker': JSON.stringify(ADMIN) },
      body: JSON.stringify(nightly()),
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toMatch(/^\/ops\/api\/jobs\//)
  })
})
