import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange, statusesIn } from '../api/raw-http.ts'
import { type Headers, jobFields, openSecured, type Secured } from './world.ts'

let world: Secured
let ana: Headers
beforeAll(async () => {
  world = await openSecured({ serve: { arrivalMs: 1_200 } })
  ana = await world.bearer()
})
afterAll(() => world[Symbol.asyncDispose]())

const HOST = 'Host: 127.0.0.1\r\n'
const SMUGGLED = `GET /api/session HTTP/1.1\r\n${HOST}\r\n`

describe('S45 requests that two servers would read differently', () => {
  it.each<[string, string]>([
    [
      'a length and chunks',
      `POST /api/jobs HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST /api/jobs HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: 5\r\n\r\nhello`],
    ['a list of lengths', `POST /api/jobs HTTP/1.1\r\n${HOST}Content-Length: 0, 5\r\n\r\nhello`],
    ['xchunked', `POST /api/jobs HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    [
      'chunked, and then something',
      `POST /api/jobs HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
    ],
    [
      'chunked in two headers',
      `POST /api/jobs HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`,
    ],
    ['a space before the colon', `POST /api/jobs HTTP/1.1\r\n${HOST}Content-Length : 5\r\n\r\nhello`],
    ['a tab before the colon', `POST /api/jobs HTTP/1.1\r\n${HOST}Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n`],
    ['bare line feeds', 'GET /api/jobs HTTP/1.1\nHost: 127.0.0.1\n\n'],
    ['a bare carriage return', `GET /api/jobs HTTP/1.1\r\n${HOST}X: a\rContent-Length: 5\r\n\r\n`],
    ['a folded header', `GET /api/jobs HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`],
    ['a whole URL', `GET http://evil.example/api/jobs HTTP/1.1\r\n${HOST}\r\n`],
    ['no host', 'GET /api/jobs HTTP/1.1\r\n\r\n'],
    ['two hosts', `GET /api/jobs HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
    ['a host that is none', 'GET /api/jobs HTTP/1.1\r\nHost: a b\r\n\r\n'],
    ['a host with a path', 'GET /api/jobs HTTP/1.1\r\nHost: evil.example/x\r\n\r\n'],
    ['another version', `GET /api/jobs HTTP/3.7\r\n${HOST}\r\n`],
    ['HTTP/0.9', 'GET /api/jobs\r\n\r\n'],
    ['garbage', '\u0000\u0001\u0002\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
    ['a chunk that is none', `POST /api/jobs HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
    ['a method that is none', `G\u0000T /api/jobs HTTP/1.1\r\n${HOST}\r\n`],
  ])('%s: one answer, and the end', async (_what, bytes) => {
    const received = await exchange(world.url, Buffer.from(bytes + SMUGGLED, 'latin1'))
    expect(statusesIn(received)).toEqual([400])
    expect(received).toMatch(/connection: close/i)
    expect(received).toMatch(/application\/problem\+json/)
    expect(received).not.toContain('evil.example')
  })

  it('an upgrade is not made', async () => {
    const bytes = `GET /api/session HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`
    const received = await exchange(world.url, bytes + SMUGGLED)
    expect(statusesIn(received)).toEqual([401])
    expect(received).toMatch(/connection: close/i)
  })

  it('what follows a request in the same breath is answered, or not, as a request', async () => {
    const received = await exchange(world.url, `${SMUGGLED}not HTTP at all\r\n\r\n`)
    expect([[400], [401, 400]]).toContainEqual(statusesIn(received))
  })
})

describe('S46 kinds of content', () => {
  it.each<[string | undefined, number]>([
    ['application/json', 201],
    ['APPLICATION/JSON', 201],
    ['application/json; charset=utf-8', 201],
    ['application/json;charset=UTF-8', 201],
    ['application/json;charset=utf-7', 415],
    ['application/json;charset=utf-16', 415],
    ['application/jsonp', 415],
    ['text/json', 415],
    ['text/plain', 415],
    ['application/xml', 415],
    ['text/xml', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json, text/plain', 415],
    ['*/*', 415],
    ['', 415],
  ])('%s is answered with %i', async (type, expected) => {
    const raw = JSON.stringify(jobFields())
    const reply = await world.ask(ana, 'POST', '/api/jobs', { raw, headers: { 'content-type': type ?? '' } })
    expect(reply.status, reply.text).toBe(expected)
    if (expected !== 201) expect(reply.headers.get('content-type')).toBe('application/problem+json')
  })

  it('none at all', async () => {
    const body = JSON.stringify(jobFields())
    const { authorization = '' } = ana
    const head = `POST /api/jobs HTTP/1.1\r\n${HOST}Authorization: ${authorization}\r\nConnection: close\r\n`
    expect(statusesIn(await exchange(world.url, `${head}Content-Length: ${body.length}\r\n\r\n${body}`))).toEqual([415])
  })

  it.each<[string, number]>([
    ['text/xml', 406],
    ['text/html', 406],
    ['image/*', 406],
    ['application/json;q=0', 406],
    ['text/xml, */*;q=0.1', 200],
    ['application/*', 200],
    ['*/*', 200],
    ['', 200],
  ])('whoever takes %j gets %i', async (accept, expected) => {
    const reply = await world.ask({ ...ana, accept }, 'GET', '/api/jobs?limit=1')
    expect(reply.status).toBe(expected)
    if (expected === 406) expect(reply.headers.get('content-type')).toBe('application/problem+json')
  })
})

describe('S47 a request that is sent again', () => {
  const post = (key: string, body: object, headers = ana) =>
    world.ask({ ...headers, 'idempotency-key': key }, 'POST', '/api/jobs', { body })

  it('with another body is none', async () => {
    await post('one', jobFields())
    const { status, body } = await post('one', jobFields())
    expect([status, body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  it('at the same time makes one thing', async () => {
    const fields = jobFields()
    const replies = await Promise.all(Array.from({ length: 10 }, () => post('two', fields)))
    const ids = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.id))
    expect(ids.size).toBe(1)
    expect(new Set(replies.map(({ status }) => status))).toSatisfy((statuses: Set<number>) =>
      [...statuses].every((status) => status === 201 || status === 409),
    )
  })

  it('is another one for somebody else, and after a day', async () => {
    const [one, other] = [jobFields(), jobFields()]
    const bia = await world.bearer({ sub: 'bia', exp: world.seconds() + 200_000 })
    expect((await post('three', one)).status).toBe(201)
    expect((await post('three', other, bia)).status).toBe(201)
    await world.test.advance('25h')
    const later = await world.bearer()
    expect((await post('three', jobFields(), later)).status).toBe(201)
    ana = later
  })

  it.each(['', ' ', 'x'.repeat(10_000), 'a b', 'ä', 'a\tb'])('needs a key that is one: %j', async (key) => {
    expect((await post(key, jobFields())).status).toBe(400)
  })
})

describe('S48 somebody was faster', () => {
  it('a stale tag is refused, and nothing has changed', async () => {
    const id = await world.job(ana)
    const put = (body: object, tag?: string) =>
      world.ask({ ...ana, ...(tag !== undefined && { 'if-match': tag }) }, 'PUT', `/api/jobs/${id}`, { body })
    expect((await put({ priority: 'LOW' }, '"1"')).status).toBe(200)
    const { status, body } = await put({ priority: 'HIGH' }, '"1"')
    expect([status, body.code]).toEqual([412, 'stale_version'])
    expect((await world.ask(ana, 'GET', `/api/jobs/${id}`)).body['priority']).toBe('LOW')
    expect((await world.ask({ ...ana, 'if-match': '"1"' }, 'DELETE', `/api/jobs/${id}`)).status).toBe(412)
  })

  it.each(['1', '"a"', 'W/"1"', '"1", "2"', '""', '"1'])('%s is a tag of nothing', async (tag) => {
    const id = await world.job(ana)
    const headers = { ...ana, 'if-match': tag }
    const { status } = await world.ask(headers, 'PUT', `/api/jobs/${id}`, { body: { priority: 'LOW' } })
    expect([400, 412]).toContain(status)
  })

  it('of two who send what both have read, one is told', async () => {
    const id = await world.job(ana)
    const put = (priority: string) =>
      world.ask({ ...ana, 'if-match': '"1"' }, 'PUT', `/api/jobs/${id}`, { body: { priority } })
    const statuses = (await Promise.all([put('LOW'), put('HIGH')])).map(({ status }) => status)
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 412])
  })
})
