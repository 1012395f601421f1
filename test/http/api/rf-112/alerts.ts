import { describe, expect, it } from 'vitest'
import { pontualIn } from '../../../../src/pontual.ts'
import { createApi } from '../../../../src/server/create-api.ts'
import { serve } from '../../../../src/server/mount/serve.ts'
import { ManualEnv } from '../../../../src/testing/manual-env.ts'
import { stopByHand } from '../../../../src/testing/test-pontual.ts'
import { Tracker } from '../../../../src/testing/tracked-store.ts'
import type { Body } from './reply.ts'
import { type Company, SECRET, type Stage } from './stage.ts'

const PORTUGUESE = { headers: { 'accept-language': 'pt-BR' } }

/** Alerts of section 10, by who is to see them. */
async function alertsOf({ manager }: Company, query: string): Promise<readonly Body[]> {
  const { status, text, body } = await manager.get(`/api/jobs/alerts?${query}`, PORTUGUESE)
  expect(status, text).toBe(200)
  return body.items
}

/** Section 10: what opens an alert, how it is told, and what closes it. */
export function describeAlerts(at: () => Stage): void {
  /** How it was logged that an alert has opened. */
  const levelsOf = (tenant: string, kind: string) =>
    at()
      .alertLines.filter((line) => line.message === 'alert.opened' && line.tenant === tenant && line.kind === kind)
      .map(({ level }) => level)

  /** The alert of a kind, once it is open and told. */
  async function opens(company: Company, kind: string): Promise<readonly Body[]> {
    const look = async () => {
      await at().pass(15)
      return levelsOf(company.id, kind).length > 0 ? await alertsOf(company, `kind=${kind}&isOpen=true`) : []
    }
    return await at().until(look, ({ length }) => length > 0)
  }

  describe('10.1 the alerts', () => {
    it('have the thresholds of the table, which are settings', async () => {
      const a = at().company()
      const { body } = await a.manager.get('/api/jobs/alerts', PORTUGUESE)
      expect((body['rules'] as Body[]).map(({ kind, name, threshold }) => [kind, name, threshold])).toEqual([
        ['jobFailed', 'Job Falhado', null],
        ['workersSaturated', 'Worker Pool Saturado', null],
        ['queueCongested', 'Fila Congestionada', 100],
        ['timeoutsFrequent', 'Timeout Frequente', 0.1],
      ])
      const all = (await at().operator().manager.get('/api/jobs/alerts', PORTUGUESE)).body['rules'] as Body[]
      expect(all.filter(({ scope }) => scope === 'global').map(({ name, threshold }) => [name, threshold])).toEqual([
        ['Worker Pool Saturado', null],
        ['Fila Congestionada', 100],
        ['Scheduler Indisponível', 30],
        ['Auditoria Cheia', 2 ** 30],
      ])
      const changed = await a.admin.put('/api/jobs/alerts/queueCongested', { threshold: 5 })
      expect(changed).toMatchObject({ status: 200, body: { threshold: 5 } })
      expect(await a.developer.put('/api/jobs/alerts/queueCongested', { threshold: 6 })).toMatchObject({ status: 403 })
      expect(await a.audited()).toMatchObject([{ operation: 'JOBS_ALERT_UPDATE', userId: a.admin.id }])
    })

    it('Job Falhado: after the last retry, until the job succeeds', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { failures: 9 }, retryCount: 3 })
      const executionId = await a.executes(id)
      await at().reached(a.admin, executionId, 'QUEUED')
      expect(await alertsOf(a, 'isOpen=true')).toEqual([])
      await at().endedAfterRetries(a.admin, executionId)
      expect(await alertsOf(a, 'isOpen=true')).toMatchObject([
        {
          kind: 'jobFailed',
          level: 'error',
          jobId: id,
          executionId,
          action: expect.stringContaining('ticket') as unknown,
        },
      ])
      await opens(a, 'jobFailed')
      expect(levelsOf(a.id, 'jobFailed')).toEqual(['error'])
      await a.runs(id, { payload: {} })
      expect(await alertsOf(a, 'isOpen=true')).toEqual([])
      expect(await alertsOf(a, 'kind=jobFailed')).toMatchObject([{ isOpen: false, outcome: 'recovered' }])
    })

    it('Worker Pool Saturado: ten workers of ten', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { isEndless: true } })
      const running: string[] = []
      for (let made = 0; made < 10; made += 1) running.push(await a.executes(id))
      for (const each of running) await at().reached(a.admin, each, 'RUNNING')
      expect(await opens(a, 'workersSaturated')).toMatchObject([
        { kind: 'workersSaturated', level: 'warn', value: 10, action: 'Considere aumentar a capacidade.' },
      ])
      expect(levelsOf(a.id, 'workersSaturated')).toEqual(['warn'])
      await a.developer.post(`/api/jobs/${id}/cancelar`)
    })

    it('Fila Congestionada: a hundred in the queue', async () => {
      const a = at().company()
      await a.admin.put('/api/jobs/flags/JOBS_SCHEDULING', { habilitado: false })
      const { id } = await a.makes()
      const fill = async (count: number) => {
        await Promise.all(Array.from({ length: count }, () => a.developer.post(`/api/jobs/${id}/executar`)))
      }
      await fill(99)
      await at().pass(90)
      expect(await alertsOf(a, 'isOpen=true')).toEqual([])
      await fill(1)
      expect(await opens(a, 'queueCongested')).toMatchObject([
        { kind: 'queueCongested', level: 'error', value: 100, action: 'Investigue workers lentos.' },
      ])
      expect(levelsOf(a.id, 'queueCongested')).toEqual(['error'])
      expect((await a.developer.get('/api/jobs/dashboard', PORTUGUESE)).body['alerts']).toMatchObject([
        { name: 'Fila Congestionada' },
      ])
      await a.developer.post(`/api/jobs/${id}/cancelar`)
    })

    it('Timeout Frequente: more than a tenth of an hour’s attempts', async () => {
      const a = at().company()
      const hung = await a.makes({ payload: { isEndless: true }, timeoutMinutes: 5, retryCount: 0 })
      for (const _ of ['first', 'second']) {
        const executionId = await a.executes(hung.id)
        await at().reached(a.admin, executionId, 'RUNNING')
        await at().test.advance('5m')
        expect(await at().ended(a.admin, executionId)).toMatchObject({ status: 'TIMEOUT' })
      }
      const fine = await a.makes()
      for (let made = 0; made < 10; made += 1) await a.runs(fine.id)
      expect(await opens(a, 'timeoutsFrequent')).toMatchObject([
        { isOpen: true, level: 'warn', action: 'Aumente o timeout ou otimize o job.' },
      ])
      expect(levelsOf(a.id, 'timeoutsFrequent')).toEqual(['warn'])
    })

    it('Auditoria Cheia: what is there goes to the archive at once', async () => {
      const operator = at().operator()
      const a = at().company()
      await a.makes()
      const [archive] = (await operator.admin.get('/api/jobs?q=pontual.archive')).body.items
      const path = `/api/jobs/${archive?.id ?? ''}`
      await operator.admin.put(path, { payload: { auditBytes: 1_000_000 } })
      await operator.admin.put('/api/jobs/alerts/auditFull', { threshold: 1_000_000, holdSeconds: 0 })
      const { store } = await at().test.app.opened()
      const draft = {
        operation: 'JOBS_JOB_UPDATE',
        userId: null,
        jobId: null,
        executionId: null,
        oldValues: null,
      } as const
      const text = () => Array.from({ length: 1_200 }, () => crypto.randomUUID()).join('')
      await store.audit.append(
        Array.from({ length: 30 }, () => ({ ...draft, tenant: a.id, newValues: { text: text() } })),
      )
      expect(await opens(operator, 'auditFull')).toMatchObject([{ scope: 'global', level: 'warn', isOpen: true }])
      expect(levelsOf('default', 'auditFull')).toEqual(['warn'])
      const history = async () => (await operator.admin.get(`${path}/historico?limit=1`)).body.items
      await at().until(history, ([run]) => run?.['origin'] === 'manual' && run.status === 'SUCCESS')
      expect(await a.audited()).toEqual([])
      expect(await a.audited('&archived=true')).toHaveLength(31)
      expect((await a.admin.get('/api/jobs/audit-log/verify')).body).toMatchObject({ isIntact: true, entries: 31 })
      await operator.admin.put('/api/jobs/alerts/auditFull', { threshold: null, holdSeconds: 60 })
      await operator.admin.put(path, { payload: null })
    })
  })
}

