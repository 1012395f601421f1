import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { type Headers, jobFields, openSecured, type Secured } from './world.ts'

const CANARY = 'c4n4ry-5f1e8d2b'
const PAYLOAD = {
  url: `https://api.example.com/in?token=${CANARY}`,
  method: 'POST',
  headers: { Authorization: `Bearer ${CANARY}`, 'X-Whatever': CANARY, Accept: 'application/json' },
}
const SHOWN = {
  url: 'https://api.example.com/in?***',
  method: 'POST',
  headers: { Authorization: '***', 'X-Whatever': '***', Accept: 'application/json' },
}

let world: Secured
let [ana, davi, mara]: [Headers, Headers, Headers] = [{}, {}, {}]
beforeAll(async () => {
  world = await openSecured()
  ana = await world.bearer()
  davi = await world.bearer({ sub: 'davi', profile: 'Developer' })
  mara = await world.bearer({ sub: 'mara', profile: 'Manager' })
})
afterAll(() => world[Symbol.asyncDispose]())

const secretJob = (change: object = {}) => world.job(ana, { jobType: 'http.request', payload: PAYLOAD, ...change })
const stored = async (id: string) =>
  JSON.parse((await (await world.test.app.opened()).store.jobs.find([id]))[0]?.definition.payload ?? 'null') as unknown

