import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Principal } from '../../../src/access/principal.ts'
import { PontualError } from '../../../src/errors.ts'
import { job, type Pontual, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { somebody } from '../../http/service/stage.ts'

const TENANTS = ['acme', 'globex']
const PEOPLE = ['ana', 'ben', 'dora', 'eva']
const AT_ONCE = 16
const LASTS_MS = 6_000
const KILL_EVERY_MS = 150

const wipe = job('wipe', {
  run: () => {
    if (randomInt(5) === 0) throw new Error('It failed.')
  },
})
const slow = job('slow', { run: (_input: unknown, { signal }) => sleep(randomInt(300), null, { signal }) })

const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item

/** Two nodes that serve people who do all they can to the same jobs at once, while the server ends connections at random. */
describe.skipIf(isPostgresSkipped())('two services', () => {
  let database: TestDatabase
  let client: pg.Client
  let apps: readonly Pontual[] = []
  let services: readonly Service[] = []
  beforeAll(async () => {
    database = await createDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    apps = [1, 2].map(() => pontual({ store: postgres(database.url), jobs: [wipe, slow], logger: 'silent' }))
    await Promise.all(apps.map((app) => app.start()))
    services = apps.map((app) => createService(app))
    await Promise.all(services.map((service) => service.ready()))
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.stop()))
    await client?.end()
    await database?.drop()
  })

  const who = (tenant: string, userId: string): Principal => somebody(userId, 'Admin', { tenant })
  const authors = new Map<number, string>()
  /** Who has said yes to what, or may have: an answer can be lost. */
  const approvers = new Map<number, Set<string>>()
  const sensitive = new Set<string>()
  const jobs: { readonly id: string; readonly tenant: string }[] = []
  const strange: unknown[] = []
  let made = 0

  /** What the next payload is known by, and who thought of it. */
  function written(by: string) {
    made += 1
    authors.set(made, by)
    return { payload: { n: made } }
  }

  async function makeJobs(tenant: string): Promise<void> {
    const service = pick(services)
    await service.administration.updateSettings(who(tenant, 'ana'), { allowsSeconds: true }, null)
    for (const [jobType, requiresTwoStepExecution] of [
      ['wipe', true],
      ['wipe', true],
      ['wipe', false],
      ['slow', false],
    ] as const) {
      const by = pick(PEOPLE)
      const name = `${jobType} ${jobs.length}`
      const fields = { name, jobType, cronExpression: '* * * * * *', retryCount: 0, requiresTwoStepExecution }
      const { id } = await service.jobs.create(who(tenant, by), { ...fields, ...written(by) })
      jobs.push({ id, tenant })
      if (requiresTwoStepExecution) sensitive.add(id)
    }
  }

  async function approve(service: Service, by: Principal, id: string): Promise<void> {
    const { status, version, payload } = await service.jobs.get(by, id)
    if (status !== 'PENDING_APPROVAL') return
    const { n } = payload as { n: number }
    const said = () => approvers.set(n, (approvers.get(n) ?? new Set()).add(by.userId))
    try {
      await service.jobs.approve(by, id, { comment: null, expectedVersion: version })
      said()
    } catch (error) {
      if (error instanceof StoreUnavailableError) said()
      throw error
    }
  }

  const deeds: readonly ((service: Service, by: Principal, id: string) => Promise<unknown>)[] = [
    approve,
    approve,
    approve,
    ({ jobs: own }, by, id) => own.update(by, id, written(by.userId)),
    ({ jobs: own }, by, id) => own.update(by, id, { description: `as ${by.userId} has it` }),
    ({ jobs: own }, by, id) => own.execute(by, id, {}),
    ({ jobs: own }, by, id) => own.execute(by, id, {}),
    ({ jobs: own }, by, id) => own.retry(by, id, null),
    ({ jobs: own }, by, id) => own.cancel(by, id, { executionId: null, reason: null }),
    ({ jobs: own }, by, id) => own.resume(by, id),
    ({ jobs: own }, by, id) =>
      randomInt(4) === 0 ? own.pause(by, id, { reason: null, until: null }) : Promise.resolve(),
    ({ jobs: own }, by, id) => (randomInt(9) === 0 ? own.reject(by, id, { reason: 'Not now.' }) : Promise.resolve()),
    ({ jobs: own }, by, id) => (randomInt(3) === 0 ? own.update(by, id, { status: 'ACTIVE' }) : Promise.resolve()),
  ]

  async function people(until: number): Promise<void> {
    while (performance.now() < until) {
      const { id, tenant } = pick(jobs)
      try {
        await pick(deeds)(pick(services), who(tenant, pick(PEOPLE)), id)
      } catch (error) {
        if (!(error instanceof PontualError)) strange.push(error)
      }
    }
  }

  async function killer(until: number): Promise<void> {
    while (performance.now() < until) {
      await sleep(KILL_EVERY_MS)
      await client.query(
        `select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database()
          and pid <> pg_backend_pid()
        order by random()
        limit 1`,
      )
    }
  }

  /** What a lost connection has hindered is done again. */
  async function surely(act: () => Promise<unknown>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await act()
        return
      } catch (error) {
        if (!(error instanceof StoreUnavailableError) || tries === 9) throw error
      }
    }
  }

  async function endAll(): Promise<void> {
    const [service] = services
    for (const { id, tenant } of jobs) {
      await surely(async () => await service?.jobs.remove(who(tenant, 'ana'), id))
      await surely(async () => await service?.jobs.cancel(who(tenant, 'ana'), id, { executionId: null, reason: null }))
    }
    const count = `select (select count(*) from pontual.ready) + (select count(*) from pontual.leases) as count`
    while (Number((await client.query<{ count: string }>(count)).rows[0]?.count) > 0) await sleep(100)
  }

  it('record each end once, number it, and run nothing that nobody else has approved', async () => {
    for (const tenant of TENANTS) await makeJobs(tenant)
    const until = performance.now() + LASTS_MS
    await Promise.all([killer(until), ...Array.from({ length: AT_ONCE }, () => people(until))])
    await endAll()
    expect(strange).toEqual([])

    for (const tenant of TENANTS) {
      let verdict: unknown
      await surely(async () => (verdict = await services[0]?.audit.verify(who(tenant, 'ana'))))
      expect(verdict).toMatchObject({ isIntact: true })
    }
    const { rows: ends } = await client.query<{ jobId: string; payload: string; number: string; told: string }>(
      `select
        job_id as "jobId",
        payload,
        (select number from pontual.execution_numbers where execution_id = executions.id) as number,
        (
          select count(*)
          from pontual.audit_entries
          where audit_entries.execution_id = executions.id
            and operation in ('JOBS_JOB_EXECUTE', 'JOBS_JOB_FAIL', 'JOBS_JOB_CANCEL')
        ) as told
      from pontual.executions
      join pontual.results on execution_id = executions.id
      order by job_id, number`,
    )
    expect(ends.filter(({ told }) => told !== '1')).toEqual([])
    for (const { id } of jobs) {
      const numbers = ends.filter(({ jobId }) => jobId === id).map(({ number }) => Number(number))
      expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    }
    const unapproved = ends.filter(({ jobId, payload }) => {
      const { n } = JSON.parse(payload) as { n: number }
      const others = [...(approvers.get(n) ?? [])].filter((person) => person !== authors.get(n))
      return sensitive.has(jobId) && others.length === 0
    })
    expect(unapproved).toEqual([])
    expect(ends.some(({ jobId }) => sensitive.has(jobId))).toBe(true)
    const { rows } = await client.query<{ deadlocks: string }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    expect(rows).toEqual([{ deadlocks: '0' }])
  })
})
