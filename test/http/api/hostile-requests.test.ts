import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problemView } from '../../../src/server/routes/openapi.ts'
import { exchange, statusesIn } from './raw-http.ts'
import { ADMIN, type AskOptions, DEVELOPER, nightly, openWorld, type Reply, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
// Fails where anything was answered with 500.
afterAll(() => world[Symbol.asyncDispose]())

const ask = (method: string, path: string, options?: AskOptions) => world.ask(ADMIN, method, path, options)

/** A problem that gives little for much. */
function expectShortProblem(reply: Reply, status: number): void {
  expect(reply.status, reply.text.slice(0, 500)).toBe(status)
  expect(problemView.strict().parse(reply.body).status).toBe(status)
  expect(reply.text.length).toBeLessThan(10_000)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
}

const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, at) => item(at))
const long = 'x'.repeat(50_000)

describe('a request that is wrong in very many places', () => {
  it.each<[string, string, string, AskOptions]>([
    ['names', 'POST', '/api/jobs', { body: Object.fromEntries(many(49_000, (at) => [`k${at}`, at])) }],
    [
      'names of a setting',
      'PUT',
      '/api/jobs/settings',
      { body: Object.fromEntries(many(9_000, (at) => [`k${at}`, 1])) },
    ],
    ['tags', 'POST', '/api/jobs', { body: nightly({ tags: many(300_000, () => 1) }) }],
    ['addresses', 'PUT', '/api/jobs/settings', { body: { adminAddresses: many(300_000, () => 1) } }],
    ['webhooks', 'PUT', '/api/jobs/settings', { body: { webhooks: many(100_000, () => ({})) } }],
    [
      'events of a webhook',
      'PUT',
      '/api/jobs/settings',
      { body: { webhooks: [{ url: 'https://example.com', events: many(300_000, () => 1) }] } },
    ],
    [
      'permissions',
      'POST',
      '/api/jobs/api-keys',
      { body: { name: 'abc', profile: 'Admin', permissions: many(200_000, () => 1) } },
    ],
    ['parameters', 'GET', `/api/jobs?${'a&'.repeat(3_900)}`, {}],
    ['unknown parameters', 'GET', `/api/jobs?${many(1_000, (at) => `p${at}`).join('&')}`, {}],
    ['statuses', 'GET', `/api/jobs?status=${'X,'.repeat(3_000)}`, {}],
  ])('is told of a few of them: %s', async (_what, method, path, options) => {
    expectShortProblem(await ask(method, path, options), 400)
  })

  it('is told how many there are', async () => {
    const { body } = await ask('POST', '/api/jobs', {
      body: nightly(Object.fromEntries(many(200, (at) => [`k${at}`, 1]))),
    })
    expect(body['detail']).toBe('200 fields are invalid, of which the first 50 are named.')
    expect(body.errors).toHaveLength(50)
    expect(body.code).toBe('unknown_field')
  })
})

describe('a value that is very long', () => {
  it.each<[string, Record<string, unknown>]>([
    ['name', { name: long }],
    ['description', { description: long }],
    ['jobType', { jobType: long }],
    ['cronExpression', { cronExpression: long }],
    ['timeZone', { timeZone: long }],
    ['calendar', { calendar: long }],
    ['priority', { priority: long }],
    ['misfirePolicy', { misfirePolicy: long }],
    ['overlap', { overlap: long }],
    ['overlap of its own', { overlap: { [long.slice(0, 1_000)]: long } }],
    ['tag', { tags: [long] }],
    ['type of trigger', { cronExpression: undefined, trigger: { type: long } }],
    ['field of a trigger', { cronExpression: undefined, trigger: { type: 'cron', [long.slice(0, 1_000)]: 1 } }],
    [
      'zone of a trigger',
      { cronExpression: undefined, trigger: { type: 'cron', expression: '0 2 * * *', timeZone: long } },
    ],
  ])('is not echoed: %s', async (_field, change) => {
    const reply = await ask('POST', '/api/jobs', { body: nightly(change) })
    expectShortProblem(reply, 400)
    expect(reply.text).not.toContain(long.slice(0, 210))
  })

  it.each(['/api/jobs/', '/api/', '/api/jobs/executions/'])('is not echoed: a path under %s', async (path) => {
    const { status, text, body } = await ask('GET', path + long.slice(0, 8_000))
    expect([400, 404]).toContain(status)
    expect(text).not.toContain(long.slice(0, 210))
    expect(body['instance']).toMatch(/^\/api\/.*…$/)
  })

  it('is not echoed: a payload that its job type refuses', async () => {
    const payload = Object.fromEntries(many(200, (at) => [`${at}${long.slice(0, 1_000)}`, 1]))
    const reply = await ask('POST', '/api/jobs', { body: nightly({ jobType: 'Estrito', payload }) })
    expectShortProblem(reply, 400)
    expect(reply.text).not.toContain(long.slice(0, 210))
  })
})

