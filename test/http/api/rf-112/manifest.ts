import { describe, expect, it } from 'vitest'
import type { Stage } from './stage.ts'

/** Section 11: what a portal registers. */
export function describeManifest(at: () => Stage): void {
  describe('11 the registration', () => {
    it('is the record of the requirement, with the menu entry', async () => {
      const { status, body } = await at().company().manager.get('/api/jobs/manifest')
      expect(status).toBe(200)
      expect(body).toEqual({
        rfId: 'RF-112',
        nome: 'Jobs e Tarefas Agendadas',
        categoria: 'Automação e Background',
        descricao: 'Sistema de agendamento, execução e monitoramento de jobs em background',
        icone: 'schedule',
        rota: '/jobs',
        permissaoRequerida: 'jobs:read',
        habilitadoPorPadrao: true,
        isSystemFeature: true,
        dependencias: ['RF-004', 'RF-013', 'RF-066'],
        tags: ['jobs', 'scheduling', 'background', 'automation', 'hangfire'],
        metricas: { jobsAtivos: 0, taxaSucesso: 0, workersUtilizados: 0 },
        menu: {
          modulo: 'Service Desk',
          submenu: 'Automação',
          item: 'Jobs e Tarefas Agendadas',
          ordem: 40,
          visivelSe: 'jobs:read',
        },
      })
    })

    it('has metrics of now', async () => {
      const a = at().company()
      const { id } = await a.makes({ retryCount: 0 })
      for (const payload of [{}, {}, {}, { failures: 1 }]) await a.runs(id, { payload })
      await a.developer.post(`/api/jobs/${id}/retomar`)
      await a.makesApproved()
      const endless = await a.makes({ payload: { isEndless: true } })
      await at().reached(a.admin, await a.executes(endless.id), 'RUNNING')
      const { body } = await a.manager.get('/api/jobs/manifest')
      expect(body['metricas']).toEqual({ jobsAtivos: 3, taxaSucesso: 75, workersUtilizados: 1 })
      await a.developer.post(`/api/jobs/${endless.id}/cancelar`)
    })

    it('is not for those who may not read jobs', async () => {
      const nobody = at().company().person('Admin', ['jobs:viewDashboard'])
      expect(await nobody.get('/api/jobs/manifest')).toMatchObject({ status: 403 })
    })
  })
}
