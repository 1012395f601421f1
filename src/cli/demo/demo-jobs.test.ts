import { describe, expect, it } from 'vitest'
import { type Env, systemEnv } from '../../clock.ts'
import type { ExecutionView } from '../../engine/execution-view.ts'
import type { AnyJobType } from '../../job/job-type.ts'
import { pontual } from '../../pontual.ts'
import { memory } from '../../store/memory/memory.ts'
import { testPontual } from '../../testing/test-pontual.ts'
import { demoJobs } from './demo-jobs.ts'
import { LARGE_ORDER } from './process-order.ts'

let now = Date.parse('2026-03-02T10:00:00Z')
const env: Env = { ...systemEnv, now: () => now }

/** A day of all of them is long. */
function only(...ids: readonly string[]): readonly AnyJobType[] {
  return demoJobs({ env, stepMs: 0 }).filter(({ id }) => ids.includes(id))
}

describe('the demo', () => {
  it('imports invoices once, refuses those that do not add up, and clears its cache when that is old', async () => {
    await using app = pontual({ store: memory(), jobs: demoJobs({ env, stepMs: 0 }), logger: 'silent' })
    await app.start()
    const run = async (jobType: string, input?: unknown): Promise<ExecutionView> =>
      await app.waitFor((await app.enqueue(jobType, input)).id)

    const first = (await run('ImportarFaturas')).output as Record<string, number>
    expect(first).toMatchObject({ month: '2026-03' })
    expect(first['imported']).toBeGreaterThan(5)
    expect(first['imported']! + first['refused']!).toBe(first['invoices'])
    expect((await run('ImportarFaturas', { month: '2026-03' })).output).toEqual({ ...first, imported: 0 })

    expect((await run('LimparCache')).output).toMatchObject({ removed: 0, kept: first['imported'] })
    now += 600_000
    expect((await run('LimparCache')).output).toMatchObject({ removed: first['imported'], kept: 0 })
    await expect(app.enqueue('ImportarFaturas', { month: '2026-13' })).rejects.toThrow('a month such as 2026-03')
  })

  it('reads its directory page by page, again where it is asked to, and goes on from there', async () => {
    await using t = await testPontual({ jobs: demoJobs({ env, stepMs: 0 }) })
    const { id } = await t.app.enqueue('SincronizarAzureAD')
    await t.advance('1m')
    const { status, output } = (await t.app.execution(id)) ?? {}
    expect([status, output]).toMatchObject(['SUCCESS', { removed: 0 }])
    const pages = (await t.app.history(id)).filter(({ name }) => name?.startsWith('read-page'))
    expect(pages.map(({ attempt }) => attempt)).toEqual([1, 2, 1, 1])
  })

  it('takes an order to the door, however often the gateway does not answer', async () => {
    await using t = await testPontual({ jobs: demoJobs({ env, stepMs: 0 }) })
    const { id } = await t.app.enqueue('ProcessarPedido')
    await t.advance('1m')
    expect(await t.app.execution(id)).toMatchObject({
      status: 'SUCCESS',
      output: { status: 'despachado', totalCents: 18_900, invoice: 'NF-000001' },
    })
    const steps = (await t.app.history(id)).map(({ kind, name, attempt }) => [kind, name, attempt])
    expect(steps).toEqual([
      ['activity', 'reservar-estoque', 1],
      ['activity', 'cobrar', 3],
      ['timer', 'sleep', 0],
      ['start', 'EmitirNotaFiscal', 0],
      ['child', 'EmitirNotaFiscal', 0],
      ['activity', 'despachar', 1],
    ])
  })

  it.each<[string, unknown, string]>([
    ['goes on once somebody approves it', { approved: true, by: 'bia' }, 'despachado'],
    ['is paid back where somebody refuses it', { approved: false }, 'recusado'],
    ['is paid back where nobody answers', null, 'recusado'],
  ])('a large order %s', async (_, answer, status) => {
    await using t = await testPontual({ jobs: demoJobs({ env, stepMs: 0 }) })
    const { id } = await t.app.enqueue('ProcessarPedido', LARGE_ORDER)
    await t.advance('1m')
    expect(await t.app.execution(id)).toMatchObject({ status: 'WAITING' })
    if (answer !== null) await t.app.signal(id, 'aprovação', answer)
    await t.advance(answer === null ? '2h' : '1m')
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: { status } })
  })

  it('fails now and then, and one job for good', async () => {
    const jobs = only('ConciliarPagamentos', 'ExportarLegado')
    await using t = await testPontual({ jobs, startAt: '2026-03-02T12:00:30Z', onFaulted: 'stop' })
    await t.advance('6h')
    const runs = await t.app.executions({ jobType: 'ConciliarPagamentos', limit: 1_000 })
    const failed = runs.filter(({ status }) => status === 'FAILED')
    expect([runs.length, new Set(failed.map(({ error }) => error?.code)).size > 2]).toEqual([180, true])
    expect(failed.length).toBeGreaterThan(5)
    expect(failed.length).toBeLessThan(60)
    expect(['ACTIVE', 'FAULTED']).toContain((await t.app.job('ConciliarPagamentos'))?.status)
    expect(await t.app.job('ExportarLegado')).toMatchObject({ status: 'FAULTED' })
    expect(await t.app.executions({ jobType: 'ExportarLegado' })).toHaveLength(1)
  })

  it('runs by itself what is not sensitive', async () => {
    const jobs = only('ImportarFaturas', 'LimparCache', 'SincronizarAzureAD', 'DeletarDadosObsoletos')
    await using t = await testPontual({ jobs, startAt: '2026-03-07T12:00:00Z' })
    await t.advance('1 day')
    const runs = async (jobType: string) => (await t.app.executions({ jobType, limit: 1_000 })).length
    expect([await runs('ImportarFaturas'), await runs('LimparCache'), await runs('SincronizarAzureAD')]).toEqual([
      1, 720, 96,
    ])
    expect(await runs('DeletarDadosObsoletos')).toBe(0)
    expect(await t.app.job('DeletarDadosObsoletos')).toMatchObject({ status: 'PENDING_APPROVAL' })
  })
})
