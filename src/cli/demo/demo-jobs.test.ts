import { describe, expect, it } from 'vitest'
import { type Env, systemEnv } from '../../clock.ts'
import type { ExecutionView } from '../../engine/execution-view.ts'
import { pontual } from '../../pontual.ts'
import { memory } from '../../store/memory/memory.ts'
import { testPontual } from '../../testing/test-pontual.ts'
import { demoJobs } from './demo-jobs.ts'

let now = Date.parse('2026-03-02T10:00:00Z')
const env: Env = { ...systemEnv, now: () => now }

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

  it('runs by itself what is not sensitive', async () => {
    await using t = await testPontual({ jobs: demoJobs({ env, stepMs: 0 }), startAt: '2026-03-07T12:00:00Z' })
    await t.advance('1 day')
    const runs = async (jobType: string) => (await t.app.executions({ jobType, limit: 1_000 })).length
    expect([await runs('ImportarFaturas'), await runs('LimparCache'), await runs('SincronizarAzureAD')]).toEqual([
      1, 720, 96,
    ])
    expect(await runs('DeletarDadosObsoletos')).toBe(0)
    expect(await t.app.job('DeletarDadosObsoletos')).toMatchObject({ status: 'PENDING_APPROVAL' })
  })
})
