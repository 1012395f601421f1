import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { findChromium } from './chromium.ts'
import { type ExecutionStage, executionJobs, HOSTILE } from './execution-jobs.ts'
import { openStage, type Stage } from './stage.ts'

const chromium = findChromium()

describe.skipIf(chromium === null)('the list of executions', () => {
  let stage: Stage
  let made: ExecutionStage
  const jobs = new Map<string, string>()

  const execute = (name: string, payload?: unknown) =>
    stage.ask<{ executionId: string }>('POST', `/api/jobs/${jobs.get(name)}/execute`, {
      body: payload === undefined ? {} : { payload },
    })
  const count = async (q: string) =>
    (await stage.ask<{ items: unknown[] }>('GET', `/api/jobs/executions?limit=200&q=${q}`)).items.length

  beforeAll(async () => {
    made = executionJobs()
    stage = await openStage({ chromium, jobs: made.jobs })
    const { items } = await stage.ask<{ items: { id: string; name: string }[] }>('GET', '/api/jobs')
    for (const { id, name } of items) jobs.set(name, id)
    await Promise.all(Array.from({ length: 60 }, () => execute('bill')))
    await execute('bill', { month: 'bad' })
    await execute('slow')
    await vi.waitUntil(async () => (await count('status:success')) === 60, { timeout: 10_000 })
    await vi.waitUntil(async () => (await count('status:failed,running')) === 2, { timeout: 10_000 })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  const rows = (page: Page) => page.getByRole('table', { name: 'Executions' }).locator('tbody').getByRole('row')
  const box = (page: Page) => page.getByRole('combobox', { name: 'Search executions: error, job or id' })

  it('shows what runs and what ran, page by page; what people typed is text', async () => {
    await using visit = await stage.visit('executions')
    const { page } = visit
    await rows(page).first().waitFor()
    expect(await rows(page).count()).toBe(50)
    const running = rows(page).filter({ hasText: 'Running' })
    await running.getByText('40%').waitFor()
    await rows(page).filter({ hasText: 'Failed' }).getByText(`connect ECONNREFUSED ${HOSTILE}`).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows(page).count()).toBe(62)
    await rows(page)
      .filter({ hasText: 'Failed' })
      .getByRole('link', { name: /^Failed: bill, / })
      .click()
    await page.getByRole('heading', { level: 1, name: 'bill' }).waitFor()
  })

  it('is searched and filtered; what was looked for stands in the address', async () => {
    await using visit = await stage.visit('executions')
    const { page, watch } = visit
    const failed = page.getByRole('button', { name: 'Failed', exact: true })
    await failed.click()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(new URL(page.url()).searchParams.get('q')).toBe('status:failed,timeout')
    await page.getByLabel('Period').selectOption('1h')
    await page.getByRole('button', { name: 'Remove the filter After: 1 h ago' }).waitFor()
    await page.getByLabel('Include the archive (older than 90 days)').check()
    await expect.poll(() => new URL(page.url()).search).toContain('archived=true')
    await page.reload()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(await failed.getAttribute('aria-pressed')).toBe('true')

    await box(page).fill('econnrefused job:bill')
    await box(page).press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('econnrefused job:bill')
    await expect.poll(() => rows(page).count()).toBe(1)
    await box(page).fill('nothing like it')
    await box(page).press('Enter')
    await page.getByText('No execution matches the search.').waitFor()
    await expectAccessible(page)
    watch.expect(/^400 GET .*\/executions\?/)
    await box(page).fill('colour:red')
    await box(page).press('Enter')
    await page.getByText('There is no search key "colour"').waitFor()
    await expectAccessible(page)
  })

  it('is narrowed down to dates of one’s own, in the zone of whoever looks', async () => {
    await using visit = await stage.visit('executions')
    const { page } = visit
    await page.getByLabel('Period').selectOption('own')
    await page.getByLabel('From (GMT-3)').fill('2020-01-01T00:00')
    await page.getByLabel('To (GMT-3)').fill('2020-01-02T00:00')
    await page.getByText('No execution matches the search.').waitFor()
    const q = new URL(page.url()).searchParams.get('q')
    expect(q).toBe('after:2020-01-01T03:00:00Z before:2020-01-02T03:00:00Z')
    await page.getByRole('button', { name: 'Clear the search' }).last().click()
    await rows(page).first().waitFor()
  })

  it('on a phone, in Portuguese, in the dark, is alive', async () => {
    await using visit = await stage.visit('executions?q=status:running,success%20job:slow', {
      language: 'pt-BR',
      theme: 'dark',
      width: 360,
    })
    const { page } = visit
    await page.getByRole('heading', { level: 1, name: 'Execuções' }).waitFor()
    const row = page.getByRole('table', { name: 'Execuções' }).locator('tbody').getByRole('row')
    await row.getByText('Executando').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await expectAccessible(page)
    made.latch.open()
    await row.getByText('Sucesso').waitFor()
  })
})
