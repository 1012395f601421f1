import { describe, expect, it } from 'vitest'
import { somebody } from '../../../test/http/service/stage.ts'
import { systemEnv } from '../../clock.ts'
import { createService } from '../../service/service.ts'
import { memory } from '../../store/memory/memory.ts'
import type { StoreSource } from '../../store/store.ts'
import { testPontual } from '../../testing/test-pontual.ts'
import { LOCALES, type Locale } from '../../time/locale.ts'
import { demoJobs } from './demo-jobs.ts'
import { changedJob, operatorsJobs } from './operators-jobs.ts'
import { setUpDemo } from './set-up-demo.ts'
import { demoTexts, demoTypes } from './texts.ts'

const dev = somebody('dev', 'Admin', { tenant: 'default' })
const all = { limit: 200, sort: 'name', isDescending: false } as const

async function demoIn(locale: Locale, options: { readonly store?: StoreSource; readonly startAt?: string } = {}) {
  const jobs = demoJobs({ env: systemEnv, stepMs: 0 }, locale)
  const t = await testPontual({ application: 'demo', jobs, ...options })
  const service = createService(t.app, { duties: false })
  await setUpDemo(t.app, service, { locale })
  return { t, service, [Symbol.asyncDispose]: () => t[Symbol.asyncDispose]() }
}

describe.each(LOCALES)('the demo in %s', (locale) => {
  const texts = demoTexts(locale)

  it('is set up once, and keeps the changes of the user', async () => {
    await using demo = await demoIn(locale)
    const { t, service } = demo
    const jobs = (await service.jobs.list(dev, all)).items
    const names = new Set(jobs.map(({ name }) => name))
    expect([...operatorsJobs(texts), changedJob(texts)].every(({ name }) => names.has(name))).toBe(true)
    expect(new Set(jobs.map(({ timeZone }) => timeZone)).size).toBeGreaterThan(3)
    const atMidnight = jobs.filter(({ cronExpression }) => cronExpression === '0 0 * * *')
    expect(atMidnight.length).toBeGreaterThan(5)
    expect(await service.administration.language(dev)).toBe(locale)

    const waiting = jobs.filter(({ status }) => status === 'PENDING_APPROVAL')
    expect(waiting.map(({ name }) => name)).toEqual([texts.operators.changed.name, texts.deleteObsolete.name])
    const changed = await service.jobs.approval(dev, waiting[0]?.id ?? '')
    expect(changed).toMatchObject({ isPending: true, isFirst: false, requestedBy: texts.company.people.maker })
    expect(changed.changes.map(({ field }) => field)).toEqual(['cronExpression', 'payload', 'retryCount'])
    await service.jobs.approve(dev, waiting[0]?.id ?? '', { comment: null })

    const backup = texts.operators.atMidnight[1]!.name
    await service.jobs.remove(dev, jobs.find(({ name }) => name === backup)?.id ?? '')
    await setUpDemo(t.app, service, { locale })
    expect((await service.jobs.list(dev, all)).items.map(({ name }) => name)).not.toContain(backup)
    expect((await service.audit.verify(dev)).isIntact).toBe(true)
  })

  it('runs jobs at once, some of which fail, wait or take their time', async () => {
    await using demo = await demoIn(locale, { startAt: '2026-03-02T12:00:30Z' })
    const { t, service } = demo
    await t.advance('10s')
    const runs = (await service.executions.list(dev, { limit: 100, archived: false })).items
    expect(new Set(runs.map(({ jobType }) => jobType)).size).toBeGreaterThan(5)
    const statuses = new Set(runs.map(({ status }) => status))
    expect(['SUCCESS', 'FAILED', 'WAITING'].every((status) => statuses.has(status as 'SUCCESS'))).toBe(true)
  })
})

it('replaces the demo of the other language in the same database, and keeps its history', async () => {
  const store = memory()
  const [english, portuguese] = [demoTexts('en'), demoTexts('pt-BR')]
  const seen: string[][] = []
  for (const locale of ['pt-BR', 'en', 'pt-BR'] as const) {
    await using demo = await demoIn(locale, { store, startAt: `2026-03-0${2 + seen.length}T12:00:30Z` })
    const { t, service } = demo
    await t.advance('10s')
    const jobs = (await service.jobs.list(dev, all)).items
    seen.push(jobs.map(({ name }) => name))
    expect(jobs.map(({ name, status }) => [name, status]).filter(([, status]) => status === 'DISABLED')).toEqual([])
    expect((await service.administration.calendars(dev)).map(({ name }) => name)).toEqual([
      demoTexts(locale).businessDays.name,
    ])
    expect(await service.administration.language(dev)).toBe(locale)
    const other = locale === 'en' ? portuguese : english
    const unfinished = await service.executions.list(dev, {
      limit: 200,
      archived: false,
      status: ['QUEUED', 'RUNNING', 'WAITING'],
    })
    const types = new Set(unfinished.items.map(({ jobType }) => jobType))
    expect(demoTypes(other).filter((type) => types.has(type))).toEqual([])
    if (seen.length > 1) {
      const past = await service.executions.list(dev, {
        limit: 200,
        archived: false,
        jobType: other.processOrder.name,
      })
      expect(past.items.length).toBeGreaterThan(0)
    }
  }
  const [first = [], second = [], third = []] = seen
  expect(first).toContain('ImportarFaturas')
  expect(second).toContain('ImportInvoices')
  expect(first.filter((name) => second.includes(name))).toEqual([])
  expect(third).toEqual(first)
})
