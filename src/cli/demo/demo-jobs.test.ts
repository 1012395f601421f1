import { describe, expect, it } from 'vitest'
import { type Env, systemEnv } from '../../clock.ts'
import type { ExecutionView } from '../../engine/app/executions.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import { pontual } from '../../pontual.ts'
import { memory } from '../../store/memory/memory.ts'
import { testPontual } from '../../testing/test-pontual.ts'
import { LOCALES, type Locale } from '../../time/locale.ts'
import { demoJobs } from './demo-jobs.ts'
import { largeOrder } from './process-order.ts'
import { demoTexts } from './texts.ts'

let now = Date.parse('2026-03-02T10:00:00Z')
const env: Env = { ...systemEnv, now: () => now }

/** A day of all of them is long. */
function only(locale: Locale, ...ids: readonly string[]): readonly AnyJobType[] {
  return demoJobs({ env, stepMs: 0 }, locale).filter(({ id }) => ids.includes(id))
}

describe.each(LOCALES)('the demo in %s', (locale) => {
  const texts = demoTexts(locale)
  const { importInvoices, clearCache, syncDirectory, processOrder, issueInvoice, deleteObsolete } = texts
  const { steps, statuses } = processOrder
  const [reconcilePayments, exportLegacy] = [texts.reconcilePayments.name, texts.exportLegacy.name]

  it('imports invoices once, refuses those that do not add up, and clears its cache when that is old', async () => {
    await using app = pontual({ store: memory(), jobs: demoJobs({ env, stepMs: 0 }, locale), logger: 'silent' })
    await app.start()
    const run = async (jobType: string, input?: unknown): Promise<ExecutionView> =>
      await app.waitFor((await app.enqueue(jobType, input)).id)

    const first = (await run(importInvoices.name)).output as Record<string, number>
    expect(first).toMatchObject({ month: '2026-03' })
    expect(first['imported']).toBeGreaterThan(5)
    expect(first['imported']! + first['refused']!).toBe(first['invoices'])
    expect((await run(importInvoices.name, { month: '2026-03' })).output).toEqual({ ...first, imported: 0 })

    expect((await run(clearCache.name)).output).toMatchObject({ removed: 0, kept: first['imported'] })
    now += 600_000
    expect((await run(clearCache.name)).output).toMatchObject({ removed: first['imported'], kept: 0 })
    await expect(app.enqueue(importInvoices.name, { month: '2026-13' })).rejects.toThrow(importInvoices.monthRule)
  })

  it('reads its directory page by page, again where it is asked to, and goes on from there', async () => {
    await using t = await testPontual({ jobs: demoJobs({ env, stepMs: 0 }, locale) })
    const { id } = await t.app.enqueue(syncDirectory.name)
    await t.advance('1m')
    const { status, output } = (await t.app.execution(id)) ?? {}
    expect([status, output]).toMatchObject(['SUCCESS', { removed: 0 }])
    const pages = (await t.app.history(id)).filter(({ name }) => name !== syncDirectory.apply)
    expect(pages.map(({ attempt }) => attempt)).toEqual([1, 2, 1, 1])
  })

  it('takes an order to the door, however often the gateway does not answer', async () => {
    await using t = await testPontual({ jobs: demoJobs({ env, stepMs: 0 }, locale) })
    const { id } = await t.app.enqueue(processOrder.name)
    await t.advance('1m')
    expect(await t.app.execution(id)).toMatchObject({
      status: 'SUCCESS',
      output: { status: statuses.dispatched, totalCents: 18_900, invoice: `${issueInvoice.prefix}-000001` },
    })
    const history = (await t.app.history(id)).map(({ kind, name, attempt }) => [kind, name, attempt])
    expect(history).toEqual([
      ['activity', steps.reserve, 1],
      ['activity', steps.charge, 3],
      ['timer', 'sleep', 0],
      ['start', issueInvoice.name, 0],
      ['child', issueInvoice.name, 0],
      ['activity', steps.dispatch, 1],
    ])
  })

  it.each<[string, unknown, string]>([
    ['is shipped after its approval', { approved: true, by: 'bia' }, statuses.dispatched],
    ['is refunded after a rejection', { approved: false }, statuses.declined],
    ['is refunded if no approval arrives', null, statuses.declined],
  ])('a large order %s', async (_, answer, status) => {
    await using t = await testPontual({ jobs: demoJobs({ env, stepMs: 0 }, locale) })
    const { id } = await t.app.enqueue(processOrder.name, largeOrder(processOrder))
    await t.advance('1m')
    expect(await t.app.execution(id)).toMatchObject({ status: 'WAITING' })
    if (answer !== null) await t.app.signal(id, processOrder.signal, answer)
    await t.advance(answer === null ? '2h' : '1m')
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: { status } })
  })

  it('fails now and then, and one job for good', async () => {
    const jobs = only(locale, reconcilePayments, exportLegacy)
    await using t = await testPontual({ jobs, startAt: '2026-03-02T12:00:30Z', onFaulted: 'stop' })
    await t.advance('6h')
    const runs = await t.app.executions({ jobType: reconcilePayments, limit: 1_000 })
    const failed = runs.filter(({ status }) => status === 'FAILED')
    expect([runs.length, new Set(failed.map(({ error }) => error?.code)).size > 2]).toEqual([180, true])
    expect(failed.length).toBeGreaterThan(5)
    expect(failed.length).toBeLessThan(60)
    expect(['ACTIVE', 'FAULTED']).toContain((await t.app.job(reconcilePayments))?.status)
    expect(await t.app.job(exportLegacy)).toMatchObject({ status: 'FAULTED' })
    expect(await t.app.executions({ jobType: exportLegacy })).toHaveLength(1)
  })

  it('runs by itself what is not sensitive', async () => {
    const jobs = only(locale, importInvoices.name, clearCache.name, syncDirectory.name, deleteObsolete.name)
    await using t = await testPontual({ jobs, startAt: '2026-03-07T12:00:00Z' })
    await t.advance('1 day')
    const runs = async (jobType: string) => (await t.app.executions({ jobType, limit: 1_000 })).length
    expect([await runs(importInvoices.name), await runs(clearCache.name), await runs(syncDirectory.name)]).toEqual([
      1, 720, 96,
    ])
    expect(await runs(deleteObsolete.name)).toBe(0)
    expect(await t.app.job(deleteObsolete.name)).toMatchObject({ status: 'PENDING_APPROVAL' })
  })
})
