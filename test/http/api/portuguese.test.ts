import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../../src/server/routes/routes.ts'
import { englishIn } from '../../repo/i18n/english-words.ts'
import { almost } from './hostile-values.ts'
import { fill, probeOf, UNKNOWN_ID } from './probes.ts'
import { exchange } from './raw-http.ts'
import {
  ADMIN,
  type Asker,
  type AskOptions,
  DEVELOPER,
  MANAGER,
  nightly,
  openWorld,
  type Reply,
  STRANGER,
  type World,
} from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const PORTUGUESE = { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8' }

const inPortuguese = (asker: Asker | null, method: string, path: string, { headers, ...how }: AskOptions = {}) =>
  world.ask(asker, method, path, { ...how, headers: { ...headers, ...PORTUGUESE } })

/** Every sentence of a problem, by where it stands. */
function sentencesOf({ body }: Reply): [string, string][] {
  const problems = (body.errors ?? []) as readonly { pointer: string; code: string; message: string }[]
  return [
    ['title', String(body['title'])],
    ['detail', String(body['detail'])],
    ...problems.map(({ pointer, code, message }): [string, string] => [`${pointer} ${code}`, message]),
  ]
}

/** Both are the same problem, and the one in Portuguese has no word of the other. */
function expectTranslated(portuguese: Reply, english: Reply): void {
  expect(portuguese.status, portuguese.text.slice(0, 500)).toBe(english.status)
  expect(portuguese.headers.get('content-language')).toBe('pt-BR')
  expect(portuguese.headers.get('vary')).toContain('Accept-Language')
  expect(portuguese.body.code).toBe(english.body.code)
  const told = sentencesOf(english)
  // Otherwise nothing would be found in the other either.
  expect(englishIn(told.map(([, sentence]) => sentence).join(' ')), english.text.slice(0, 500)).not.toEqual([])
  for (const [at, [place, sentence]] of sentencesOf(portuguese).entries()) {
    expect(place).toBe(told[at]?.[0])
    expect(sentence, place).not.toBe(told[at]?.[1])
    expect(englishIn(sentence), `${place}: ${sentence}`).toEqual([])
    expect(sentence).not.toMatch(/undefined|\bnull\b|\[object|NaN/)
  }
}

const long = 'x'.repeat(50_000)
const body = (fields: Readonly<Record<string, unknown>>): AskOptions => ({ body: nightly(fields) })
const trigger = (json: unknown): AskOptions => body({ cronExpression: undefined, trigger: json })
const calendar = (definition: unknown): AskOptions => ({ body: { definition } })
const JSON_TYPE = { 'content-type': 'application/json' }

type Row = [what: string, method: string, path: string, options?: AskOptions, asker?: Asker | null]

const JOBS = '/api/jobs'
const OUTAGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }

describe('a refused request is answered in Portuguese', () => {
  it.each<Row>([
    ['nobody', 'GET', JOBS, {}, null],
    ['somebody who may not', 'POST', JOBS, body({}), MANAGER],
    ['somebody who is not Admin', 'GET', `${JOBS}/audit-log`, {}, DEVELOPER],
    [
      'somebody who is less than Admin',
      'PUT',
      `${JOBS}/settings`,
      { body: {} },
      { ...ADMIN, permissions: ['jobs:read'] },
    ],
    ['a path that is none', 'GET', '/api/nothing'],
    ['a path of no UTF-8', 'GET', `${JOBS}/%ff`],
    ['a method', 'PUT', JOBS, { body: {} }],
    ['a type of answer', 'GET', JOBS, { headers: { accept: 'image/png' } }],
    ['no body', 'POST', JOBS],
    ['a body of no JSON', 'POST', JOBS, { raw: '{' }],
    ['a body of no UTF-8', 'POST', JOBS, { raw: new Uint8Array([0xff]) }],
    ['a body of another type', 'POST', JOBS, { raw: 'x', headers: { 'content-type': 'text/plain' } }],
    ['a body that is packed', 'POST', JOBS, { raw: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } }],
    ['a body that is too large', 'POST', JOBS, { raw: `"${'x'.repeat(1_100_000)}"` }],
    ['a body that is too deep', 'POST', JOBS, { raw: '['.repeat(100) }],
    ['a name twice', 'POST', JOBS, { raw: '{"name":1,"name":2}' }],
    ['a name of a prototype', 'POST', JOBS, { raw: '{"__proto__":1}' }],
    ['a name that is long', 'POST', JOBS, { raw: JSON.stringify({ [long]: 1 }) }],
    [
      'very many names',
      'POST',
      JOBS,
      { raw: JSON.stringify(Object.fromEntries(Array.from({ length: 50_001 }, (_, at) => [at, 1]))) },
    ],
    ['a NUL', 'POST', JOBS, { raw: '{"name":"\\u0000"}' }],
    ['half a character', 'POST', JOBS, { raw: '{"name":"\\ud800"}' }],
    ['a number that is too large', 'POST', JOBS, { raw: '{"timeoutMinutes":1e300}' }],
    ['a list in place of an object', 'POST', JOBS, { body: [] }],
    ['nothing at all', 'POST', JOBS, { body: {} }],
    [
      'all of the wrong type',
      'POST',
      JOBS,
      {
        body: {
          name: 1,
          jobType: [],
          cronExpression: {},
          timeoutMinutes: 'x',
          tags: 'x',
          payload: 1,
          priority: 'X',
          overlap: 1,
          trigger: 1,
          requiresTwoStepExecution: 'x',
        },
      },
    ],
    ['an unknown field', 'POST', JOBS, body({ nmae: 1, timeout: 5 })],
    [
      '200 unknown fields',
      'POST',
      JOBS,
      body(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 1]))),
    ],
    ['a short name', 'POST', JOBS, body({ name: 'ab' })],
    ['an empty name', 'POST', JOBS, body({ name: '' })],
    ['a long name', 'POST', JOBS, body({ name: long })],
    ['a name that cannot be seen', 'POST', JOBS, body({ name: 'a\u202eb c' })],
    ['a name with space around', 'POST', JOBS, body({ name: ' abc ' })],
    ['a long description', 'POST', JOBS, body({ description: long })],
    ['an unknown job type', 'POST', JOBS, body({ jobType: 'ImportarFatura' })],
    ['no cron expression', 'POST', JOBS, body({ cronExpression: undefined })],
    ['an empty cron expression', 'POST', JOBS, body({ cronExpression: ' ' })],
    ['a long cron expression', 'POST', JOBS, body({ cronExpression: long })],
    ['a cron expression of 3 fields', 'POST', JOBS, body({ cronExpression: '* * *' })],
    ['a cron expression of 7 fields', 'POST', JOBS, body({ cronExpression: '0 0 0 1 1 * 2026' })],
    ['a cron expression with seconds', 'POST', JOBS, body({ cronExpression: '0 * * * * *' })],
    ['a minute of 75', 'POST', JOBS, body({ cronExpression: '75 * * * *' })],
    ['a step of 0', 'POST', JOBS, body({ cronExpression: '*/0 * * * *' })],
    ['the 40th day before the end', 'POST', JOBS, body({ cronExpression: '0 0 L-40 * *' })],
    ['the sixth Monday', 'POST', JOBS, body({ cronExpression: '0 0 * * MON#6' })],
    ['a spread of nothing', 'POST', JOBS, body({ cronExpression: 'H * * * *' })],
    ['a macro', 'POST', JOBS, body({ cronExpression: '@dayly' })],
    ['30 February', 'POST', JOBS, body({ cronExpression: '0 0 30 2 *' })],
    ['every second', 'POST', JOBS, body({ cronExpression: '@every_second' })],
    ['two rules', 'POST', JOBS, body({ trigger: { type: 'once', at: '2027-01-01T00:00:00Z' } })],
    ['an unknown zone', 'POST', JOBS, body({ timeZone: 'Mars/X' })],
    ['a misspelled zone', 'POST', JOBS, body({ timeZone: 'America/Sao_Paolo' })],
    [
      'two zones',
      'POST',
      JOBS,
      {
        body: {
          ...nightly({
            cronExpression: undefined,
            trigger: { type: 'cron', expression: '0 2 * * *', timeZone: 'Asia/Tokyo' },
          }),
          timeZone: 'America/Lima',
        },
      },
    ],
    ['an unknown calendar', 'POST', JOBS, body({ calendar: 'none' })],
    ['an unknown priority', 'POST', JOBS, body({ priority: 'URGENT' })],
    ['a short timeout', 'POST', JOBS, body({ timeoutMinutes: 4 })],
    ['a long timeout', 'POST', JOBS, body({ timeoutMinutes: 241 })],
    ['half a minute', 'POST', JOBS, body({ timeoutMinutes: 5.5 })],
    ['no timeout', 'POST', JOBS, body({ timeoutMinutes: null })],
    ['11 retries', 'POST', JOBS, body({ retryCount: 11 })],
    ['retries of a durable job', 'POST', JOBS, body({ jobType: 'Pedido', retryCount: 1 })],
    [
      'an approval that cannot be left out',
      'POST',
      JOBS,
      body({ jobType: 'DeletarDadosObsoletos', requiresTwoStepExecution: false }),
    ],
    ['an unknown policy', 'POST', JOBS, body({ misfirePolicy: 'fireOne' })],
    ['a threshold', 'POST', JOBS, body({ misfireThresholdSeconds: -1 })],
    ['an unknown overlap', 'POST', JOBS, body({ overlap: 'quue' })],
    ['an overlap of none', 'POST', JOBS, body({ overlap: { atMost: 0 } })],
    ['an overlap of another kind', 'POST', JOBS, body({ overlap: { atLeast: 1 } })],
    ['21 tags', 'POST', JOBS, body({ tags: Array.from({ length: 21 }, (_, at) => `t${at}`) })],
    ['an empty tag', 'POST', JOBS, body({ tags: [''] })],
    ['a payload that its schema refuses', 'POST', JOBS, body({ jobType: 'Estrito', payload: { month: 1, year: 2 } })],
    ['a payload that is no object', 'POST', JOBS, body({ jobType: 'Estrito', payload: 'x' })],
    ['a payload that is large', 'POST', JOBS, body({ payload: 'x'.repeat(300_000) })],
    ['a trigger of no type', 'POST', JOBS, trigger({})],
    ['a trigger of another type', 'POST', JOBS, trigger({ type: 'lunar' })],
    ['a trigger with more', 'POST', JOBS, trigger({ type: 'once', at: '2027-01-01T00:00:00Z', every: 1 })],
    ['a trigger that is past', 'POST', JOBS, trigger({ type: 'once', at: '2001-01-01T00:00:00Z' })],
    ['a trigger at no instant', 'POST', JOBS, trigger({ type: 'once', at: 'tomorrow' })],
    [
      'a trigger of no interval',
      'POST',
      JOBS,
      trigger({ type: 'simple', startAt: '2026-01-01T00:00:00Z', intervalMs: 0, repeatCount: 5 }),
    ],
    [
      'a trigger of half an interval',
      'POST',
      JOBS,
      trigger({ type: 'simple', startAt: '2026-01-01T00:00:00Z', intervalMs: 1.5 }),
    ],
    [
      'a trigger that ends first',
      'POST',
      JOBS,
      trigger({
        type: 'cron',
        expression: '0 2 * * *',
        startAt: '2027-01-01T00:00:00Z',
        endAt: '2026-01-01T00:00:00Z',
      }),
    ],
    [
      'a trigger of no days',
      'POST',
      JOBS,
      trigger({ type: 'dailyTimeInterval', every: 5, unit: 'minute', from: '08:00', to: '18:00', weekdays: [] }),
    ],
    [
      'a trigger of no time',
      'POST',
      JOBS,
      trigger({ type: 'dailyTimeInterval', every: 5, unit: 'minute', from: '8h', to: '18:00' }),
    ],
    [
      'a trigger of a day that goes back',
      'POST',
      JOBS,
      trigger({ type: 'dailyTimeInterval', every: 5, unit: 'minute', from: '18:00', to: '08:00' }),
    ],
    [
      'a trigger of no unit',
      'POST',
      JOBS,
      trigger({ type: 'calendarInterval', every: 1, unit: 'moon', startAt: '2026-01-01T00:00:00Z' }),
    ],
    [
      'a trigger that repeats from nowhere',
      'POST',
      JOBS,
      trigger({ type: 'dailyTimeInterval', every: 5, unit: 'minute', from: '08:00', to: '18:00', repeatCount: 3 }),
    ],
    [
      'a jitter of nothing',
      'POST',
      JOBS,
      trigger({ type: 'jittered', trigger: { type: 'cron', expression: '0 2 * * *' }, withinMs: 0, identity: 'x' }),
    ],
    [
      'a trigger for nobody',
      'POST',
      JOBS,
      trigger({ type: 'jittered', trigger: { type: 'cron', expression: '0 2 * * *' }, withinMs: 5, identity: '' }),
    ],
    [
      'a trigger that never fires',
      'POST',
      JOBS,
      trigger({
        type: 'calendared',
        trigger: { type: 'cron', expression: '0 2 * * *' },
        calendar: { type: 'daily', from: '00:00', to: '23:59:59.999' },
        onExcluded: 'skip',
      }),
    ],
    ['a long trigger', 'POST', JOBS, trigger({ type: 'cron', expression: '0 2 * * *', identity: long.repeat(2) })],
    ['an unknown job', 'GET', `${JOBS}/${UNKNOWN_ID}`],
    ['an id that is none', 'GET', `${JOBS}/x`],
    ['an unknown execution', 'GET', `${JOBS}/executions/${UNKNOWN_ID}`],
    ['an unknown parameter', 'GET', `${JOBS}?limits=1`],
    ['a limit', 'GET', `${JOBS}?limit=201`],
    ['a limit that is none', 'GET', `${JOBS}?limit=x`],
    ['a parameter twice', 'GET', `${JOBS}?limit=1&limit=2`],
    ['a parameter with a line', 'GET', `${JOBS}?q=a%0Ab`],
    ['an unknown status', 'GET', `${JOBS}?status=GONE`],
    ['an unknown order', 'GET', `${JOBS}?sort=luck`],
    ['a long search', 'GET', `${JOBS}?q=${'x'.repeat(1_500)}`],
    ['a cursor', 'GET', `${JOBS}?cursor=abc`],
    ['no flag', 'GET', `${JOBS}/executions?archived=perhaps`],
    ['a key of a request', 'POST', JOBS, { ...body({}), headers: { 'idempotency-key': 'a b' } }],
    ['an execution of an unknown job', 'POST', `${JOBS}/enqueue`, { body: { jobName: 'none' } }],
    ['an execution of nothing', 'POST', `${JOBS}/enqueue`, { body: {} }],
    ['an execution of an unknown job type', 'POST', `${JOBS}/enqueue`, { body: { jobType: 'Exportra' } }],
    ['an execution of a closed job type', 'POST', `${JOBS}/enqueue`, { body: { jobType: 'Estrito' } }],
    ['an execution of a sensitive job type', 'POST', `${JOBS}/enqueue`, { body: { jobType: 'DeletarDadosObsoletos' } }],
    ['an execution of two', 'POST', `${JOBS}/enqueue`, { body: { jobId: UNKNOWN_ID, jobName: 'x' } }],
    [
      'an execution at two times',
      'POST',
      `${JOBS}/enqueue`,
      { body: { jobName: 'x', runAt: '2027-01-01T00:00:00Z', delayMs: 1 } },
    ],
    ['an execution at no time', 'POST', `${JOBS}/enqueue`, { body: { jobName: 'x', runAt: 'soon' } }],
    ['an execution before 1970', 'POST', `${JOBS}/enqueue`, { body: { jobName: 'x', runAt: '1960-01-01T00:00:00Z' } }],
    ['an execution of a long name', 'POST', `${JOBS}/enqueue`, { body: { jobName: long } }],
    ['an outage that ends first', 'POST', `${JOBS}/simulate`, { body: { from: OUTAGE.to, to: OUTAGE.from } }],
    ['an outage of years', 'POST', `${JOBS}/simulate`, { body: { ...OUTAGE, to: '2030-01-01T00:00:00Z' } }],
    ['an unknown calendar to remove', 'DELETE', `${JOBS}/calendars/none`],
    ['a calendar of no type', 'PUT', `${JOBS}/calendars/c`, calendar({})],
    ['a calendar of another type', 'PUT', `${JOBS}/calendars/c`, calendar({ type: 'lunar' })],
    ['a calendar with more', 'PUT', `${JOBS}/calendars/c`, calendar({ type: 'weekly', day: 1 })],
    [
      'a calendar of a day that there is not',
      'PUT',
      `${JOBS}/calendars/c`,
      calendar({ type: 'holiday', dates: ['2026-02-30'] }),
    ],
    ['a calendar of no dates', 'PUT', `${JOBS}/calendars/c`, calendar({ type: 'holiday', dates: '2026-02-01' })],
    ['a calendar of another year', 'PUT', `${JOBS}/calendars/c`, calendar({ type: 'annual', days: ['13-01'] })],
    ['a calendar of an eighth day', 'PUT', `${JOBS}/calendars/c`, calendar({ type: 'weekly', weekdays: [8] })],
    ['a calendar of no times', 'PUT', `${JOBS}/calendars/c`, calendar({ type: 'daily', from: 'x', to: '08:00' })],
    ['a calendar that excludes somehow', 'PUT', `${JOBS}/calendars/c`, calendar({ type: 'weekly', onExcluded: 'x' })],
    [
      'a calendar of another name',
      'PUT',
      `${JOBS}/calendars/c`,
      { body: { name: 'd', definition: { type: 'weekly' } } },
    ],
    [
      'a calendar of a name that cannot be seen',
      'PUT',
      `${JOBS}/calendars/${encodeURIComponent('a\u200bb')}`,
      calendar({ type: 'weekly' }),
    ],
    ['settings of no language', 'PUT', `${JOBS}/settings`, { body: { language: 'fr' } }],
    ['settings of no number', 'PUT', `${JOBS}/settings`, { body: { concurrency: 0 } }],
    ['settings of no address', 'PUT', `${JOBS}/settings`, { body: { adminAddresses: ['ana'] } }],
    [
      'settings of an address with a line',
      'PUT',
      `${JOBS}/settings`,
      { body: { adminAddresses: ['a@b.com\r\nBcc: c@d.com'] } },
    ],
    [
      'settings of very many addresses',
      'PUT',
      `${JOBS}/settings`,
      { body: { adminAddresses: Array.from({ length: 60 }, (_, at) => `a${at}@b.com`) } },
    ],
    [
      'a webhook to this machine',
      'PUT',
      `${JOBS}/settings`,
      { body: { webhooks: [{ url: 'http://127.0.0.1/', events: [] }] } },
    ],
    [
      'a webhook of another protocol',
      'PUT',
      `${JOBS}/settings`,
      { body: { webhooks: [{ url: 'file:///etc/passwd', events: [] }] } },
    ],
    [
      'a webhook with a password',
      'PUT',
      `${JOBS}/settings`,
      { body: { webhooks: [{ url: 'https://a:b@example.com', events: [] }] } },
    ],
    [
      'a webhook of another port',
      'PUT',
      `${JOBS}/settings`,
      { body: { webhooks: [{ url: 'https://example.com:22', events: [] }] } },
    ],
    ['a webhook that is no URL', 'PUT', `${JOBS}/settings`, { body: { webhooks: [{ url: 'x', events: [] }] } }],
    [
      'a webhook that is internal',
      'PUT',
      `${JOBS}/settings`,
      { body: { webhooks: [{ url: 'https://a.internal', events: [] }] } },
    ],
    ['a stale version', 'PUT', `${JOBS}/settings`, { body: {}, headers: { 'if-match': '"99"' } }],
    ['a version that is none', 'PUT', `${JOBS}/settings`, { body: {}, headers: { 'if-match': '"x"' } }],
    ['a version without quotes', 'PUT', `${JOBS}/settings`, { body: {}, headers: { 'if-match': '1' } }],
    ['a key of no profile', 'POST', `${JOBS}/api-keys`, { body: { name: 'key', profile: 'Root' } }],
    [
      'a key of too much',
      'POST',
      `${JOBS}/api-keys`,
      { body: { name: 'key', profile: 'Manager', permissions: ['jobs:delete'] } },
    ],
    [
      'a key that is over',
      'POST',
      `${JOBS}/api-keys`,
      { body: { name: 'key', profile: 'Manager', expiresAt: '2020-01-01T00:00:00Z' } },
    ],
    [
      'a key of a request for a key',
      'POST',
      `${JOBS}/api-keys`,
      { body: { name: 'key', profile: 'Manager' }, headers: { 'idempotency-key': 'k' } },
    ],
    ['an unknown key', 'DELETE', `${JOBS}/api-keys/${UNKNOWN_ID}`],
  ])('%s', async (_what, method, path, options = {}, asker = ADMIN) => {
    const english = await world.ask(asker, method, path, options)
    expect(english.status, english.text.slice(0, 300)).toBeGreaterThanOrEqual(400)
    expect(english.headers.get('content-language')).toBe('en')
    expectTranslated(await inPortuguese(asker, method, path, options), english)
  })
})