/** To be the last one: afterwards nobody runs anything. */
export function describeUnavailable(at: () => Stage): void {
  describe('10.1 the alerts', () => {
    it('Scheduler Indisponível: nobody has lived for half a minute, which a process without a node notices', async () => {
      const { source, test } = at()
      const tracker = new Tracker()
      const env = new ManualEnv({ startAt: test.now(), seed: 1, ...tracker.activity })
      const app = pontualIn({ store: tracker.watch(source), logger: 'silent' }, { env, now: () => env.now() })
      const api = await createApi(app, { identity: { jwt: { secret: SECRET } } })
      const served = await serve(api, { port: 0 })
      const { manager } = at().operator()
      const open = async () => {
        const { body } = await manager.at(served.url).get('/api/jobs/alerts?kind=schedulerUnavailable', PORTUGUESE)
        return body.items
      }
      const pass = async (seconds: number) => {
        for (let passed = 0; passed < seconds; passed += 15) await env.moveTo(env.now() + 15_000)
      }
      try {
        await pass(60)
        expect(await open()).toEqual([])
        await test.stop()
        await env.moveTo(test.now())
        // Long enough that a look which a busy machine leaves out is not missed.
        await pass(180)
        expect(await open()).toMatchObject([
          { scope: 'global', level: 'error', isOpen: true, action: 'Acione o engenheiro de plantão.' },
        ])
        const told = await manager.at(served.url).get('/api/jobs/notifications?event=scheduler.unavailable')
        expect(told.body.items).toHaveLength(1)
      } finally {
        await served.close()
        await stopByHand(app, env)
      }
    })
  })
}
