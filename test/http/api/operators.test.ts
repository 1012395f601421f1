import { describe, expect, it } from 'vitest'
import { openSecured } from '../security/world.ts'

/** What whoever operates a service asks of it, over HTTP. */

describe('a test notification', () => {
  it('is sent once for its Idempotency-Key', async () => {
    await using secured = await openSecured()
    const ana = await secured.bearer()
    const send = (key: string) =>
      secured.ask(ana, 'POST', '/api/jobs/notifications/test', { headers: { 'idempotency-key': key } })
    const [one, again, other] = [await send('a'), await send('a'), await send('b')]
    expect([one.status, again.status, other.status]).toEqual([202, 202, 202])
    expect(again.body).toEqual(one.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect((await send('not a key')).status).toBe(400)
    const { body } = await secured.ask(ana, 'GET', '/api/jobs/notifications')
    const sent = body.items.map((item) => (item as { id: string }).id)
    expect(new Set(sent)).toEqual(new Set([one.body['notificationId'], other.body['notificationId']]))
  })
})

describe('an erasure', () => {
  it('is done and recorded once for its Idempotency-Key', async () => {
    await using secured = await openSecured()
    const ana = await secured.bearer()
    const job = await secured.job(ana)
    const { executionId } = (await secured.ask(ana, 'POST', `/api/jobs/${job}/execute`)).body
    await secured.test.settle()
    const headers = { 'idempotency-key': 'gone' }
    for (const isReplayed of [null, 'true']) {
      const reply = await secured.ask(ana, 'POST', `/api/jobs/executions/${executionId}/erase`, { headers })
      expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([204, isReplayed])
    }
    const { items } = (await secured.ask(ana, 'GET', '/api/jobs/audit-log?operation=JOBS_EXECUTION_ERASE')).body
    expect(items).toHaveLength(1)
  })
})

describe('a rule of alerts', () => {
  it('is sent back as it was read, in either language', async () => {
    await using secured = await openSecured()
    const ana = await secured.bearer()
    for (const language of ['en', 'pt-BR']) {
      const headers = { 'accept-language': language }
      const { rules } = (await secured.ask(ana, 'GET', '/api/jobs/alerts', { headers })).body as unknown as {
        rules: { kind: string }[]
      }
      for (const rule of rules) {
        const { status, text } = await secured.ask(ana, 'PUT', `/api/jobs/alerts/${rule.kind}`, { body: rule })
        expect(status, text).toBe(200)
      }
    }
  })

  it.each<[string, object, string, string]>([
    ['its kind', { kind: 'jobFailed' }, '/kind', 'Uma regra mantém seu tipo, seu nível e seu nome.'],
    ['its level', { level: 'warn' }, '/level', 'Uma regra mantém seu tipo, seu nível e seu nome.'],
    ['its name', { name: 'Mine' }, '/name', 'Uma regra mantém seu tipo, seu nível e seu nome.'],
  ])('keeps %s', async (_what, body, pointer, message) => {
    await using secured = await openSecured()
    const headers = { 'accept-language': 'pt-BR' }
    const reply = await secured.ask(await secured.bearer(), 'PUT', '/api/jobs/alerts/queueCongested', { body, headers })
    expect(reply.body).toMatchObject({ status: 400, code: 'read_only_field', errors: [{ pointer, message }] })
  })

  it('without a threshold takes none', async () => {
    await using secured = await openSecured()
    const headers = { 'accept-language': 'pt-BR' }
    const reply = await secured.ask(await secured.bearer(), 'PUT', '/api/jobs/alerts/jobFailed', {
      body: { threshold: 3 },
      headers,
    })
    expect(reply.body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/threshold', message: 'threshold deve ser null: este alerta não tem limite, recebido 3.' }],
    })
  })
})

describe('whether all is well', () => {
  it('is told however often it is asked, and why only as often as anybody may ask', async () => {
    await using secured = await openSecured({ limits: { perAddress: 5, refusals: 10_000 } })
    const ana = await secured.bearer()
    const told: boolean[] = []
    for (let count = 0; count < 8; count += 1) {
      const { status, body } = await secured.ask(ana, 'GET', '/readyz')
      expect([status, body['status']]).toEqual([200, 'healthy'])
      told.push('nodes' in body)
    }
    expect(told).toEqual([true, true, true, true, true, false, false, false])
  })

  it('is told by metrics to a user as often as he may ask for anything', async () => {
    await using secured = await openSecured({ limits: { perUser: 3, refusals: 10_000 } })
    const ana = await secured.bearer()
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) statuses.push((await secured.ask(ana, 'GET', '/metrics')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })
})

describe('the token of metrics', () => {
  const token = 'nobody-guesses-this-token'
  it.each([
    ['Bearer', 200],
    ['bearer', 200],
    ['BEARER ', 200],
    ['Basic', 401],
    ['', 401],
  ])('is shown as "%s"', async (scheme, expected) => {
    await using secured = await openSecured({ metrics: { token } })
    expect((await secured.ask({ authorization: `${scheme} ${token}` }, 'GET', '/metrics')).status).toBe(expected)
  })
})

it('a webhook that there is not is told of in the language asked for', async () => {
  await using secured = await openSecured()
  const reply = await secured.ask(await secured.bearer(), 'PUT', '/api/jobs/settings', {
    body: { webhooks: [{ id: 'w1', url: 'https://example.com/', events: [] }] },
    headers: { 'accept-language': 'pt-BR' },
  })
  expect(reply.body.errors).toMatchObject([
    { message: 'Não existe o webhook "w1", ou ele foi enviado duas vezes; um novo é enviado sem id.' },
  ])
})