describe('what a job’s status does not allow is answered in Portuguese', () => {
  const made = async (fields: Readonly<Record<string, unknown>> = {}) =>
    (await world.ask(ADMIN, 'POST', JOBS, body(fields))).body

  it.each<[string, Readonly<Record<string, unknown>>, (id: string) => readonly [string, string, AskOptions?, Asker?]]>([
    ['resume', {}, (id) => ['POST', `${JOBS}/${id}/retomar`]],
    ['approve', {}, (id) => ['POST', `${JOBS}/${id}/approve`]],
    ['retry', {}, (id) => ['POST', `${JOBS}/${id}/retry`]],
    [
      'execute before anybody has approved',
      { jobType: 'DeletarDadosObsoletos' },
      (id) => ['POST', `${JOBS}/${id}/executar`],
    ],
    [
      'approve as who scheduled it',
      { jobType: 'DeletarDadosObsoletos' },
      (id) => ['POST', `${JOBS}/${id}/approve`, { body: {} }],
    ],
    ['pause until the past', {}, (id) => ['POST', `${JOBS}/${id}/pausar`, { body: { until: '2001-01-01T00:00:00Z' } }]],
    ['change the job type', {}, (id) => ['PUT', `${JOBS}/${id}`, { body: { jobType: 'Falhar' } }]],
    ['change what nobody can', {}, (id) => ['PUT', `${JOBS}/${id}`, { body: { createdBy: 'me' } }]],
    ['change the status to one of its own', {}, (id) => ['PUT', `${JOBS}/${id}`, { body: { status: 'FAULTED' } }]],
    [
      'change the status among others',
      {},
      (id) => ['PUT', `${JOBS}/${id}`, { body: { status: 'DISABLED', description: 'x' } }],
    ],
    ['change a version that is stale', {}, (id) => ['PUT', `${JOBS}/${id}`, { body: { version: 9 } }]],
    ['look at another tenant’s', {}, (id) => ['GET', `${JOBS}/${id}`, {}, STRANGER]],
  ])('%s', async (_what, fields, request) => {
    const [method, path, options = {}, asker = ADMIN] = request((await made(fields)).id)
    const english = await world.ask(asker, method, path, options)
    expect(english.status, english.text).toBeGreaterThanOrEqual(400)
    expectTranslated(await inPortuguese(asker, method, path, options), english)
  })

  it('a signal that its job type does not declare', async () => {
    const { id } = await world.test.app.enqueue('Pedido', {}, { tenant: ADMIN.tenant })
    const path = `${JOBS}/executions/${id}/signal`
    const english = await world.ask(ADMIN, 'POST', path, { body: { name: 'goo' } })
    expect(english).toMatchObject({ status: 400, body: { code: 'signal.unknown' } })
    expect(english.body['detail']).toBe(
      'Job type "Pedido" declares no signal "goo"; its signals are go. Did you mean "go"?',
    )
    expectTranslated(await inPortuguese(ADMIN, 'POST', path, { body: { name: 'goo' } }), english)
    expect((await world.ask(ADMIN, 'POST', path, { body: { name: 'go' } })).status).toBe(202)
  })

  it('in the words of section 4.2', async () => {
    const { name } = await made()
    const details = async (method: string, path: string, options?: AskOptions) => {
      const { body: problem } = await inPortuguese(ADMIN, method, path, options)
      const [first] = (problem.errors ?? []) as readonly { message?: string }[]
      return first?.message ?? problem['detail']
    }
    expect(await details('POST', JOBS, body({ name }))).toBe('Já existe um job com este nome')
    expect(await details('GET', `${JOBS}/${UNKNOWN_ID}`)).toBe('Job não encontrado')
    expect(await details('POST', JOBS, body({ cronExpression: '75 * * * *' }))).toMatch(/^Expressão CRON inválida: /)
    expect(await details('POST', JOBS, { body: { jobType: 'Falhar', cronExpression: '@daily' } })).toBe(
      'Nome é obrigatório',
    )
    expect(await details('POST', JOBS, body({ name: 'ab' }))).toBe('Nome deve ter pelo menos 3 caracteres')
    expect(await details('POST', JOBS, body({ cronExpression: undefined }))).toBe('Expressão CRON é obrigatória')
    expect(await details('POST', JOBS, body({ timeoutMinutes: null }))).toBe('Timeout é obrigatório')
    expect(await details('POST', JOBS, body({ timeoutMinutes: 4 }))).toBe('Timeout mínimo é 5 minutos')
    expect(await details('POST', JOBS, body({ timeoutMinutes: 241 }))).toBe('Timeout máximo é 240 minutos')
  })
})

