import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidInputError } from '../../../src/errors.ts'
import { BODY_LIMIT } from '../../../src/server/request/read-body.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { exchange, statusesIn } from '../api/raw-http.ts'
import { type Headers, jobFields, openSecured, type Secured } from './world.ts'

let world: Secured
let ana: Headers
beforeAll(async () => {
  world = await openSecured({ serve: { arrivalMs: 1_200 } })
  ana = await world.bearer()
})
afterAll(() => world[Symbol.asyncDispose]())

const create = (change: object) => world.ask(ana, 'POST', '/api/jobs', { body: jobFields(change) })
const send = (raw: string | Uint8Array<ArrayBuffer>) => world.ask(ana, 'POST', '/api/jobs', { raw })
/** A body as text, with JSON of its own in the place of a value. */
const withPayload = (json: string) =>
  JSON.stringify(jobFields({ payload: 'PLACE' })).replace('"PLACE"', json.replaceAll('$', '$$$$'))

/** Expressions that are wrong, never fire, or were made to keep a parser busy. */
const CRONS: readonly string[] = [
  '',
  ' ',
  '*',
  '* * * *',
  '0 0 30 2 *',
  '0 0 31 4,6 *',
  '0 0 31 2,4,6,9,11 *',
  '*/0 * * * *',
  '*/61 * * * *',
  '1-100000 * * * *',
  '-1 * * * *',
  '1e1 * * * *',
  '0x1 * * * *',
  '０ * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 13 *',
  '* * * 0 *',
  '* * * * 8',
  `${'1,'.repeat(20_000)}1 * * * *`,
  '*/1/1/1 * * * *',
  '@reboot',
  '@every 0s',
  '@every 1ns',
  'L',
  'LW',
  '0 0 * * 5#6',
  '0 0 * * MON-FRI/0',
  '0 0 * * *\n* * * * *',
  '0 0 *\u0000* *',
  `0 0 * * *${' '.repeat(10_000)}`,
  'TZ=../x 0 0 * * *',
  'CRON_TZ=UTC 0 0 * * *',
  '0 0 1 1 * 1970',
  '* * * * * *',
  '0 0 * * * * *',
  '$(reboot) * * * *',
  "' OR 1=1 --",
]

describe('S28 cron expressions', () => {
  it.each(CRONS)('%j is refused at once', async (cronExpression) => {
    const { status, body, text } = await create({ cronExpression })
    expect([status, body.errors[0]?.pointer], text).toEqual([400, '/cronExpression'])
    expect(text.length).toBeLessThan(2_000)
  })

  it.each([...CRONS, '0 0 29 2 *', '5-1 * * * *', '? ? ? ? ?', '0 0 L * *'])(
    '%j costs five milliseconds at most',
    (expression) => {
      // The least of some: a machine that does other things as well is given its time.
      const costs = Array.from({ length: 5 }, () => {
        const startedAt = performance.now()
        try {
          cron(expression).next(Date.UTC(2097, 0, 1))
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInputError)
        }
        return performance.now() - startedAt
      })
      expect(Math.min(...costs)).toBeLessThan(5)
    },
  )

  it.each(CRONS)('%j is not valid when it is asked about', async (cronExpression) => {
    const { status, body } = await world.ask(ana, 'POST', '/api/jobs/new/validate-cron', { body: { cronExpression } })
    if (status === 200) expect([body['valid'], body['upcoming']]).toEqual([expect.any(Boolean), []])
    else expect(status).toBe(400)
  })

  it('a range that goes round is one, as in Cronos', async () => {
    const body = { cronExpression: '58-1 * * * *' }
    const { body: answer } = await world.ask(ana, 'POST', '/api/jobs/new/validate-cron', { body })
    const minutes = (answer['upcoming'] as string[]).slice(0, 4).map((at) => at.slice(14, 16))
    expect(minutes).toEqual(['01', '58', '59', '00'])
  })

  it('a hundred of them at once hold nobody up', async () => {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    await Promise.all(
      CRONS.concat(CRONS, CRONS)
        .slice(0, 100)
        .map((cronExpression) => create({ cronExpression })),
    )
    delay.disable()
    // A machine that does other things as well is given its time; a search without end would be seconds.
    expect(delay.percentile(50) / 1e6).toBeLessThan(100)
  })

  it('a calendar that is made hard later faults the job that names it, and nothing else', async () => {
    await world.ask(ana, 'PUT', '/api/jobs/calendars/hard', { body: { definition: { type: 'weekly', weekdays: [0] } } })
    const hard = await world.job(ana, { cronExpression: '* * * * *', calendar: 'hard' })
    const other = await world.job(ana, { cronExpression: '* * * * *' })
    const excluded = { type: 'cron', expression: '*/2 * * * * *' }
    const { status } = await world.ask(ana, 'PUT', '/api/jobs/calendars/hard', { body: { definition: excluded } })
    expect(status).toBe(200)
    await world.test.advance('3m')
    expect((await world.ask(ana, 'GET', `/api/jobs/${hard}`)).body).toMatchObject({ nextExecution: null })
    const { body } = await world.ask(ana, 'GET', `/api/jobs/${other}/history`)
    expect(body.items.length).toBeGreaterThanOrEqual(3)
    // Whoever looks after it gets an answer, and can put it right.
    const change = { body: { calendar: null } }
    expect((await world.ask(ana, 'PUT', `/api/jobs/${hard}`, change)).status).toBe(200)
    await world.ask(ana, 'POST', `/api/jobs/${hard}/resume`)
    await world.test.advance('2m')
    expect((await world.ask(ana, 'GET', `/api/jobs/${hard}/history`)).body.items.length).toBeGreaterThanOrEqual(1)
    for (const id of [hard, other]) await world.ask(ana, 'DELETE', `/api/jobs/${id}`)
  })
})