describe('a field that is nobody’s', () => {
  it.each<[string, string, unknown]>([
    ['in a webhook', 'settings', { webhooks: [{ url: 'https://example.com', events: [], token: 'x' }] }],
    ['in a calendar', 'calendars/strange', { definition: { type: 'weekly', weekdays: [0], tenant: 'globex' } }],
    ['beside a calendar', 'calendars/strange', { definition: { type: 'weekly', weekdays: [0] }, tenant: 'globex' }],
  ])('is refused: %s', async (_where, path, body) => {
    expectShortProblem(await ask('PUT', `/api/jobs/${path}`, { body }), 400)
  })

  it.each(['overlap', 'trigger'])('is refused in %s', async (field) => {
    const value = {
      overlap: { atMost: 2, tenant: 'x' },
      trigger: { type: 'once', at: '2027-01-01T00:00:00Z', tenant: 'x' },
    }
    const body = nightly({
      cronExpression: field === 'trigger' ? undefined : '0 2 * * *',
      [field]: value[field as 'overlap'],
    })
    expectShortProblem(await ask('POST', '/api/jobs', { body }), 400)
  })
})

describe('a number that no store can hold', () => {
  it.each([2 ** 31, 1e12, 2 ** 53 - 1, 0, -1, 1.5])('is no place in a history: %d', async (sequence) => {
    const { body: made } = await ask('POST', '/api/jobs', { body: nightly({ jobType: 'Resumo' }) })
    const { body } = await ask('POST', `/api/jobs/${made.id}/execute`)
    await world.test.settle()
    expectShortProblem(
      await ask('POST', `/api/jobs/executions/${body.executionId}/restart`, { body: { sequence } }),
      400,
    )
  })

  it.each(['9007199254740991', '2147483648'])('is no version, and a place after everything: %s', async (number) => {
    const { body } = await ask('POST', '/api/jobs', { body: nightly() })
    const headers = { 'if-match': `"${number}"` }
    expect((await ask('PUT', `/api/jobs/${body.id}`, { body: { priority: 'LOW' }, headers })).status).toBe(412)
    expect((await ask('PUT', '/api/jobs/settings', { body: { language: 'en' }, headers })).status).toBe(412)
    expect((await ask('GET', `/api/jobs/${body.id}/logs?after=${number}`)).status).toBe(200)
    expect((await ask('GET', `/api/jobs/events?after=${number}`)).status).toBe(200)
  })
})

describe('a path', () => {
  it.each(['%ff', '%zz', '%', '%E0%A4%A', '%c0%af'])('that cannot be decoded is refused: %s', async (name) => {
    const reply = await ask('PUT', `/api/jobs/calendars/${name}`, {
      body: { definition: { type: 'weekly', weekdays: [0] } },
    })
    expectShortProblem(reply, 400)
    expect(reply.body.code).toBe('path_invalid')
  })

  it.each(['%00', '%0a', '%e2%80%ae', '%20a', 'x'.repeat(256)])(
    'with a name that is none is refused: %s',
    async (name) => {
      for (const [method, options] of [
        ['PUT', { body: { definition: { type: 'weekly', weekdays: [0] } } }],
        ['DELETE', {}],
      ] as const) {
        expectShortProblem(await ask(method, `/api/jobs/calendars/${name}`, options), 400)
      }
    },
  )

  it.each(['__proto__', 'constructor', 'toString', 'limit[$ne]', '%00'])('takes no parameter %s', async (name) => {
    expectShortProblem(await ask('GET', `/api/jobs?${name}=1`), 400)
  })
})

describe('a cursor that somebody has made himself', () => {
  const filter = { tenant: 'acme', sort: 'name', isDescending: false }
  const lists: readonly [string, readonly unknown[]][] = [
    ['/api/jobs', ['jobs', filter]],
    ['/api/jobs?sort=nextExecution', ['jobs', { ...filter, sort: 'nextFireAt' }]],
    ['/api/jobs/executions', ['acme', 'executions', null, null, null, false]],
    ['/api/jobs/audit-log', ['acme', 'audit', {}]],
  ]
  /** What anybody can make who knows the code, where the service was given no secret. */
  const forged = (place: string, scope: readonly unknown[]) => {
    const text = Buffer.from(place).toString('base64url')
    const mac = createHmac('sha256', 'pontual').update(JSON.stringify([text, ...scope]))
    return `${text}.${mac.digest().subarray(0, 16).toString('base64url')}`
  }

  it.each([
    'not json',
    'null',
    '5',
    '{}',
    '[]',
    '[{}]',
    '[null]',
    '[[],[]]',
    '["x","not an id"]',
    '["\\u0000","019b76da-a800-7021-a488-17568850ebc0"]',
    '["\\ud800","019b76da-a800-7021-a488-17568850ebc0"]',
    '["x",5]',
    '["1","2","3"]',
    '["019b76da-a800-7021-a488-17568850ebc0","019b76da-a800-7021-a488-17568850ebc0","x"]',
    `["${'x'.repeat(1_400)}"]`,
  ])('is refused: %s', async (place) => {
    for (const [path, scope] of lists) {
      const separator = path.includes('?') ? '&' : '?'
      const reply = await ask('GET', `${path}${separator}cursor=${forged(place, scope)}`)
      expectShortProblem(reply, 400)
      expect(reply.body.code, path).toBe('invalid_cursor')
    }
  })
})

