import { describe, expect, it } from 'vitest'
import { readPrometheus } from '../../service/prometheus-parser.ts'
import { MailRoom } from './mail-room.ts'
import { once, type Stage } from './stage.ts'

/** Section 9: what is measured, against what it should be. */
const KPIS: readonly [key: string, name: string, unit: string, target: object][] = [
  ['successRate', 'Taxa de Sucesso de Jobs', 'percent', { min: 95 }],
  ['meanDuration', 'Tempo Médio de Execução', 'seconds', { max: 30 }],
  ['retryRate', 'Taxa de Retry', 'percent', { max: 5 }],
  ['workerUtilization', 'Utilização de Workers', 'percent', { min: 40, max: 60 }],
  ['queueTime', 'Tempo de Fila', 'minutes', { max: 5 }],
  ['meanTimeToRecover', 'MTTR (Mean Time To Recover)', 'minutes', { max: 30 }],
  ['schedulerAvailability', 'Disponibilidade do Scheduler', 'percent', { min: 99.9 }],
  ['failureAlertsSent', 'Alertas de Falha Enviados', 'percent', { min: 100 }],
]

export function describeKpis(at: () => Stage): void {
  describe('9 KPIs and metrics', () => {
    it('the eight KPIs come with formula, window and target, in the language asked for', async () => {
      const a = at().company()
      const { status, body } = await a.manager.get('/api/jobs/kpis?windowHours=6', {
        headers: { 'accept-language': 'pt-BR' },
      })
      expect(status).toBe(200)
      expect(body.items).toMatchObject(
        KPIS.map(([key, name, unit, target]) => ({ key, name, unit, target, windowHours: 6 })),
      )
      expect(body['punctuality']).toMatchObject({ windowHours: 6, executions: 0, p99Ms: null })
    })

    it('the dashboard has the six metrics, the KPIs and punctuality', async () => {
      const a = at().company()
      const { body } = await a.admin.get('/api/jobs/dashboard')
      expect(body['metrics']).toEqual({
        executionsRunning: 0,
        workersUsed: 0,
        executionsQueued: 0,
        successRate: null,
        meanDurationMs: null,
        consecutiveFailures: 0,
      })
      expect(body['kpis']).toMatchObject(KPIS.map(([key]) => ({ key, windowHours: 24 })))
      expect(body['punctuality']).toMatchObject({ windowHours: 24 })
    })

    /**
     * One worker: a minute of work, another that waits for half of it and takes a minute too, a failure after one retry, which is told, and ten minutes
     * later what makes the job well again.
     */
    const measured = once(async () => {
      await using room = await MailRoom.open(at())
      const [a, address] = await room.told()
      await a.admin.put('/api/jobs/settings', { concurrency: 1, mailEvents: ['job.failed'] })
      const held = await a.makes({ payload: { isHeld: true } })
      const first = await a.executes(held.id)
      await at().reached(a.admin, first, 'RUNNING')
      await at().test.advance('30s')
      const second = await a.executes(held.id)
      await at().test.advance('30s')
      at().release(first)
      await at().ended(a.admin, first)
      await at().reached(a.admin, second, 'RUNNING')
      await at().test.advance('1m')
      at().release(second)
      await at().ended(a.admin, second)
      const broken = await a.makes({ payload: { failures: 9 }, retryCount: 1 })
      await at().endedAfterRetries(a.admin, await a.executes(broken.id))
      expect(await room.mailsTo(address)).toHaveLength(1)
      await at().test.advance('10m')
      await a.runs(broken.id, { payload: {} })
      const { body } = await a.manager.get('/api/jobs/kpis?windowHours=1')
      return body.items
    })

    it.each<[key: string, value: unknown, isMet: boolean]>([
      ['successRate', 75, false],
      ['meanDuration', 30, true],
      ['retryRate', 25, false],
      ['workerUtilization', expect.closeTo((120 / 3_600) * 100, 3), false],
      // Half a minute for a worker, and one before the retry.
      ['queueTime', expect.closeTo((0.5 + 1) / 4, 3), true],
      ['meanTimeToRecover', expect.closeTo(10, 3), true],
      ['failureAlertsSent', 100, true],
    ])('%s is measured', async (key, value, isMet) => {
      const kpis = await measured()
      expect(kpis.find((kpi) => kpi['key'] === key)).toMatchObject({ value, isMet })
    })

    it('schedulerAvailability is measured', async () => {
      const kpis = await measured()
      const kpi = kpis.find(({ key }) => key === 'schedulerAvailability')
      expect(kpi?.['value']).toBeGreaterThan(0)
      expect(kpi?.['isMet']).toBe(Number(kpi?.['value']) >= 99.9)
    })

    /** One runs, one waits; three have ended, of which the last two have failed. */
    const watched = once(async () => {
      const a = at().company()
      await a.admin.put('/api/jobs/settings', { concurrency: 1 })
      const held = await a.makes({ payload: { isHeld: true } })
      const slow = await a.executes(held.id)
      await at().reached(a.admin, slow, 'RUNNING')
      await at().test.advance('1m')
      at().release(slow)
      await at().ended(a.admin, slow)
      const broken = await a.makes({ payload: { failures: 9 }, retryCount: 0 })
      for (const _ of ['first', 'second']) await a.runs(broken.id)
      const endless = await a.makes({ payload: { isEndless: true } })
      const running = await a.executes(endless.id)
      await at().reached(a.admin, running, 'RUNNING')
      await a.executes(endless.id)
      const { body } = await a.developer.get('/api/jobs/dashboard')
      const { text } = await a.manager.get('/metrics')
      await a.developer.post(`/api/jobs/${endless.id}/cancelar`)
      return { dashboard: body['metrics'] as Record<string, unknown>, families: readPrometheus(text) }
    })

    it.each<[what: string, name: string, value: unknown, family: string, sample: unknown]>([
      ['executions that run now', 'executionsRunning', 1, 'pontual_executions_running', 1],
      ['workers used by the tenant', 'workersUsed', 1, 'pontual_workers_used', 1],
      ['executions in the queue', 'executionsQueued', 1, 'pontual_executions_queued', 1],
      ['success of 24 hours', 'successRate', 1 / 3, 'pontual_success_ratio', expect.closeTo(1 / 3, 6)],
      ['mean duration of 24 hours', 'meanDurationMs', 20_000, 'pontual_mean_duration_seconds', 20],
      ['consecutive failures', 'consecutiveFailures', 2, 'pontual_consecutive_failures', 2],
    ])('%s: on the dashboard, and for Prometheus', async (_what, name, value, family, sample) => {
      const { dashboard, families } = await watched()
      expect(dashboard[name]).toEqual(typeof value === 'number' ? expect.closeTo(value, 6) : value)
      expect(families.get(family)?.samples).toMatchObject([{ value: sample }])
    })

    it.each(['0', '2161', 'x', '1.5'])('a window of %s hours is refused', async (hours) => {
      expect(await at().company().admin.get(`/api/jobs/kpis?windowHours=${hours}`)).toMatchObject({ status: 400 })
    })
  })
}
