import { describe, expect, it } from 'vitest'
import type { Flag } from '../../../../src/access/flag.ts'
import type { Company, Stage } from './stage.ts'

const NOTHING_BUT = { 'accept-language': 'en' }

/** Section 4.1: what can be switched off. */
export function describeFlags(at: () => Stage): void {
  const flagsOf = async ({ manager }: Company, headers = NOTHING_BUT) =>
    (await manager.get('/api/jobs/flags', { headers })).body.items

  async function put({ admin }: Company, flag: Flag, habilitado: boolean | null): Promise<void> {
    const { status, text } = await admin.put(`/api/jobs/flags/${flag}`, { habilitado })
    expect(status, text).toBe(200)
  }

  describe('4.1 the flags', () => {
    it('are the record of the requirement, and those beside it, all of them on', async () => {
      const [first, ...others] = await flagsOf(at().company())
      expect(first).toEqual({
        featureKey: 'JOBS_SCHEDULING',
        nome: 'Sistema de Jobs e Agendamentos',
        descricao: 'Habilita agendamento, execução e monitoramento de tarefas em background',
        name: 'Jobs and schedules',
        description: 'Jobs fire, and executions run and are watched',
        habilitado: true,
        isSystemFeature: true,
        relatedFeatures: ['HANGFIRE_DASHBOARD', 'JOB_RETRY_POLICY', 'JOB_NOTIFICATIONS'],
        source: 'default',
      })
      expect(others.map(({ featureKey, habilitado }) => [featureKey, habilitado])).toEqual([
        ['HANGFIRE_DASHBOARD', true],
        ['JOB_RETRY_POLICY', true],
        ['JOB_NOTIFICATIONS', true],
      ])
    })

    it('have names in the language of whoever asks', async () => {
      const [first] = await flagsOf(at().company(), { 'accept-language': 'pt-BR' })
      expect(first).toMatchObject({ name: first?.['nome'], description: first?.['descricao'] })
    })

    it('JOBS_SCHEDULING: off, nothing fires or runs, and jobs say so; on again, nothing is made up for', async () => {
      const a = at().company()
      const { id } = await a.makes({ cronExpression: '* * * * *' })
      expect(await a.reads(id)).toMatchObject({ status: 'ACTIVE', isSuspended: false })
      await put(a, 'JOBS_SCHEDULING', false)
      expect(await a.reads(id)).toMatchObject({ status: 'ACTIVE', isSuspended: true })
      const { status, body } = await a.developer.post(`/api/jobs/${id}/executar`)
      expect([status, body['notice']]).toEqual([202, 'suspended'])
      expect(body['message']).toEqual(expect.any(String))
      await at().test.advance('1m')
      const history = async () => (await a.admin.get(`/api/jobs/${id}/historico`)).body.items
      expect(await history()).toMatchObject([{ id: body.executionId, status: 'QUEUED' }])

      await put(a, 'JOBS_SCHEDULING', true)
      await at().ended(a.admin, body.executionId)
      expect(await history()).toMatchObject([{ id: body.executionId, status: 'SUCCESS', origin: 'manual' }])
      expect((await a.admin.get('/api/jobs')).body.items).toMatchObject([{ id, isSuspended: false }])
      await at().test.advance('1m')
      await at().until(history, ({ length }) => length === 2)
      await a.admin.delete(`/api/jobs/${id}`)
    })

    it('HANGFIRE_DASHBOARD: off, there is no dashboard', async () => {
      const a = at().company()
      await put(a, 'HANGFIRE_DASHBOARD', false)
      expect(await a.admin.get('/api/jobs/dashboard')).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(await at().company().admin.get('/api/jobs/dashboard')).toMatchObject({ status: 200 })
      await put(a, 'HANGFIRE_DASHBOARD', null)
      expect(await a.admin.get('/api/jobs/dashboard')).toMatchObject({ status: 200 })
    })

    it('JOB_RETRY_POLICY: off, nothing is tried again', async () => {
      const [a, b] = [at().company(), at().company()]
      await put(a, 'JOB_RETRY_POLICY', false)
      await at().test.advance('2s')
      const failing = { payload: { failures: 9 }, retryCount: 3 }
      const { id } = await a.makes(failing)
      expect(await a.runs(id)).toMatchObject({ status: 'FAILED', retryCount: 0 })
      const other = await b.makes(failing)
      await at().reached(b.admin, await b.executes(other.id), 'QUEUED')
      await b.developer.post(`/api/jobs/${other.id}/cancelar`)
    })

    it('are switched by Admins alone, and that is told', async () => {
      const a = at().company()
      const body = { habilitado: false }
      for (const person of [a.developer, a.manager, a.person('Admin', ['jobs:read'])]) {
        expect(await person.put('/api/jobs/flags/JOB_NOTIFICATIONS', body)).toMatchObject({ status: 403 })
      }
      expect(await a.admin.put('/api/jobs/flags/JOB_NOTIFICATIONS', body)).toMatchObject({
        status: 200,
        body: { featureKey: 'JOB_NOTIFICATIONS', habilitado: false, source: 'stored' },
      })
      await put(a, 'JOB_NOTIFICATIONS', false)
      await put(a, 'JOB_NOTIFICATIONS', null)
      expect((await flagsOf(a)).map(({ source }) => source)).toEqual(['default', 'default', 'default', 'default'])
      expect(await a.audited()).toMatchObject([
        {
          operation: 'JOBS_FLAG_UPDATE',
          operationType: 'UPDATE',
          oldValues: { JOB_NOTIFICATIONS: false },
          newValues: { JOB_NOTIFICATIONS: null },
        },
        { userId: a.admin.id, oldValues: { JOB_NOTIFICATIONS: null }, newValues: { JOB_NOTIFICATIONS: false } },
      ])
    })

    it.each<[string, string, unknown, number]>([
      ['a flag that there is not', 'JOBS_FLYING', { habilitado: true }, 404],
      ['a name that every object has', 'constructor', { habilitado: true }, 404],
      ['neither on nor off', 'JOBS_SCHEDULING', { habilitado: 'off' }, 400],
      ['nothing', 'JOBS_SCHEDULING', {}, 400],
      ['something beside it', 'JOBS_SCHEDULING', { habilitado: true, nome: 'x' }, 400],
    ])('refuse %s', async (_case, flag, body, status) => {
      expect((await at().company().admin.put(`/api/jobs/flags/${flag}`, body)).status).toBe(status)
    })
  })
}