describe('an answer that is given again', () => {
  it('has the headers of every answer', async () => {
    const [body, headers] = [nightly(), { 'idempotency-key': 'again' }]
    const first = await ask('POST', '/api/jobs', { body, headers })
    const again = await ask('POST', '/api/jobs', { body, headers })
    const names = ['cache-control', 'content-type', 'etag', 'location', 'x-content-type-options']
    expect(names.map((name) => again.headers.get(name))).toEqual(names.map((name) => first.headers.get(name)))
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })
})

describe('bytes', () => {
  const head = 'Host: 127.0.0.1\r\n'
  const asker = `x-asker: ${JSON.stringify(ADMIN)}\r\n`
  const json = 'Content-Type: application/json\r\n'

  it.each<[string, string | Buffer, number]>([
    ['bare line feeds', 'GET /api/jobs HTTP/1.1\nHost: x\n\n', 400],
    ['two hosts', `GET /api/jobs HTTP/1.1\r\n${head}Host: evil.example\r\n\r\n`, 400],
    ['an expectation', `POST /api/jobs HTTP/1.1\r\n${head}Expect: wonders\r\nContent-Length: 2\r\n\r\n{}`, 417],
    ['a fold', `GET /api/jobs HTTP/1.1\r\n${head}X: a\r\n b\r\n\r\n`, 400],
    ['NUL in a header', `GET /api/jobs HTTP/1.1\r\n${head}X: a\0b\r\n\r\n`, 400],
    ['a negative length', `POST /api/jobs HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n`, 400],
    ['a length with a sign', `POST /api/jobs HTTP/1.1\r\n${head}Content-Length: +5\r\n\r\nhello`, 400],
    [
      'a chunk without end',
      `POST /api/jobs HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n${'F'.repeat(17)}\r\n`,
      400,
    ],
    [
      'a chunk that is none, in the middle of a body',
      `POST /api/jobs HTTP/1.1\r\n${head}${asker}${json}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nZZ\r\n`,
      400,
    ],
    [
      'two encodings',
      `POST /api/jobs HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n`,
      400,
    ],
    ['bytes that are no text in a path', Buffer.from(`GET /api/jobs/\xff HTTP/1.1\r\n${head}\r\n`, 'latin1'), 400],
    ['a backslash for a slash', `GET /api\\jobs HTTP/1.1\r\n${head}\r\n`, 400],
    ['all of the server', `OPTIONS * HTTP/1.1\r\n${head}\r\n`, 400],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ])('with %s are one problem, and the end of the connection', async (_what, bytes, status) => {
    const received = await exchange(world.url, bytes)
    expect(statusesIn(received)).toEqual([status])
    expect(received).toMatch(/content-type: application\/problem\+json/i)
    expect(received).toMatch(/x-content-type-options: nosniff/i)
  })

  it('that ask to be traced or tunnelled are given neither', async () => {
    const traced = await exchange(world.url, `TRACE /api/jobs HTTP/1.1\r\n${head}${asker}Connection: close\r\n\r\n`)
    expect(statusesIn(traced)).toEqual([405])
    expect(traced).not.toContain('x-asker')
    expect(statusesIn(await exchange(world.url, `CONNECT evil.example:443 HTTP/1.1\r\n${head}\r\n`))).toEqual([])
  })

  it('that stop in the middle of a body trouble nobody', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
      socket.write(`POST /api/jobs HTTP/1.1\r\n${head}${asker}${json}Content-Length: 100\r\n\r\n{"name":`, () => {
        setImmediate(() => socket.resetAndDestroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await ask('GET', '/api/jobs?limit=1')).status).toBe(200)
  })

  it('that never end are not read for ever', async () => {
    const chunk = Buffer.alloc(65_536, 'x')
    const received = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
      socket.write(`POST /api/jobs HTTP/1.1\r\n${head}${asker}${json}Transfer-Encoding: chunked\r\n\r\n`)
      const send = () => {
        while (!socket.destroyed && socket.write(`${chunk.length.toString(16)}\r\n${chunk.toString()}\r\n`));
      }
      socket.on('drain', send).on('connect', send)
      socket.on('data', (part) => {
        text += part.toString()
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(text))
    })
    expect(statusesIn(received)).toEqual([413])
  })
})

describe('somebody who may do little', () => {
  it('is told so before anything that he sends is read', async () => {
    const raw = '['.repeat(1_000_000)
    expect(await world.ask(DEVELOPER, 'PUT', '/api/jobs/settings', { raw })).toMatchObject({ status: 403 })
    expect(await world.ask(null, 'PUT', '/api/jobs/settings', { raw })).toMatchObject({ status: 401 })
  })
})
