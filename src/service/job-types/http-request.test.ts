import { Buffer } from 'node:buffer'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Env, systemEnv } from '../../clock.ts'
import type { ExecutionView } from '../../engine/app/executions.ts'
import { validate } from '../../job/type/standard-schema.ts'
import { pontual } from '../../pontual.ts'
import { memory } from '../../store/memory/memory.ts'
import { type HttpRequestOptions, httpRequest } from './http-request.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

const seen: { url: string; method: string; headers: IncomingMessage['headers']; body: string }[] = []
const answers = new Map<string, Answer>()

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  request.on('end', () => {
    const { url = '', method = '', headers } = request
    seen.push({ url, method, headers, body })
    const answer = answers.get(url)
    if (answer) answer(request, response, body)
    else response.writeHead(404).end()
  })
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  seen.length = 0
  answers.clear()
})

/** The server of this test counts as a host that may be asked. */
const here = (): HttpRequestOptions => ({
  networks: ['127.0.0.1/32'],
  ports: [port],
  resolve: () => Promise.resolve(['127.0.0.1']),
})

const at = (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`

/** How one execution ends, without retries. */
async function run(input: unknown, options: HttpRequestOptions = here()): Promise<ExecutionView> {
  const type = httpRequest(options)
  await using app = pontual({ store: memory(), jobs: [type], defaultRetry: { retries: 0 }, logger: 'silent' })
  await app.start()
  const { id } = await app.enqueue(type, input)
  return await app.waitFor(id)
}

describe('http.request', () => {
  it('asks a URL and keeps the answer', async () => {
    answers.set('/a?key=secret', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
    })
    expect(await run({ url: at('/a?key=secret') })).toMatchObject({
      status: 'SUCCESS',
      output: { url: at('/a'), status: 200, contentType: 'application/json', body: '{"ok":true}', bytes: 11 },
    })
    expect(seen).toMatchObject([{ method: 'GET', headers: { 'user-agent': 'pontual' } }])
  })

  it('sends JSON with a key that is the same in every attempt', async () => {
    answers.set('/a', (_request, response) => response.writeHead(204).end())
    const { id, status } = await run({ url: at('/a'), method: 'POST', headers: { 'X-A': '1' }, body: { n: 1 } })
    expect(status).toBe('SUCCESS')
    const headers = { 'content-type': 'application/json', 'idempotency-key': id, 'x-a': '1', 'content-length': '7' }
    expect(seen).toMatchObject([{ method: 'POST', body: '{"n":1}', headers }])
  })

  it.each([
    [404, 'NonRetryableError'],
    [301, 'NonRetryableError'],
    [503, 'PontualError'],
    [429, 'PontualError'],
  ])('fails on status %i with a %s', async (code, name) => {
    answers.set('/a', (_request, response) => response.writeHead(code).end('a body that nobody needs to see'))
    expect(await run({ url: at('/a') })).toMatchObject({
      status: 'FAILED',
      error: { name, message: `It was answered with status ${code}.` },
    })
  })

  it('takes the status it was told to expect', async () => {
    expect(await run({ url: at('/none'), expectedStatus: [404] })).toMatchObject({ status: 'SUCCESS' })
  })

  it('says that a server is away, without its address book', async () => {
    const error = {
      name: 'PontualError',
      code: 'target_unreachable',
      message: '127.0.0.1:1 cannot be reached: ECONNREFUSED.',
    }
    expect(await run({ url: 'http://127.0.0.1:1/' }, { ...here(), ports: [1] })).toMatchObject({ error })
  })
})

describe('an answer', () => {
  it.each<[string, Answer]>([
    ['larger than a megabyte', (_request, response) => response.end(Buffer.alloc(1_000_001, 'x'))],
    [
      'that unpacks to more than a megabyte',
      (_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000))),
    ],
  ])('%s is not read to its end', async (_what, answer) => {
    answers.set('/a', answer)
    expect(await run({ url: at('/a') })).toMatchObject({
      error: { name: 'NonRetryableError', message: 'The answer is larger than 1000000 bytes.' },
    })
  })

  it('in another protocol is refused', async () => {
    answers.set('/a', ({ socket }) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
    })
    expect(await run({ url: at('/a') })).toMatchObject({ error: { message: 'It was answered in another protocol.' } })
  })

  it('is unpacked', async () => {
    answers.set('/a', (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(gzipSync('hello')),
    )
    expect(await run({ url: at('/a') })).toMatchObject({ output: { body: 'hello', bytes: 5 } })
  })

  it('that drips without end is given up', async () => {
    let giveUp = () => {}
    const env: Env = {
      ...systemEnv,
      after: (delayMs, call) => {
        expect(delayMs).toBe(5_000)
        giveUp = call
        return () => {}
      },
    }
    answers.set('/a', (_request, response) => void response.writeHead(200).write('x', () => giveUp()))
    expect(await run({ url: at('/a'), timeoutSeconds: 5 }, { ...here(), env })).toMatchObject({
      error: { code: 'http.timeout', message: 'There was no whole answer within 5 s.' },
    })
  })
})

describe('a redirect', () => {
  const to = (path: string, location: string, code = 302) =>
    answers.set(path, (_request, response) => response.writeHead(code, { location }).end())

  it('is followed three times', async () => {
    for (const n of [1, 2, 3]) to(`/${n}`, `/${n + 1}`)
    answers.set('/4', (_request, response) => response.end('there'))
    expect(await run({ url: at('/1') })).toMatchObject({ status: 'SUCCESS', output: { url: at('/4') } })
    to('/0', '/1')
    expect(await run({ url: at('/0') })).toMatchObject({ error: { message: 'It was redirected more than 3 times.' } })
  })

  it.each(['http://169.254.169.254/', 'http://10.0.0.1/', 'file:///etc/passwd', 'http://127.0.0.1:1/', 'http://['])(
    'to %s is refused',
    async (location) => {
      to('/a', location)
      const { status, error } = await run({ url: at('/a') })
      expect([status, error?.name]).toEqual(['FAILED', 'NonRetryableError'])
    },
  )

  it('to another origin leaves secrets behind', async () => {
    to('/a', at('/b', 'other.example.com'), 307)
    answers.set('/b', (_request, response) => response.end())
    const headers = { authorization: 'Bearer theirs', 'x-key': 'k', accept: 'text/plain' }
    await run({ url: at('/a'), method: 'POST', headers, body: 'text' })
    expect(seen[0]?.headers).toMatchObject(headers)
    expect(seen[1]).toMatchObject({ method: 'POST', body: 'text', headers: { accept: 'text/plain' } })
    expect(seen[1]?.headers).not.toHaveProperty('authorization')
    expect(seen[1]?.headers).not.toHaveProperty('x-key')
  })

  it('after a POST becomes a GET without body', async () => {
    to('/a', '/b', 303)
    answers.set('/b', (_request, response) => response.end())
    await run({ url: at('/a'), method: 'POST', body: { n: 1 } })
    expect(seen[1]).toMatchObject({ method: 'GET', body: '' })
    expect(seen[1]?.headers).not.toHaveProperty('content-type')
  })
})

describe('a name', () => {
  it.each([[['169.254.169.254']], [['127.0.0.1', '10.0.0.1']], [['127.0.0.1', '::1']], [['::ffff:127.0.0.1']], [[]]])(
    'that stands for %j is refused, and nobody is asked',
    async (addresses) => {
      const { status } = await run(
        { url: at('/a', 'x.example.com') },
        { ...here(), resolve: () => Promise.resolve(addresses) },
      )
      expect([status, seen]).toEqual(['FAILED', []])
    },
  )

  it('is resolved once for each request, and again after a redirect', async () => {
    const asked: string[] = []
    const resolve = (host: string) => {
      asked.push(host)
      return Promise.resolve([asked.length === 1 ? '127.0.0.1' : '127.0.0.2'])
    }
    answers.set('/a', (_request, response) => response.writeHead(302, { location: at('/b', 'x.example.com') }).end())
    expect(await run({ url: at('/a', 'x.example.com') }, { ...here(), resolve })).toMatchObject({
      error: { message: 'Host "x.example.com" is not a public one.' },
    })
    expect([asked, seen.length]).toEqual([['x.example.com', 'x.example.com'], 1])
  })
})

describe('what is refused when a job is created', () => {
  it.each<[unknown, string, string]>([
    [{ url: 'http://localhost/' }, 'url', 'target_forbidden'],
    [{ url: 'https://example.com', headers: { Cookie: 'a' } }, 'headers.Cookie', 'header_forbidden'],
    [{ url: 'https://example.com', headers: { 'x-a': 'a\r\nb' } }, 'headers.x-a', 'header_forbidden'],
    [{ url: 'https://example.com', body: 'x' }, 'body', 'body_forbidden'],
  ])('%j', async (input, path, code) => {
    const { schema } = httpRequest()
    await expect(validate(schema!, input, 'payload')).rejects.toMatchObject({ details: { issues: [{ path, code }] } })
  })

  it.each([
    {},
    { url: 1 },
    { url: 'https://example.com', method: 'TRACE' },
    { url: 'https://example.com', shell: true },
  ])('%j', async (input) => {
    await expect(validate(httpRequest().schema!, input, 'payload')).rejects.toThrow('payload is invalid')
  })
})