describe('S39 secrets in requests of ours', () => {
  it.each(['Admin', 'Developer', 'Manager'])('are not shown to %s', async (profile) => {
    const id = await secretJob()
    const headers = { Admin: ana, Developer: davi, Manager: mara }[profile] ?? {}
    for (const path of [`/api/jobs/${id}`, '/api/jobs?limit=200', `/api/jobs/${id}/history`]) {
      const { status, text } = await world.ask(headers, 'GET', path)
      expect(status).toBe(200)
      expect(text).not.toContain(CANARY)
    }
    expect((await world.ask(headers, 'GET', `/api/jobs/${id}`)).body['payload']).toEqual(SHOWN)
  })

  it('are not shown by whatever answers with the job', async () => {
    const created = await world.ask(ana, 'POST', '/api/jobs', {
      body: jobFields({ jobType: 'http.request', payload: PAYLOAD }),
    })
    const { id } = created.body
    const verbs = ['pause', 'resume'].map((verb) => world.ask(ana, 'POST', `/api/jobs/${id}/${verb}`))
    for (const { text } of [created, ...(await Promise.all(verbs))]) expect(text).not.toContain(CANARY)
  })

  it('nor by an execution', async () => {
    const id = await secretJob()
    const body = { jobId: id, delayMs: 86_400_000 }
    const { body: made } = await world.ask(ana, 'POST', '/api/jobs/enqueue', { body })
    const { text, body: found } = await world.ask(mara, 'GET', `/api/jobs/executions/${made.executionId}`)
    expect(text).not.toContain(CANARY)
    expect(found['payload']).toEqual(SHOWN)
  })

  it('are shown to an Admin who asks for them, which is recorded', async () => {
    const id = await secretJob()
    for (const headers of [davi, mara]) {
      expect((await world.ask(headers, 'POST', `/api/jobs/${id}/reveal`)).status).toBe(403)
    }
    const { status, body } = await world.ask(ana, 'POST', `/api/jobs/${id}/reveal`)
    expect([status, body['payload']]).toEqual([200, PAYLOAD])
    const { body: log } = await world.ask(ana, 'GET', `/api/jobs/audit-log?operation=JOBS_JOB_REVEAL&jobId=${id}`)
    expect(log.items).toMatchObject([{ userId: 'ana', jobId: id, operationType: 'REVEAL' }])
  })

  it('stay what they are when what was read is sent back', async () => {
    const id = await secretJob()
    const { body: read } = await world.ask(davi, 'GET', `/api/jobs/${id}`)
    const whole = await world.ask(davi, 'PUT', `/api/jobs/${id}`, { body: { ...read, priority: 'LOW' } })
    expect(whole.status, whole.text).toBe(200)
    expect(await stored(id)).toEqual(PAYLOAD)
    const payload = { ...SHOWN, method: 'PUT', headers: { ...SHOWN.headers, Accept: 'text/plain' } }
    expect((await world.ask(davi, 'PUT', `/api/jobs/${id}`, { body: { payload } })).status).toBe(200)
    const headers = { ...PAYLOAD.headers, Accept: 'text/plain' }
    expect(await stored(id)).toEqual({ ...PAYLOAD, method: 'PUT', headers })
  })

  it.each<[string, object]>([
    ['to another host', { ...SHOWN, url: 'https://evil.example/' }],
    ['to another port', { ...SHOWN, url: 'http://api.example.com/in' }],
    ['under another name', { ...SHOWN, headers: { 'X-Echo': '***' } }],
  ])('are not sent %s by whoever may not see them', async (_what, payload) => {
    const id = await secretJob()
    const { status, body } = await world.ask(davi, 'PUT', `/api/jobs/${id}`, { body: { payload } })
    expect([status, body.errors[0]?.code]).toEqual([400, 'hidden_value'])
    const run = await world.ask(davi, 'POST', `/api/jobs/${id}/execute`, { body: { payload } })
    expect([run.status, run.body.errors[0]?.code]).toEqual([400, 'hidden_value'])
    expect(await stored(id)).toEqual(PAYLOAD)
  })

  it('are in no log, no audit entry, no event and no problem', async () => {
    const id = await secretJob()
    const bad = { ...PAYLOAD, headers: { ...PAYLOAD.headers, Cookie: CANARY } }
    const refusals = [
      await world.ask(ana, 'PUT', `/api/jobs/${id}`, { body: { payload: bad } }),
      await world.ask(ana, 'POST', '/api/jobs', {
        body: jobFields({ jobType: 'http.request', payload: { url: `http://${CANARY}@127.0.0.1/` } }),
      }),
      await world.ask({ authorization: `Bearer ${CANARY}` }, 'GET', '/api/jobs'),
      await world.ask({ 'x-api-key': `pk_${CANARY}` }, 'GET', '/api/jobs'),
      await world.ask(ana, 'POST', '/api/jobs', { raw: `{"name": ${CANARY}` }),
    ]
    for (const { status, text } of refusals) {
      expect([400, 401]).toContain(status)
      expect(text).not.toContain(CANARY)
    }
    for (const path of ['/api/jobs/audit-log?limit=200', '/api/jobs/audit-log/export']) {
      expect((await world.ask(ana, 'GET', path)).text).not.toContain(CANARY)
    }
    expect(world.log()).not.toContain(CANARY)
  })

  it('of a key is shown once, and kept by nobody', async () => {
    const { headers } = await world.key(ana)
    const secret = headers['x-api-key'] ?? ''
    for (const path of ['/api/jobs/api-keys', '/api/jobs/audit-log?limit=200']) {
      expect((await world.ask(ana, 'GET', path)).text).not.toContain(secret.slice(-20))
    }
    expect(world.log()).not.toContain(secret.slice(-20))
  })

  it('of a process are not in its arguments', () => {
    expect(process.argv.join(' ')).not.toMatch(/secret|password|token/i)
  })
})

describe.skipIf(isPostgresSkipped())('S39 secrets on PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  it('of keys and sessions are in no table', async () => {
    await using kept = await openSecured({ store: postgres(database.url) })
    const admin = await kept.bearer()
    const key = await kept.key(admin)
    const session = await kept.session(key.headers)
    const secrets = [key.headers['x-api-key']?.slice(-30) ?? '-', session['cookie']?.split('=')[1] ?? '-']
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'pontual'::regnamespace and relkind = 'r'`,
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from pontual."${name}" as t`)
      for (const secret of secrets) expect(rows.map(({ row }) => row).join('\n'), name).not.toContain(secret)
    }
    await client.end()
  })
})
