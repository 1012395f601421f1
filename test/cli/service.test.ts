import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDev } from '../../src/cli/commands/dev.ts'
import { jobsOf, startNode } from '../../src/cli/commands/start.ts'
import { type VerifyAuditOptions, verifyAuditLog } from '../../src/cli/commands/verify-audit.ts'
import type { RunningService } from '../../src/cli/run-service.ts'
import { startSettings } from '../../src/cli/start-settings.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../postgres/database.ts'

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
  await writeFile(join(directory, 'none.mjs'), `export const other = 1`)
  await writeFile(join(directory, 'waits.mjs'), `await 1; export const jobs = []`)
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('pontual dev', () => {
  let service: RunningService
  beforeAll(async () => {
    service = await startDev({ port: 0, memory: true, data: '' })
  })
  afterAll(() => service.stop())

  it('listens on this machine only', () => {
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('has the four jobs of the demo, one of which waits for an approval', async () => {
    const { status, body } = await ask(service, '/api/jobs')
    expect(status).toBe(200)
    const jobs = body.items.map(({ name, status }) => [name, status])
    expect(Object.fromEntries(jobs)).toEqual({
      DeletarDadosObsoletos: 'PENDING_APPROVAL',
      ImportarFaturas: 'ACTIVE',
      LimparCache: 'ACTIVE',
      SincronizarAzureAD: 'ACTIVE',
    })
  })

  it('runs a job that is asked for, and writes that down', async () => {
    const asked = await ask(service, '/api/jobs/enqueue', { jobName: 'LimparCache' })
    expect(asked.status).toBe(202)
    const path = `/api/jobs/executions/${asked.body.executionId}`
    await until(async () => (await ask(service, path)).body.status === 'SUCCESS')
    const { body } = await ask(service, '/api/jobs/audit-log?operation=JOBS_JOB_EXECUTE')
    expect(body.items[0]).toMatchObject({ userId: 'dev', executionId: asked.body.executionId })
  })

  it('runs a sensitive job once it is approved', async () => {
    const { body } = await ask(service, '/api/jobs?q=Deletar')
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
    await expect(startDev({ port, memory: true, data: '' })).rejects.toThrow(`Port ${port} of 127.0.0.1 is taken`)
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
    const written: string[] = []
    const terminal = { now: 0, write: (text: string) => void written.push(text) }
    const verified = verifyAuditLog({ databaseUrl: database.url, json: false, ...options }, terminal)
    const error = await verified.catch((error: Error) => error)
    return [written.join(''), error instanceof Error ? error.message : null] as const
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
      /^tenant +entries +verdict\nacme +3 {2}intact, ends with [0-9a-f]{64}\n$/,
    )
    expect(await verify()).toEqual([intact, null])
    const noted = join(directory, 'noted.json')
    await writeFile(noted, (await verify({ json: true }))[0])
    expect(await verify({ noted })).toEqual([intact, null])
    await expect(verify({ noted: join(directory, 'jobs.mjs') })).resolves.toEqual([
      '',
      expect.stringContaining('--noted: '),
    ])

    await sql(`update pontual.audit_entries set user_id = 'nobody' where sequence = 2`)
    const broken = [expect.stringMatching(/acme +1 {2}broken at entry 2: /), 'The audit log is broken: tenant acme.']
    expect(await verify()).toEqual(broken)

    await sql('delete from pontual.audit_entries', 'delete from pontual.audit_heads')
    expect(await verify()).toEqual([expect.stringContaining('There is no audit log yet'), null])
    const gone = [expect.stringMatching(/acme +0 {2}broken at entry 1: /), 'The audit log is broken: tenant acme.']
    expect(await verify({ noted })).toEqual(gone)
  })
})

describe('--jobs', () => {
  it('names a module that exports them', () => {
    expect(jobsOf(join(directory, 'jobs.mjs'))).toEqual([{ id: 'x' }])
  })

  it.each([
    ['none.mjs', 'must export jobs'],
    ['missing.mjs', 'could not be loaded: Cannot find module'],
    ['waits.mjs', 'could not be loaded: it must not await at its top level.'],
  ])('refuses %s, in one line', (file, message) => {
    const oneLine: unknown = expect.stringMatching(/^--jobs: .*$/)
    expect(() => jobsOf(join(directory, file))).toThrow(message)
    expect(() => jobsOf(join(directory, file))).toThrow(expect.objectContaining({ message: oneLine }))
  })
})