describe('S29 more than fits', () => {
  it('a byte over the limit', async () => {
    const shell = withPayload('""')
    const fill = (bytes: number) => withPayload(`"${'x'.repeat(bytes - shell.length)}"`)
    expect((await send(fill(BODY_LIMIT + 1))).body.code).toBe('payload_too_large')
    // Within it a payload is still a payload that is too large.
    expect((await send(fill(BODY_LIMIT))).status).toBe(400)
  })

  it.each(['gzip', 'deflate', 'br', 'zstd', 'identity, gzip'])('what is packed as %s', async (encoding) => {
    const raw = new Uint8Array(gzipSync(Buffer.alloc(10_000_000)))
    const reply = await world.ask(ana, 'POST', '/api/jobs', { raw, headers: { 'content-encoding': encoding } })
    expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_media_type'])
  })

  it.each<[string, number, readonly number[]]>([
    ['64 kB of URL', 65_536, [414]],
    ['200 kB of URL', 200_000, [414, 431]],
  ])('%s', async (_what, length, statuses) => {
    const path = `/api/jobs?q=${'x'.repeat(length)}`
    const received = await exchange(world.url, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
    expect(statuses).toContain(statusesIn(received)[0])
    expect(received).toMatch(/connection: close/i)
  })

  it.each([101, 1_000, 20_000])('%i headers', async (count) => {
    const many = Array.from({ length: count }, (_, at) => `X-${at}: 1\r\n`).join('')
    const received = await exchange(world.url, `GET /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\n${many}\r\n`)
    expect(statusesIn(received)).toEqual([431])
  })

  it('a list of jobs in the place of one', async () => {
    expect((await send(JSON.stringify(Array.from({ length: 10_000 }, () => jobFields())))).status).toBe(400)
  })

  it.each<[string, string]>([
    ['headers', 'GET /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nX: '],
    [
      'a body',
      'POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ],
  ])('%s that do not come to an end', async (what, bytes) => {
    const { authorization = '' } = ana
    const text = what === 'a body' ? bytes.replace('\r\n', `\r\nAuthorization: ${authorization}\r\n`) : bytes
    // The connection ends by itself, or `exchange` would not.
    expect([[408], []]).toContainEqual(statusesIn(await exchange(world.url, text)))
  })
})

describe('S30 towers', () => {
  const tower = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth)

  it.each<[string, string, boolean]>([
    ['of 60', tower(60), true],
    ['of 65', tower(65), false],
    ['of 5,000', tower(5_000), false],
    ['of 200,000', tower(200_000), false],
    ['of objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, false],
    ['without an end', '['.repeat(500_000), false],
  ])('%s', async (_what, json, isTaken) => {
    const { status, text } = await send(withPayload(json))
    expect(status, text.slice(0, 300)).toBe(isTaken ? 201 : 400)
    expect(text.length).toBeLessThan(5_000)
  })
})

describe('S31 names of objects', () => {
  it.each<[string, string]>([
    ['__proto__', '{"__proto__":{"isAdmin":true}}'],
    ['__proto__ in disguise', '{"__pro\\u0074o__":{"isAdmin":true}}'],
    ['__proto__ deep within', '{"a":[{"__proto__":1}]}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"isAdmin":true}}}'],
    ['twice', '{"a":1,"a":2}'],
    ['twice, in disguise', '{"a":1,"\\u0061":2}'],
    ['100,000 of them', `{${Array.from({ length: 100_000 }, (_, at) => `"${at}":1`).join(',')}}`],
    ['of a megabyte', `{"${'x'.repeat(1_000_000)}":1}`],
  ])('%s', async (_what, json) => {
    const { status, text } = await send(withPayload(json))
    expect(status, text.slice(0, 300)).toBe(400)
    expect(text.length).toBeLessThan(5_000)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('S32 text', () => {
  const bytes = (...values: number[]) => {
    const [before = '', after = ''] = JSON.stringify(jobFields({ description: 'PLACE' })).split('PLACE')
    return new Uint8Array([...Buffer.from(before), ...values, ...Buffer.from(after)])
  }
  it.each<[string, Uint8Array<ArrayBuffer>]>([
    ['bytes that are none', bytes(0xff, 0xfe)],
    ['an overlong slash', bytes(0xc0, 0xaf)],
    ['half a surrogate as bytes', bytes(0xed, 0xa0, 0x80)],
    ['the beginning of a character', bytes(0xe2, 0x82)],
    ['beyond Unicode', bytes(0xf4, 0x90, 0x80, 0x80)],
    ['a control character', bytes(0x01)],
  ])('%s', async (_what, raw) => {
    expect((await send(raw)).status).toBe(400)
  })

  it.each<[string, string]>([
    ['NUL', '"a\\u0000b"'],
    ['a lone surrogate', '"\\ud800"'],
    ['surrogates the wrong way round', '"\\udc00\\ud800"'],
    ['NUL as a name', '{"\\u0000":1}'],
    ['a lone surrogate as a name', '{"\\ud800":1}'],
  ])('%s in a payload', async (_what, json) => {
    expect((await send(withPayload(json))).status).toBe(400)
  })

  it.each<[string, string]>([
    ['NUL', 'a\u0000bc'],
    ['a control character', 'a\u0007bc'],
    ['the end of a line', 'abc\ndef'],
    ['right to left', 'a\u202ebc'],
    ['an isolate', 'a\u2066bc'],
    ['nothing that has a width', 'a\u200bbc'],
    ['a joiner', 'a\u2060bc'],
    ['a mark of byte order', '\ufeffabc'],
    ['half a character', 'abc\ud800'],
    ['spaces around', ' abc '],
    ['too many code points', '😀'.repeat(256)],
    ['too many marks', `e${'\u0301'.repeat(10_000)}`],
  ])('%s in a name', async (_what, name) => {
    const { status, text } = await create({ name })
    expect(status, text).toBe(400)
  })

  it('a name is one, however it is written', async () => {
    const name = `Café ${crypto.randomUUID()}`
    await world.job(ana, { name: name.normalize('NFD') })
    expect((await create({ name: name.normalize('NFC') })).status).toBe(409)
  })

  it('a payload is kept as it was', async () => {
    const payload = { '': '\u202e\ufeff\u2028\u0001', nfd: 'é', emoji: '👩‍👩‍👧‍👦', zero: -0.5, big: 9007199254740991 }
    const id = await world.job(ana, { payload })
    expect((await world.ask(ana, 'GET', `/api/jobs/${id}`)).body['payload']).toEqual(payload)
  })
})

describe('S33 numbers', () => {
  const FIELDS = ['timeoutMinutes', 'retryCount', 'misfireThresholdSeconds'] as const
  it.each(['9007199254740993', '1e400', '-1', '1.5', '1e21', '"10"', 'null', '[]', '{}', 'true', '1e-5', '-0.1'])(
    '%s is no number of anything',
    async (json) => {
      for (const field of FIELDS) {
        const raw = JSON.stringify(jobFields({ [field]: 'PLACE' })).replace('"PLACE"', json)
        const { status, text } = await send(raw)
        expect([field, status], text).toEqual([field, 400])
      }
      const { status } = await world.ask(ana, 'POST', '/api/jobs/enqueue', {
        raw: `{"jobName":"x","delayMs":${json}}`,
      })
      expect(status).not.toBe(202)
    },
  )

  it.each(['NaN', 'Infinity', '-Infinity', '0x10', '010', '+1', '.5', '1.', '1_000', "'1'"])(
    '%s is no JSON',
    async (json) => {
      expect((await send(withPayload(json))).body.code).toBe('json_invalid')
    },
  )

  it.each(['9007199254740993', '-9007199254740993', '1e400', '123456789012345678901234567890'])(
    '%s in a payload is not changed silently',
    async (json) => {
      expect((await send(withPayload(`{"amount":${json}}`))).status).toBe(400)
    },
  )

  it.each(['-1', '0', '201', '1e9', '1.5', '0x10', 'NaN', '', ' 5', '5 ', '५', 'null', '99999999999999999999'])(
    '%j is no limit of a list',
    async (limit) => {
      const { status } = await world.ask(ana, 'GET', `/api/jobs?limit=${encodeURIComponent(limit)}`)
      expect(status).toBe(400)
    },
  )
})

describe('S34 instants', () => {
  it.each([
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-01-01T00:00:00+25:00',
    '2026-01-01T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '+275761-01-01T00:00:00Z',
    '294277-01-01T00:00:00Z',
    'infinity',
    '-infinity',
    'now',
    '1767225600000',
    '01/02/2026',
    '2026-W01-1',
    '2026-001',
    '20260101T000000Z',
    '',
    ' 2026-01-01T00:00:00Z',
    '2026-1-1T0:0:0Z',
  ])('%j is none', async (at) => {
    const id = await world.job(ana)
    for (const [path, body] of [
      ['/api/jobs/enqueue', { jobId: id, runAt: at }],
      [`/api/jobs/${id}/pause`, { until: at }],
      ['/api/jobs/simulate', { from: at, to: '2026-01-02T00:00:00Z' }],
      ['/api/jobs/api-keys', { name: 'robot', profile: 'Manager', expiresAt: at }],
    ] as const) {
      const { status, text } = await world.ask(ana, 'POST', path, { body })
      expect([path, status], text).toEqual([path, 400])
    }
    expect((await world.ask(ana, 'GET', `/api/jobs/audit-log?from=${encodeURIComponent(at)}`)).status).toBe(400)
  })
})

describe('S35 time zones', () => {
  it.each([
    'Mars/X',
    '../../etc/passwd',
    '+03:00',
    'UTC+3',
    '',
    ' ',
    'x'.repeat(10_000),
    'America/Sao_Paulo\u0000',
    'local',
    '0',
    'GMT+25',
  ])('%j is none', async (timeZone) => {
    const { status, text } = await create({ timeZone })
    expect(status, text).toBe(400)
    expect(text.length).toBeLessThan(2_000)
  })

  it.each(['america/sao_paulo', 'utc', 'EST5EDT', 'UTC', 'Etc/GMT+12', 'Asia/Kathmandu'])(
    '%s is refused, or given back by its own name',
    async (timeZone) => {
      const { status, body } = await create({ timeZone })
      if (status === 400) return
      expect(status).toBe(201)
      expect(Intl.supportedValuesOf('timeZone').concat('UTC', 'EST5EDT', 'Etc/GMT+12', timeZone)).toContain(
        body['timeZone'],
      )
    },
  )
})
