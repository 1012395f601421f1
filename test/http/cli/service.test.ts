import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDev } from '../../../src/cli/commands/dev.ts'
import { startNode } from '../../../src/cli/commands/start.ts'
import { type VerifyAuditOptions, verifyAuditLog } from '../../../src/cli/commands/verify-audit.ts'
import type { RunningService } from '../../../src/cli/run-service.ts'
import { startSettings } from '../../../src/cli/start-settings.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { MailInbox } from '../service/mail-inbox.ts'
import { testTerminal } from './test-terminal.ts'

const SECRET = 'a secret of this test that is long enough to be one'

/** A token of a user of the tenant `acme`. */
function tokenOf(sub: string, profile = 'Admin'): string {
  const part = (data: object) => Buffer.from(JSON.stringify(data)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) + 600
  const text = `${part({ alg: 'HS256' })}.${part({ clienteId: 'acme', sub, profile, exp })}`
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
}

/** As much of an answer as is looked at here. */
interface Body {
  readonly id: string
  readonly status: string
  readonly executionId: string
  readonly items: readonly { readonly id: string; readonly name: string; readonly status: string }[]
  readonly errors: readonly unknown[]
}

interface Answer {
  readonly status: number
  readonly body: Body
}

async function ask({ url }: RunningService, path: string, body?: object, token?: string): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: JSON.parse(text) as Body }
}

