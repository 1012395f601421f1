import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PontualError } from '../../src/errors.ts'
import { job } from '../../src/job/type/job-type.ts'
import { expectAccessible } from './accessible.ts'
import { findChromium, isThoroughRun } from './chromium.ts'
import { Latch } from './execution-jobs.ts'
import { openStage, type Stage, type Viewer } from './stage.ts'

const chromium = findChromium()

const HOSTILE = '<img src=x onerror=alert(1)>'
const LONG = 'x'.repeat(120)
const RTL = 'תזמון יומי'

const TYPES = [
  job('report', { run: (_input: undefined) => 'done' }),
  job('broken', {
    retry: { retries: 0 },
    run: (_input: undefined) => {
      throw new PontualError('supplier.away', `No answer ${HOSTILE}`)
    },
  }),
  job('purge', { sensitive: true, run: (_input: undefined) => 'gone' }),
]

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search by name' })
const rows = (page: Page) =>
  page.getByRole('table', { name: 'Jobs and Scheduled Tasks' }).locator('tbody').getByRole('row')

describe.skipIf(chromium === null)('the list of jobs', () => {
  let stage: Stage

  const create = (name: string, fields: object = {}, as: Viewer = {}) =>
    stage.ask<{ id: string }>('POST', '/api/jobs', {
      as,
      body: { name, jobType: 'report', cronExpression: '0 3 29 2 *', timeZone: 'America/Sao_Paulo', ...fields },
    })

  const hasFailed = async () =>
    (await stage.ask<{ items: unknown[] }>('GET', '/api/jobs?q=status:failed')).items.length > 0

  beforeAll(async () => {
    stage = await openStage({ chromium, jobs: TYPES })
    await create('Closing', { tags: ['billing'], description: 'Closes the month' })
    await create(HOSTILE, { description: LONG, tags: [HOSTILE] })
    await create(`${RTL} ${LONG}`, { tags: [RTL] })
    await create('Purge old data', { jobType: 'purge' })
    const { id } = await create('Import', { jobType: 'broken', tags: ['billing', 'suppliers'], priority: 'HIGH' })
    await stage.ask('POST', `/api/jobs/${id}/execute`)
    await vi.waitUntil(hasFailed, { timeout: 10_000 })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  it('shows jobs with how they stand, what they ran and when they run next; what people typed is text', async () => {
    await using visit = await stage.visit('list')
    const { page } = visit
    await row(page, 'Closing').getByText('America/Sao_Paulo').waitFor()
    await row(page, 'Closing').getByText('Active').waitFor()
    await row(page, HOSTILE).waitFor()
    const run = row(page, 'Import').getByRole('link', { name: 'Failed' })
    expect(await run.getAttribute('title')).toContain(HOSTILE)
    expect(await run.getAttribute('href')).toMatch(/\/executions\/[0-9a-f-]{36}$/)
    // Of a faulted job the error is told, not which execution it was.
    await row(page, 'Import').getByText(`No answer ${HOSTILE}`).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Name' }).click()
    await page.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=descending]')).waitFor()
    expect(page.url()).toContain('sort=-name')
    await expect.poll(() => rows(page).first().textContent()).toContain(RTL)
  })

  it('is searched by keyboard, with suggestions; the search stands in the address', async () => {
    await using visit = await stage.visit('list')
    const { page, watch } = visit
    await searchBox(page).focus()
    await page.keyboard.type('sta')
    await page.getByRole('option', { name: 'status:' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'faulted' }).waitFor()
    await page.keyboard.type('fail')
    await page.getByRole('option', { name: 'failed' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.keyboard.type('tag:billing after:2d')
    await page.getByRole('button', { name: 'Remove the filter Tag: billing' }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    await row(page, 'Import').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('status:failed tag:billing after:2d')

    await page.reload()
    await row(page, 'Import').waitFor()
    expect(await searchBox(page).inputValue()).toBe('status:failed tag:billing after:2d')
    await page.getByRole('button', { name: /^Remove the filter Status/ }).click()
    await page.getByRole('button', { name: /^Remove the filter After/ }).click()
    await row(page, 'Closing').waitFor()
    expect(await searchBox(page).inputValue()).toBe('tag:billing')

    watch.expect(/^400 GET /)
    await searchBox(page).fill('color:red')
    await page.getByText('There is no search key "color"').waitFor()
    expect(await searchBox(page).getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await searchBox(page).fill('nobody is called so')
    await page.getByText('No job matches the search').waitFor()
    await page.getByRole('button', { name: 'How to search' }).click()
    await page.getByRole('dialog', { name: 'How to search' }).getByText('Has the tag').waitFor()
    await expectAccessible(page)
  })

  it('offers what a job takes as it stands, by keyboard', async () => {
    await create('Nightly')
    await using visit = await stage.visit('list?q=nightly')
    const { page } = visit
    const openMenu = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).focus()
      await page.keyboard.press('Enter')
      // The menu is visible before its first entry has the focus.
      await page.getByRole('menu').locator('[role=menuitem]:focus').waitFor()
    }
    await openMenu('Nightly')
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'Run now',
      'Pause',
      'Edit',
      'View history',
      'Delete',
    ])
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Pause Nightly?' })
    await dialog.getByLabel('Reason').fill('Inventory')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await row(page, 'Nightly').getByText('Paused').waitFor()
    await row(page, 'Nightly').getByText('Inventory').waitFor()

    await openMenu('Nightly')
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'Run now',
      'Resume',
      'Edit',
      'View history',
      'Delete',
    ])
    await page.keyboard.press('Enter')
    await page.getByText('Job executed').waitFor()
    await row(page, 'Nightly').getByRole('link', { name: 'Success' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Nightly' }).click()
    await page.getByRole('menuitem', { name: 'Resume' }).click()
    await row(page, 'Nightly').getByText('Active').waitFor()
    await page.getByRole('button', { name: 'Actions for Nightly' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete Nightly?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No job matches the search').waitFor()

    await page.goto(`${stage.url}list?q=purge`)
    await openMenu('Purge old data')
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Edit', 'View history', 'Delete'])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
  })

  it('tells which jobs refused, and why', async () => {
    await create('Sensitive', { jobType: 'purge', tags: ['mixed'] })
    await create('Plain', { tags: ['mixed'] })
    await using visit = await stage.visit('list?q=tag:mixed')
    const { page } = visit
    await page.getByRole('checkbox', { name: 'Select Sensitive' }).check()
    await page.getByRole('checkbox', { name: 'Select Plain' }).check()
    await page.getByRole('button', { name: 'Run now' }).click()
    const dialog = page.getByRole('dialog', { name: 'Run in bulk' })
    await dialog.getByText('This applies to 1 of 2 jobs').waitFor()
    await dialog.getByRole('button', { name: 'Run now: 1 job' }).click()
    await dialog.getByText('1 job done, 1 job failed.').waitFor()
    await dialog
      .getByRole('table', { name: 'Failures' })
      .getByRole('row', { name: /^Sensitive .*PENDING_APPROVAL/ })
      .waitFor()
    await expectAccessible(page)
  })

  describe.skipIf(!isThoroughRun())('and whatever else it can do', () => {
    it('counts by status, and shows one with a click', async () => {
      await using visit = await stage.visit('list')
      const { page } = visit
      const faulted = page.getByRole('button', { name: 'Faulted 1' })
      await faulted.click()
      await expect.poll(() => rows(page).count()).toBe(1)
      expect(await faulted.getAttribute('aria-pressed')).toBe('true')
      expect(await searchBox(page).inputValue()).toBe('status:faulted')
      await page.getByRole('button', { name: 'Failed in 24 h' }).click()
      await expect.poll(() => searchBox(page).inputValue()).toBe('status:failed,timeout after:1d')
      await row(page, 'Import').getByRole('button', { name: 'billing' }).click()
      await expect.poll(() => searchBox(page).inputValue()).toBe('status:failed,timeout after:1d tag:billing')
    })

    it('shows what a profile may not do, and why', async () => {
      await using visit = await stage.visit('list', { as: 'Manager' })
      const { page } = visit
      await row(page, 'Closing').waitFor()
      expect(await page.getByRole('checkbox').count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Create job' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Actions for Closing' }).click()
      const pause = page.getByRole('menuitem', { name: 'Pause' })
      expect(await pause.getAttribute('aria-disabled')).toBe('true')
      expect(await pause.getAttribute('title')).toBe('Needs the permission jobs:pause')
      await expectAccessible(page)
    })

    describe('of a large tenant', () => {
      const as: Viewer = { tenant: 'large' }

      beforeAll(async () => {
        const names = Array.from({ length: 120 }, (_, at) => `Bulk ${String(at).padStart(3, '0')}`)
        for (const name of names) await create(name, { tags: ['bulk'] }, as)
        await create('Plain', { tags: ['mixed'] }, as)
      })

      it('pauses all that match, counted first, and can be stopped', async () => {
        await using visit = await stage.visit('list?q=tag:bulk', { as })
        const { page } = visit
        await expect.poll(() => rows(page).count()).toBe(50)
        await page.getByRole('button', { name: 'Show more' }).click()
        await expect.poll(() => rows(page).count()).toBe(100)
        await page.getByRole('checkbox', { name: 'Select all jobs that are shown' }).check()
        const bar = page.getByRole('region', { name: 'Bulk actions' })
        await bar.getByText('100 jobs selected').waitFor()
        await bar.getByRole('button', { name: 'Select all that match' }).click()
        await bar.getByRole('button', { name: 'Pause' }).click()
        const dialog = page.getByRole('dialog', { name: 'Pause in bulk' })
        await dialog.getByText('This applies to 120 jobs.').waitFor()
        await dialog.getByText('Among them: Bulk 000, Bulk 001').waitFor()
        await dialog.getByLabel('Reason').fill('Inventory')

        // The second call waits until somebody has said stop.
        let calls = 0
        const stopped = new Latch()
        await page.route('**/api/jobs/bulk', async (route) => {
          calls += 1
          if (calls === 2) await stopped.opened
          await route.continue()
        })
        await dialog.getByRole('button', { name: 'Pause: 120 jobs' }).click()
        await dialog.getByText('50 of 120').first().waitFor()
        await dialog.getByRole('button', { name: 'Stop' }).click()
        stopped.open()
        await dialog.getByText('Stopped after 100 of 120. 100 jobs done.').waitFor()
        await dialog.getByRole('button', { name: 'Close' }).last().click()
        await bar.waitFor({ state: 'hidden' })
        await row(page, 'Bulk 000').getByText('Inventory').waitFor()
        const { items } = await stage.ask<{ items: unknown[] }>('GET', '/api/jobs?q=status:paused&limit=200', { as })
        expect(items).toHaveLength(100)
      })

      it('deletes where somebody has typed how many', async () => {
        await using visit = await stage.visit('list?q=tag:bulk%20%22Bulk%2011%22', { as })
        const { page } = visit
        await expect.poll(() => rows(page).count()).toBe(10)
        await page.getByRole('checkbox', { name: 'Select all jobs that are shown' }).check()
        await page.getByRole('checkbox', { name: 'Select Bulk 119' }).uncheck()
        await page.getByRole('button', { name: 'Delete' }).click()
        const dialog = page.getByRole('dialog', { name: 'Delete in bulk' })
        await dialog.getByLabel('Type 9 to confirm').fill('10')
        await page.keyboard.press('Enter')
        await dialog.getByText('That is not the number: there are 9').waitFor()
        await dialog.getByLabel('Type 9 to confirm').fill('9')
        await page.keyboard.press('Enter')
        await dialog.getByText('9 jobs done.').waitFor()
        await page.keyboard.press('Escape')
        await expect.poll(() => rows(page).count()).toBe(1)
      })

      it('says so where nothing fires because scheduling is switched off', async () => {
        await stage.ask('PUT', '/api/jobs/flags/JOBS_SCHEDULING', { as, body: { habilitado: false } })
        await using visit = await stage.visit('list?q=tag:mixed', { as })
        const { page } = visit
        await page.getByText('Scheduling is suspended').waitFor()
        await row(page, 'Plain').getByText('Suspended').waitFor()
        await expectAccessible(page)
      })
    })

    it('says what to do where there is no job yet, in the words of RF-112', async () => {
      await using visit = await stage.visit('list', { as: { tenant: 'empty' }, language: 'pt-BR' })
      const { page } = visit
      await page.getByRole('heading', { level: 1, name: 'Jobs e Tarefas Agendadas' }).waitFor()
      await page.getByText('Nenhum job configurado').waitFor()
      expect(await page.getByRole('link', { name: 'Criar Job' }).count()).toBe(2)
      await expectAccessible(page)
    })

    it('fits on a phone, in the dark, in Portuguese', async () => {
      await using visit = await stage.visit('list', { language: 'pt-BR', theme: 'dark', width: 360, height: 740 })
      const { page } = visit
      await row(page, 'Closing').getByText('Ativo').waitFor()
      await page.getByRole('checkbox', { name: 'Selecionar Closing' }).check()
      const bar = page.getByRole('region', { name: 'Ações em lote' })
      await bar.getByText('1 job selecionado').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
      await expectAccessible(page)
      await bar.getByRole('button', { name: 'Pausar' }).click()
      await page.getByRole('dialog', { name: 'Pausar em lote' }).getByText('A ação vale para 1 job.').waitFor()
      await expectAccessible(page)
    })
  })
})
