import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { job } from '../../src/job/type/job-type.ts'
import type { JobView } from '../../src/service/job-view.ts'
import { cron } from '../../src/time/triggers/cron.ts'
import { expectAccessible } from './accessible.ts'
import { findChromium, isThoroughRun } from './chromium.ts'
import { HOSTILE } from './execution-jobs.ts'
import { openStage, type Stage, type VisitOptions } from './stage.ts'

const chromium = findChromium()
/** What `npm run prove -- browser` does beside the core. */
const more = it.skipIf(!isThoroughRun())

const bill = job('bill', {
  input: z.strictObject({ month: z.string().min(4), amount: z.number().min(0).optional() }),
  retry: { retries: 0 },
  schedule: { trigger: cron('0 12 * 3 0', { timeZone: 'America/New_York' }), input: { month: '2026-03' } },
  run: ({ month }) => {
    if (month.startsWith('bad')) throw new Error(`No invoices ${HOSTILE} ${'x'.repeat(300)}`)
    return month
  },
})
const wipe = job('wipe', { sensitive: true, schedule: { trigger: cron('0 3 * * *') }, run: () => 'wiped' })

describe.skipIf(chromium === null)('the page of a job', () => {
  let stage: Stage
  let id: string

  beforeAll(async () => {
    stage = await openStage({ chromium, jobs: [bill, wipe] })
    id = await idOf('bill')
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  const jobs = async () => (await stage.ask<{ items: JobView[] }>('GET', '/api/jobs')).items
  const idOf = async (name: string) => (await jobs()).find((each) => each.name === name)?.id ?? ''
  const make = (change: object) =>
    stage.ask<JobView>('POST', '/api/jobs', {
      body: { name: 'made', jobType: 'bill', cronExpression: '0 5 * * *', payload: { month: '2026-01' }, ...change },
    })
  const open = async (path: string, name: string, options?: VisitOptions) => {
    const visit = await stage.visit(path, options)
    await visit.page.getByRole('heading', { level: 1, name }).waitFor()
    return visit
  }
  const section = (page: Page, name: string) => page.getByRole('region', { name })

  it('tells when it runs next in both zones, and on which days clocks change', async () => {
    await using visit = await open(id, 'bill', { timeZone: 'Asia/Tokyo' })
    const runs = section(visit.page, 'Next runs')
    await runs.getByText('0 12 * 3 0').waitFor()
    await runs.getByRole('columnheader', { name: 'Job · America/New_York' }).waitFor()
    await runs.getByRole('columnheader', { name: 'You · Asia/Tokyo' }).waitFor()
    expect(await runs.getByRole('row').count()).toBe(11)
    await runs.getByText('+1 h').first().waitFor()
    await section(visit.page, 'Why did it not run?').getByText('Nothing keeps the job from running').waitFor()
    await section(visit.page, 'Where the definition comes from').getByText('It is as the code declares it').waitFor()
    await expectAccessible(visit.page)
  })

  it('runs it with another payload, and shows how that went', async () => {
    await using visit = await open(id, 'bill')
    const { page } = visit
    await page.getByRole('button', { name: 'Run now' }).click()
    const dialog = page.getByRole('dialog', { name: 'Run bill now?' })
    await dialog.getByLabel('Use another payload for this run').check()
    await dialog.getByLabel('month').fill('bad')
    await dialog.getByRole('button', { name: 'Run now' }).click()
    await dialog.getByText('Use at least 4 characters').waitFor()
    await dialog.getByLabel('month').fill('bad-2026')
    await dialog.getByRole('tab', { name: 'JSON' }).click()
    expect(JSON.parse(await dialog.getByLabel('Payload (JSON)').inputValue())).toEqual({ month: 'bad-2026' })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('Job executed').waitFor()

    const history = section(page, 'Executions')
    await history.getByRole('cell', { name: /Failed/ }).waitFor()
    await section(page, 'Why did it not run?')
      .getByText(/^The job is faulted since .* Error: No invoices <img/)
      .waitFor()
    await history.getByLabel('Status').selectOption({ label: 'Success' })
    await history.getByText('No execution found.').waitFor()
    expect(page.url()).toContain('status=SUCCESS')
    await expectAccessible(page)
  })

  more('leads along its last runs by keyboard', async () => {
    await stage.ask('POST', `/api/jobs/${id}/execute`)
    await using visit = await open(id, 'bill')
    const strip = visit.page.getByRole('list', { name: /^Last \d+ runs/ })
    await strip
      .getByRole('link', { name: /^Success/ })
      .last()
      .focus()
    await visit.page.keyboard.press('ArrowLeft')
    const told = await visit.page.evaluate<string>('document.activeElement.getAttribute("aria-label")')
    expect(told).toMatch(/^Failed · .* · .*\nNo invoices <img/)
    await visit.page.keyboard.press('Enter')
    await visit.page.waitForURL(/\/executions\//)
  })

  it('shows first what a message was about', async () => {
    const { items } = await stage.ask<{ items: { id: string }[] }>('GET', `/api/jobs/${id}/history?status=FAILED`)
    const execution = items[0]?.id ?? ''
    await using visit = await open(`${id}?execution=${execution}`, 'bill')
    const note = visit.page.getByRole('note')
    await note.getByText('No invoices <img').waitFor()
    await visit.page.locator('tr.marked').waitFor()
    await note.getByRole('link', { name: 'Open the execution' }).click()
    await visit.page.waitForURL(`${stage.url}executions/${execution}`)
  })

  more('is paused for a time with a reason, and resumed', async () => {
    await using visit = await open(id, 'bill')
    const { page } = visit
    await page.getByRole('button', { name: 'Pause' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pause bill?' })
    await dialog.getByLabel('Reason').fill('the supplier is away')
    await dialog.getByLabel('Resume by itself at').fill('2020-01-01T10:00')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByText('Enter a moment in the future').waitFor()
    await dialog.getByLabel('Resume by itself at').fill('2199-01-01T10:00')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Pause' }).click()
    const why = section(page, 'Why did it not run?')
    await why
      .getByText('The job is paused (the supplier is away): it resumes by itself at Jan 01, 2199, 10:00')
      .waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await why.getByText('Nothing keeps the job from running').waitFor()
  })

  more('tells what an operator has changed, and takes it back', async () => {
    await stage.ask('PUT', `/api/jobs/${id}`, { body: { cronExpression: '0 6 * * *', timeoutMinutes: 60 } })
    await using visit = await open(id, 'bill')
    const source = section(visit.page, 'Where the definition comes from')
    await source.getByRole('row', { name: /CRON expression 0 12 \* 3 0 0 6 \* \* \*/ }).waitFor()
    await expectAccessible(visit.page)
    await source.getByRole('button', { name: 'Reset to code' }).click()
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Reset to code' }).click()
    await source.getByText('It is as the code declares it').waitFor()
  })

  more('says of a sensitive one that it waits for a second person', async () => {
    await using visit = await open(await idOf('wipe'), 'wipe')
    const { page } = visit
    await section(page, 'Why did it not run?').getByText('waits for the approval of a second person').waitFor()
    await section(page, 'Pending approval').getByText('Nobody has approved this job before.').waitFor()
    expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(0)
    await expectAccessible(page)
    await section(page, 'Pending approval').getByRole('link', { name: 'Go to the approvals' }).click()
    await page.waitForURL(/\/approvals/)
  })

  more('is disabled and enabled, and what runs is cancelled, from the menu by keyboard', async () => {
    const { id: made } = await make({ name: 'switched' })
    await using visit = await open(made, 'switched')
    const { page } = visit
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).press('Enter')
      await page.getByRole('menuitem', { name, exact: true }).press('Enter')
    }
    await choose('Disable')
    await section(page, 'Why did it not run?').getByText('it neither fires nor can be run').waitFor()
    await choose('Enable')
    await section(page, 'Why did it not run?').getByText('Nothing keeps the job from running').waitFor()
    await choose('Cancel what runs')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel what runs' }).click()
    await page.getByText('0 executions cancelled').waitFor()
  })

  more('can be read when it is deleted, and no more', async () => {
    const { id: made } = await make({ name: 'short-lived' })
    await using visit = await open(made, 'short-lived')
    const { page } = visit
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete short-lived?' }).getByRole('button', { name: 'Delete' }).click()
    await page.waitForURL(`${stage.url}list`)
    await page.goto(`${stage.url}${made}`)
    await page.getByText('This job was deleted.').waitFor()
    expect(await page.getByRole('button', { name: 'More actions' }).count()).toBe(0)
    await expectAccessible(page)
  })

  more('tells a Manager why he may not run it', async () => {
    await using visit = await open(id, 'bill', { as: 'Manager' })
    const run = visit.page.getByRole('button', { name: 'Run now' })
    expect(await run.getAttribute('aria-disabled')).toBe('true')
    expect(await run.getAttribute('title')).toBe('Needs the permission jobs:execute')
    await run.click({ force: true })
    expect(await visit.page.getByRole('dialog').count()).toBe(0)
    expect(await visit.page.getByRole('link', { name: 'Edit' }).count()).toBe(0)
  })

  more('is shown as text on a phone in Portuguese, whatever it is called', async () => {
    const description = `${HOSTILE} ${'w'.repeat(300)} שלום`
    const { id: made } = await make({ name: `${HOSTILE} ${'n'.repeat(200)}`, description, tags: [HOSTILE] })
    await using visit = await open(made, HOSTILE, { language: 'pt-BR', theme: 'dark', width: 360 })
    const { page } = visit
    await section(page, 'Por que não executou?').waitFor()
    await page.getByRole('button', { name: 'Executar Agora' }).waitFor()
    await section(page, 'Próximas execuções').getByText('Às 05:00').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await expectAccessible(page)
  })
})