describe('anything that is refused', () => {
  it.each(routes.filter((route) => route.body !== null).map((route) => [route.name, route] as const))(
    'by %s is told in Portuguese',
    async (_, route) => {
      const { paths } = (await world.ask(ADMIN, 'GET', `${JOBS}/openapi.json`)).body as unknown as {
        paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>>
      }
      const described = paths[route.path.replaceAll(/:([^/]+)/g, '{$1}')]?.[route.method.toLowerCase()]
      const schema = described?.requestBody?.content['application/json']?.schema ?? {}
      const path = fill(route.path, await probeOf(world, route))
      for (const sent of fc.sample(almost(schema as Readonly<Record<string, unknown>>), { seed: 7, numRuns: 8 })) {
        const portuguese = await inPortuguese(ADMIN, route.method, path, { body: sent })
        if (portuguese.status < 400) continue
        const english = await world.ask(ADMIN, route.method, path, { body: sent })
        // What the first has changed may be refused otherwise the second time.
        if (english.body.code === portuguese.body.code) expectTranslated(portuguese, english)
      }
    },
  )
})

describe('a request that nobody has read yet', () => {
  it.each([
    ['of no path', 'GET http://a/ HTTP/1.1\r\nHost: a'],
    ['of a long URL', `GET /${'x'.repeat(9_000)} HTTP/1.1\r\nHost: a`],
    ['with an expectation', 'POST /api/jobs HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nContent-Length: 0'],
  ])('%s is answered in Portuguese', async (_what, head) => {
    const answer = await exchange(world.url, `${head}\r\nAccept-Language: pt\r\nConnection: close\r\n\r\n`)
    expect(answer.toLowerCase()).toContain('content-language: pt-br')
    const problem = JSON.parse(answer.slice(answer.indexOf('{'))) as { title: string; detail: string }
    expect(englishIn(`${problem.title} ${problem.detail}`)).toEqual([])
  })
})

