import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EchoApp, type Heard } from '../../../test/http/mount/echo-app.ts'
import { type Served, type ServeOptions, serve } from './serve.ts'

let app: EchoApp
let served: Served | null = null

beforeEach(() => {
  app = new EchoApp()
})
afterEach(async () => {
  await served?.close()
  served = null
})

async function start(options: ServeOptions = {}): Promise<Served> {
  served = await serve(app, { port: 0, graceMs: 100, ...options })
  return served
}

/** Sends bytes as they are, and gives everything that comes back until the connection ends. */
function send({ port }: Served, ...parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
    })
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      received += String(text)
    })
    socket.on('close', () => resolve(received))
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)))
  })
}

/** The statuses of all answers in what came back. */
const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

const HEAD = 'Host: 127.0.0.1\r\n'

describe('a request that is not HTTP as it should be', () => {
  it.each<[string, string, number]>([
    ['a URL of 64 kB', `GET /api/jobs?q=${'x'.repeat(65_536)} HTTP/1.1\r\n${HEAD}\r\n`, 414],
    ['a URL of 9 kB', `GET /api/jobs?q=${'x'.repeat(9_000)} HTTP/1.1\r\n${HEAD}\r\n`, 414],
    ['a header of 20 kB', `GET /api/jobs HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a header of 200 kB', `GET /api/jobs HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(200_000)}\r\n\r\n`, 431],
    ['a thousand headers', `GET /api/jobs HTTP/1.1\r\n${HEAD}${'X: y\r\n'.repeat(1_000)}\r\n`, 431],
    ['a hundred thousand headers', `GET /api/jobs HTTP/1.1\r\n${HEAD}${'X: y\r\n'.repeat(100_000)}\r\n`, 431],
    [
      'length and chunks',
      `POST /api/jobs HTTP/1.1\r\n${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['two lengths', `POST /api/jobs HTTP/1.1\r\n${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`, 400],
    ['an encoding nobody knows', `POST /api/jobs HTTP/1.1\r\n${HEAD}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, 400],
    ['a space before the colon', `GET /api/jobs HTTP/1.1\r\nHost : 127.0.0.1\r\n\r\n`, 400],
    ['a whole URL for a path', `GET http://evil.example/api/jobs HTTP/1.1\r\n${HEAD}\r\n`, 400],
    ['no host', 'GET /api/jobs HTTP/1.1\r\n\r\n', 400],
    ['a host that is none', 'GET /api/jobs HTTP/1.1\r\nHost: a b/c@d\r\n\r\n', 400],
    ['HTTP of 1991', 'GET /api/jobs\r\n\r\n', 400],
    ['garbage', 'hello\r\n\r\n', 400],
  ])('%s is refused as a problem, and the connection ends', async (_, text, status) => {
    const received = await send(await start(), text)
    expect(statuses(received)).toEqual([status])
    expect(received).toMatch(/content-type: application\/problem\+json/i)
    expect(received).toMatch(/x-content-type-options: nosniff/i)
    const problem = JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>
    expect(problem['status']).toBe(status)
    expect(problem['trace_id']).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify(problem)).not.toContain('evil')
  })

  it('garbage after a request ends the connection, and is answered once at most', async () => {
    const good = `GET /api/jobs HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`
    const received = await send(await start(), `${good}GARBAGE\r\n\r\n`)
    expect(statuses(received)).toSatisfy((all: number[]) => all.length === 1)
  })

  it('a request that offers another protocol is answered in this one', async () => {
    const received = await send(
      await start(),
      `GET /api/jobs HTTP/1.1\r\n${HEAD}Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
    )
    expect(statuses(received)).toEqual([200])
  })

  it.each([
    ['headers that do not end', `GET /api/jobs HTTP/1.1\r\n${HEAD}X: `],
    [
      'a body that does not come',
      `POST /api/jobs HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    ],
  ])('%s are not waited for', async (_, text) => {
    expect(statuses(await send(await start({ arrivalMs: 300 }), text))).toEqual([408])
  })
})

describe('where it listens', () => {
  it('is this machine, unless it is told otherwise', async () => {
    const { url, port } = await start()
    expect(url).toBe(`http://127.0.0.1:${port}`)
    expect(((await (await fetch(`${url}/api/jobs`)).json()) as Heard).address).toBe('127.0.0.1')
  })

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.com'])('is never %s in development', async (hostname) => {
    await expect(start({ hostname, isLoopbackOnly: true })).rejects.toThrow('Pontual listens on this machine only')
  })

  it.each(['127.0.0.1', 'localhost', '::1'])('may be %s in development', async (hostname) => {
    const { url } = await start({ hostname, isLoopbackOnly: true })
    expect((await fetch(`${url}/api/jobs`)).status).toBe(200)
  })

  it('has to be free', async () => {
    const { port } = await start()
    await expect(serve(app, { port })).rejects.toThrow('EADDRINUSE')
  })
})