/** Asks until something is so. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  while (!(await ask()));
}

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pontual-cli-'))
  await writeFile(join(directory, 'jobs.mjs'), `export const jobs = [{ id: 'x' }]`)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('pontual dev', () => {
  let service: RunningService
  let inbox: MailInbox
  beforeAll(async () => {
    inbox = await MailInbox.open()
    const mail = { PONTUAL_SMTP_URL: `smtp://127.0.0.1:${inbox.port}`, PONTUAL_MAIL_FROM: 'jobs@example.com' }
    service = await startDev({ port: 0, data: null, environment: { ...mail, PONTUAL_LOG: 'silent' } })
  })
  afterAll(async () => {
    await service?.stop()
    await inbox?.close()
  })

  it('listens on this machine only', () => {
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('has the jobs of the demo, of which two wait for an approval, and Pontual’s own', async () => {
    const { status, body } = await ask(service, '/api/jobs')
    expect(status).toBe(200)
    const jobs = body.items.map(({ name, status }) => [name, status])
    expect(Object.fromEntries(jobs)).toMatchObject({
      'Block overdue accounts': 'PENDING_APPROVAL',
      DeleteObsoleteData: 'PENDING_APPROVAL',
      'Tokyo closing': 'ACTIVE',
      ImportInvoices: 'ACTIVE',
      ClearCache: 'ACTIVE',
      ProcessOrder: 'ACTIVE',
      SyncAzureAD: 'ACTIVE',
      'pontual.archive': 'ACTIVE',
      'pontual.purge': 'ACTIVE',
    })
    expect(jobs).toHaveLength(20)
    expect((await ask(service, '/api/session')).body).toMatchObject({ userId: 'dev', language: 'en', isDev: true })
  })

  it('sends mail where it is told through which server', async () => {
    await fetch(`${service.url}/api/jobs/settings`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ adminAddresses: ['you@example.com'] }),
    })
    const arriving = inbox.next()
    expect(await ask(service, '/api/jobs/notifications/test', {})).toMatchObject({
      status: 202,
      body: { addresses: 1 },
    })
    expect((await arriving).to).toEqual(['you@example.com'])
  })

  it('runs a job that is asked for, and writes that down', async () => {
    const asked = await ask(service, '/api/jobs/enqueue', { jobName: 'ClearCache' })
    expect(asked.status).toBe(202)
    const path = `/api/jobs/executions/${asked.body.executionId}`
    await until(async () => (await ask(service, path)).body.status === 'SUCCESS')
    const { executionId } = asked.body
    const { body } = await ask(service, `/api/jobs/audit-log?operation=JOBS_JOB_EXECUTE&executionId=${executionId}`)
    expect(body.items).toMatchObject([{ userId: 'dev', executionId }])
  })

  it('runs a sensitive job once it is approved', async () => {
    const { body } = await ask(service, '/api/jobs?q=Delete')
    const id = body.items[0]?.id
    expect(await ask(service, `/api/jobs/${id}/executar`, {})).toMatchObject({ status: 409 })
    expect(await ask(service, `/api/jobs/${id}/approve`, {})).toMatchObject({
      status: 200,
      body: { status: 'APPROVED' },
    })
    expect(await ask(service, `/api/jobs/${id}/executar`, {})).toMatchObject({ status: 202 })
  })

  it('refuses a target that is not public when a job is created', async () => {
    const job = { name: 'spy', jobType: 'http.request', cronExpression: '0 0 * * *' }
    const { status, body } = await ask(service, '/api/jobs', { ...job, payload: { url: 'http://169.254.169.254/' } })
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '/payload/url', code: 'target_forbidden' }]])
  })

  it('says that its port is taken', async () => {
    const port = Number(new URL(service.url).port)
    await expect(startDev({ port, data: null, environment: {} })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`)
  })

  it('opens no database, and so runs nothing, where its port is taken', async () => {
    const port = Number(new URL(service.url).port)
    const data = join(tmpdir(), `pontual-taken-${process.pid}`)
    const message = 'or choose another with --port or PONTUAL_PORT.'
    await expect(startDev({ port, data, environment: {} })).rejects.toThrow(message)
    expect(existsSync(data)).toBe(false)
  })
})

describe.skipIf(isPostgresSkipped())('pontual start', () => {
  let database: TestDatabase
  let service: RunningService
  beforeAll(async () => {
    database = await createDatabase()
    const settings = {
      DATABASE_URL: database.url,
      PONTUAL_JWT_SECRET: SECRET,
      PONTUAL_PORT: '0',
      PONTUAL_LOG: 'silent',
    }
    service = await startNode(startSettings(settings), [])
  })
  afterAll(async () => {
    await service?.stop()
    await database?.drop()
  })

  const verify = async (options: Partial<VerifyAuditOptions> = {}) => {
    const terminal = testTerminal()
    const verified = verifyAuditLog({ databaseUrl: database.url, json: false, ...options }, terminal)
    const error = await verified.catch((error: Error) => error)
    return [terminal.lines.join(''), error instanceof Error ? error.message : null] as const
  }
  const sql = async (...statements: string[]) => {
    const client = new pg.Client(database.url)
    await client.connect()
    try {
      for (const statement of ['set session_replication_role = replica', ...statements]) await client.query(statement)
    } finally {
      await client.end()
    }
  }

  it('lets in whoever has a token', async () => {
    expect(await ask(service, '/api/jobs')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await ask(service, '/api/jobs', undefined, tokenOf('ana'))).toEqual({
      status: 200,
      body: { items: [], nextCursor: null },
    })
  })

  it('purges executions of a tenant by a job that somebody else has approved', async () => {
    const job = { name: 'Limpeza', jobType: 'maintenance.purge-executions', cronExpression: '0 0 1 1 *' }
    const created = await ask(service, '/api/jobs', job, tokenOf('ana'))
    expect(created).toMatchObject({ status: 201, body: { status: 'PENDING_APPROVAL', requiresTwoStepExecution: true } })
    const path = `/api/jobs/${created.body.id}`
    expect(await ask(service, `${path}/approve`, {}, tokenOf('ana'))).toMatchObject({ status: 403 })
    expect(await ask(service, `${path}/approve`, {}, tokenOf('bia'))).toMatchObject({ status: 200 })
    const { body } = await ask(service, `${path}/executar`, {}, tokenOf('ana'))
    const execution = async () =>
      (await ask(service, `/api/jobs/executions/${body.executionId}`, undefined, tokenOf('ana'))).body
    await until(async () => ['SUCCESS', 'FAILED'].includes((await execution()).status))
    expect(await execution()).toMatchObject({ status: 'SUCCESS', output: { removed: 0 } })
  })

  it('keeps an audit log that can be verified, and in which a change shows', async () => {
    const intact: unknown = expect.stringMatching(
      // Of the tenant `default` are Pontual's own jobs.
      /^tenant +entries +verdict\nacme +3 {2}intact, ends with [0-9a-f]{64}\ndefault +2 {2}intact, ends with [0-9a-f]{64}\n$/,
    )
    expect(await verify()).toEqual([intact, null])
    const noted = join(directory, 'noted.json')
    await writeFile(noted, (await verify({ json: true }))[0])
    expect(await verify({ noted })).toEqual([intact, null])
    await expect(verify({ noted: join(directory, 'jobs.mjs') })).resolves.toEqual([
      '',
      expect.stringContaining('--noted: '),
    ])

    await sql(`update pontual.audit_entries set user_id = 'nobody' where sequence = 2 and tenant = 'acme'`)
    const broken = [expect.stringMatching(/acme +1 {2}broken at entry 2: /), 'The audit log is broken: tenant acme.']
    expect(await verify()).toEqual(broken)

    await sql('delete from pontual.audit_entries', 'delete from pontual.audit_heads')
    expect(await verify()).toEqual([expect.stringContaining('There is no audit log yet'), null])
    const gone = [
      expect.stringMatching(/acme +0 {2}broken at entry 1: /),
      'The audit log is broken: tenant acme, default.',
    ]
    expect(await verify({ noted })).toEqual(gone)
  })
})
