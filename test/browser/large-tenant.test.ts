import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY_MS } from '../../src/duration.ts'
import { job } from '../../src/job/type/job-type.ts'
import { pontual } from '../../src/pontual.ts'
import { postgres } from '../../src/postgres.ts'
import { createService, type Service } from '../../src/service/service.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../harness/postgres/database.ts'
import { ana } from '../http/service/stage.ts'
import { fillLargeTenant, LARGE_TENANT_TYPES } from './large-tenant.ts'

describe.skipIf(isPostgresSkipped())('the large tenant', () => {
  let database: TestDatabase
  let client: pg.Client
  let service: Service
  const app = () =>
    pontual({
      store: postgres(database.url),
      jobs: LARGE_TENANT_TYPES.map((id) => job(id, { run: () => null })),
      logger: 'silent',
    })
  let opened: ReturnType<typeof app>
  beforeAll(async () => {
    database = await createDatabase()
    await fillLargeTenant(database.url, { jobs: 300, executions: 4_000, queued: 10, auditEntries: 100 })
    client = new pg.Client(database.url)
    await client.connect()
    opened = app()
    service = createService(opened, { duties: false })
  }, 60_000)
  afterAll(async () => {
    await client?.end()
    service?.close()
    await opened?.stop()
    await database?.drop()
  })

  const one = async (text: string) => Number(Object.values((await client.query(text)).rows[0] as object)[0])

  it('has as much of everything as was asked for', async () => {
    expect(await one('select count(*) from pontual.jobs')).toBe(300)
    expect(await one('select count(*) from pontual.executions')).toBe(4_010)
    expect(await one('select count(*) from pontual.audit_entries')).toBe(100)
    expect(await one(`select count(*) from pontual.executions where created_at > now() - interval '1 day'`)).toBe(410)
    const failed = await one(`select count(*) from pontual.results where status = 'FAILED'`)
    expect(failed).toBeGreaterThan(300)
    expect(failed).toBeLessThan(500)
  })

  it.each([
    ['ends before it starts', 'select count(*) from pontual.results where finished_at < started_at'],
    ['ends in the future', 'select count(*) from pontual.results where finished_at > now()'],
    [
      'has another attempt than those it had',
      `select count(*) from pontual.results
       where attempt <> 1 + (select count(*) from pontual.attempts where attempts.execution_id = results.execution_id)`,
    ],
    [
      'has an occurrence that is not its own',
      `select count(*) from pontual.occurrences
       left join pontual.executions on executions.id = occurrences.execution_id
       where executions.scheduled_at is distinct from occurrences.scheduled_at`,
    ],
    [
      'has an id that tells another time',
      `select count(*) from pontual.executions
       where abs(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint - date_part('epoch', created_at) * 1000) > 1`,
    ],
    ['lies where rows of no month lie', 'select count(*) from only pontual.executions_default'],
    [
      'is FAULTED without a failure',
      `select count(*) from pontual.jobs where status = 'FAULTED' and status_reason is null`,
    ],
  ])('has nothing that %s', async (_, text) => {
    expect(await one(text)).toBe(0)
  })

  it('is read by the service as any other', async () => {
    const [page, history, dashboard, verdict] = await Promise.all([
      service.jobs.list(ana, { limit: 50, q: 'Importar', sort: 'name', isDescending: false }),
      service.executions.list(ana, { limit: 50, status: ['FAILED'], archived: false }),
      service.overview.dashboard(ana),
      service.audit.verify(ana),
    ])
    expect([page.items.length > 30, history.items.length]).toEqual([true, 50])
    expect(dashboard).toMatchObject({ queued: 10, running: 0 })
    expect(dashboard.last24Hours.succeeded).toBeGreaterThan(300)
    expect(verdict).toMatchObject({ isIntact: true, entries: 100 })
    const [first] = history.items
    const detail = await service.executions.get(ana, first?.id ?? '')
    expect(detail).toMatchObject({ status: 'FAILED', jobId: first?.jobId })
    expect(detail.attempts.length).toBeGreaterThan(0)
    expect(Date.parse(detail.createdAt)).toBeGreaterThan(Date.now() - 91 * DAY_MS)
  })
})