describe('whoever asks for nothing but the server', () => {
  it.each([
    ['/', '', './jobs/'],
    ['/?x=1', '', './jobs/'],
    ['/ops/', '/ops', './jobs/'],
    ['/ops', '/ops', './ops/jobs/'],
    ['/a/ops', '/a/ops', './ops/jobs/'],
  ])('at %s under "%s" is led to the dashboard', async (path, prefix, location) => {
    app = new EchoApp({ hasDashboard: true })
    const { url } = await start({ prefix })
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(url + path, { method, redirect: 'manual' })
      expect([answer.status, answer.headers.get('location')]).toEqual([302, location])
    }
    expect((await fetch(url + path, { method: 'POST', redirect: 'manual' })).status).toBe(404)
  })

  it('finds nothing where there is none', async () => {
    expect((await fetch((await start()).url)).status).toBe(404)
  })
})

describe('behind proxies of one’s own', () => {
  it.each<[number, string, string]>([
    [0, '198.51.100.1', '127.0.0.1'],
    [1, '198.51.100.1', '198.51.100.1'],
    [1, '10.9.9.9, 198.51.100.1', '198.51.100.1'],
    [2, '10.9.9.9, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
    [2, '198.51.100.1', '127.0.0.1'],
    [1, '', '127.0.0.1'],
  ])('%i of them, and "%s" come from %s', async (trustedProxies, forwarded, expected) => {
    const { url } = await start({ trustedProxies })
    const answer = await fetch(`${url}/api/jobs`, { headers: { 'x-forwarded-for': forwarded } })
    expect(((await answer.json()) as Heard).address).toBe(expected)
  })
})

describe('closing', () => {
  it('ends streams, and resolves once nothing is open', async () => {
    const { url, close, server } = await start({ graceMs: 60_000 })
    const answer = await fetch(`${url}/api/jobs/stream`)
    const text = answer.text()
    await close()
    expect(app.isClosed).toBe(true)
    expect(await text).toBe('id: 1\n\n')
    expect(server.listening).toBe(false)
    await expect(fetch(`${url}/api/jobs`)).rejects.toThrow('fetch failed')
  })

  it('waits for a request that is under way', async () => {
    const { port, close } = await start({ graceMs: 60_000 })
    const isHere = new Promise<void>((resolve) => served!.server.once('request', () => resolve()))
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('utf8')
    socket.write(`POST /api/jobs HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\nhel`)
    await isHere
    const closing = close()
    socket.write('lo')
    const received = await new Promise<string>((resolve) => {
      let all = ''
      socket.on('data', (text) => {
        all += String(text)
      })
      socket.on('close', () => resolve(all))
    })
    await closing
    expect(statuses(received)).toEqual([201])
    expect(received).toContain('"body":"hello"')
  })

  it('does not wait for ever', async () => {
    const { port, close } = await start({ graceMs: 50 })
    const isHere = new Promise<void>((resolve) => served!.server.once('request', () => resolve()))
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`POST /api/jobs HTTP/1.1\r\n${HEAD}Content-Length: 5\r\n\r\nhel`)
    await isHere
    await close()
    expect(served?.server.listening).toBe(false)
  })
})