describe('an answer', () => {
  it('is in English for those who ask for no language that is spoken here', async () => {
    const reply = await world.ask(ADMIN, 'GET', `${JOBS}/${UNKNOWN_ID}`, { headers: { 'accept-language': 'fr, ja' } })
    expect(reply.headers.get('content-language')).toBe('en')
    expect(reply.body['title']).toBe('Not found')
  })

  it('about a cron expression is in the language that is asked for, or the tenant’s', async () => {
    const question = { cronExpression: '75 3 * * *' }
    const ask = async (how: object, more: object = {}) => {
      const { body: answer, headers } = await world.ask(ADMIN, 'POST', `${JOBS}/new/validate-cron`, {
        body: { ...question, ...more },
        ...how,
      })
      return [headers.get('content-language'), String(answer['error']).slice(0, 11)]
    }
    expect(await ask({})).toEqual(['pt-BR', 'Expressão C'])
    expect(await ask({ headers: { 'accept-language': 'en' } })).toEqual(['en', 'Cron minute'])
    expect(await ask({ headers: PORTUGUESE }, { language: 'en' })).toEqual(['en', 'Cron minute'])
  })

  it('about an execution that waits for a worker says so in words', async () => {
    await world.ask(STRANGER, 'PUT', `${JOBS}/settings`, { body: { concurrency: 1 } })
    const { body: lasting } = await world.ask(STRANGER, 'POST', JOBS, body({ jobType: 'Demorar' }))
    const run = () => inPortuguese(STRANGER, 'POST', `${JOBS}/${lasting.id}/executar`)
    expect((await run()).body).toMatchObject({ notice: null, message: null })
    await world.test.settle()
    const { body: answer } = await run()
    expect(answer).toMatchObject({ notice: 'maxWorkersExceeded', message: 'Limite máximo de workers atingido' })
  })

  it('that was kept is given again in the language it was given in', async () => {
    const headers = { 'idempotency-key': 'kept' }
    const sent = body({})
    await inPortuguese(ADMIN, 'POST', JOBS, { ...sent, headers })
    const again = await world.ask(ADMIN, 'POST', JOBS, { ...sent, headers })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('content-language')).toBe('pt-BR')
  })
})
