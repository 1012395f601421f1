import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { job } from '../../src/job/type/job-type.ts'
import type { JobView } from '../../src/service/job-view.ts'
import { expectAccessible } from './accessible.ts'
import { findChromium, isThoroughRun } from './chromium.ts'
import { HOSTILE } from './execution-jobs.ts'
import { openStage, type Stage } from './stage.ts'

const chromium = findChromium()
/** What `npm run prove -- browser` does beside the core. */
const more = it.skipIf(!isThoroughRun())

const bill = job('bill', {
  input: z.strictObject({
    month: z.string().regex(/^\d{4}-\d{2}$/),
    amount: z.number().min(0).max(100).optional(),
    mode: z.enum(['draft', 'final']).optional(),
    notify: z.strictObject({ at: z.iso.date(), people: z.array(z.string().min(2)) }).optional(),
    // A form knows nothing of this; the server does.
    note: z
      .string()
      .refine((note) => note !== 'forbidden', 'Write another note')
      .optional(),
  }),
  run: () => null,
})
const wipe = job('wipe', { sensitive: true, run: () => null })

describe.skipIf(chromium === null)('the form of a job', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chromium, jobs: [bill, wipe] })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  let made = 0
  const make = (change: object = {}) => {
    made += 1
    const body = { name: `job ${made}`, jobType: 'bill', cronExpression: '0 5 * * *', payload: { month: '2026-01' } }
    return stage.ask<JobView>('POST', '/api/jobs', { body: { ...body, ...change } })
  }
  const read = (id: string) => stage.ask<JobView>('GET', `/api/jobs/${id}`)
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.labels?.[0]?.textContent')

  it('is as it was filled in after a session that ended meanwhile', async () => {
    await using visit = await stage.visit('new')
    const { page, watch } = visit
    watch.expect(/^401 /)
    await page.getByLabel('Job name').fill('half done')
    await page.context().clearCookies()
    await page.getByLabel('CRON expression').first().fill('0 7 * * *')
    await heading(page, 'Sign in to Pontual')
    expect(await page.getByLabel('Job name', { exact: false }).isVisible()).toBe(false)
    await expectAccessible(page)
    await page.getByLabel('API key or token').fill(await stage.token())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await heading(page, 'Create job')
    expect(await page.getByLabel('Job name').inputValue()).toBe('half done')
    expect(await page.title()).toBe('Create job · Pontual')
    await page.getByText('Live', { exact: true }).waitFor()
  })

  it.each([
    ['en', 'Create job', ['Name is required', 'Job type is required', 'CRON expression is required'], 'Job name *'],
    [
      'pt-BR',
      'Criar Job',
      ['Nome é obrigatório', 'Tipo de job é obrigatório', 'Expressão CRON é obrigatória'],
      'Nome do Job *',
    ],
  ] as const)('says in %s what is missing, and goes there', async (language, create, problems, first) => {
    await using visit = await stage.visit('new', { language })
    const { page } = visit
    await page.getByRole('button', { name: create }).click()
    for (const problem of problems) await page.getByText(problem, { exact: true }).waitFor()
    await page.waitForFunction('document.activeElement.name === "name"')
    expect(await focused(page)).toBe(first)
    await expectAccessible(page)
  })

  more('judges a field once it is left', async () => {
    await using visit = await stage.visit('new')
    const { page } = visit
    const rows = [
      ['Job name', 'ab', 'Name must have at least 3 characters'],
      ['Timeout (minutes)', '', 'Timeout is required'],
      ['Timeout (minutes)', '4', 'Timeout must be at least 5 minutes'],
      ['Timeout (minutes)', '241', 'Timeout must be at most 240 minutes'],
      ['Retries', '11', 'Use 0 to 10'],
      ['Time zone', 'Nowhere', 'Enter a time zone of the list'],
    ] as const
    for (const [label, text, problem] of rows) {
      await page.getByLabel(label).fill(text)
      await page.keyboard.press('Tab')
      await page.getByText(problem, { exact: true }).waitFor()
    }
  })

  more('explains a cron expression while it is written, and writes one for those who do not know cron', async () => {
    await using visit = await stage.visit('new', { timeZone: 'Europe/Lisbon' })
    const { page } = visit
    const cron = page.getByLabel('CRON expression')
    await cron.fill('0 12 * 3 0')
    await page.getByLabel('Time zone').fill('America/New York')
    await page.getByRole('columnheader', { name: 'Job · America/New_York' }).waitFor()
    await page.getByText('+1 h').first().waitFor()
    await cron.fill('75 3 * * *')
    await page.getByText(/minute must be 0-59/i).waitFor()
    await page.getByRole('button', { name: 'Weekdays at 09:00' }).click()
    await page.getByText('What it means:').waitFor()
    await page.getByText('Build the expression').click()
    expect(await page.getByLabel('Repeats').inputValue()).toBe('weekly')
    await page.getByLabel('Sat').check()
    await page.getByLabel('Time of day').fill('18:45')
    expect(await cron.inputValue()).toBe('45 18 * * 1-6')
    await page.getByLabel('Repeats').selectOption({ label: 'Once a month' })
    await page.getByLabel('Day of the month').selectOption({ label: 'Last day' })
    expect(await cron.inputValue()).toBe('45 18 L * *')
    await expectAccessible(page)
  })

  it('makes a job, with a payload by form and as JSON', async () => {
    await using visit = await stage.visit('new')
    const { page, watch } = visit
    await page.getByLabel('Job name').fill('monthly bill')
    await page.getByLabel('Job type').selectOption('bill')
    await page.getByLabel('CRON expression').fill('0 5 1 * *')
    await page.getByLabel('Tags').fill('finance, monthly')
    const month = page.getByRole('textbox', { name: 'month' })
    const note = page.getByRole('textbox', { name: 'note' })
    await month.fill('2026')
    await page.getByRole('button', { name: 'Create job' }).click()
    await page.getByText('It does not have the expected form').waitFor()
    await month.fill('2026-03')
    await page.getByLabel('amount').fill('12.5')
    await page.getByLabel('mode').selectOption('final')
    await page.getByRole('button', { name: 'Add notify' }).click()
    await page.locator('input[type=date]').fill('2026-04-01')
    await page.getByRole('button', { name: 'Add people' }).click()
    await page.getByRole('textbox', { name: 'people 1' }).fill('ana')
    await note.fill('forbidden')
    await page.getByRole('tab', { name: 'JSON' }).click()
    const json = page.getByLabel('Payload (JSON)')
    const payload = { month: '2026-03', amount: 12.5, mode: 'final', notify: { at: '2026-04-01', people: ['ana'] } }
    expect(JSON.parse(await json.inputValue())).toEqual({ ...payload, note: 'forbidden' })
    await json.fill('{"month":')
    await page.getByRole('tab', { name: 'Form' }).click()
    await page.getByText('Correct the JSON before you go back to the form.').waitFor()
    await json.fill(JSON.stringify({ ...payload, note: 'forbidden' }))
    await page.getByRole('tab', { name: 'Form' }).click()
    await expectAccessible(page)

    watch.expect(/^400 POST .*\/api\/jobs$/)
    await page.getByRole('button', { name: 'Create job' }).click()
    await page.getByText('Write another note').waitFor()
    expect(await focused(page)).toBe('note')
    await note.fill('')
    await page.getByRole('button', { name: 'Create job' }).click()
    await page.getByText('Job created').waitFor()
    await heading(page, 'monthly bill')
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    expect(await read(id)).toMatchObject({ payload, tags: ['finance', 'monthly'], timeZone: 'America/Sao_Paulo' })
  })

  more('puts a name that is taken where the name is', async () => {
    const { name } = await make()
    await using visit = await stage.visit('new')
    const { page, watch } = visit
    watch.expect(/^409 POST .*\/api\/jobs$/)
    await page.getByLabel('Job name').fill(name)
    await page.getByLabel('Job type').selectOption('wipe')
    await page.getByText('This job will wait for the approval of a second person').waitFor()
    expect(await page.getByLabel('Requires approval?').isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Daily at 02:00' }).click()
    await page.getByRole('button', { name: 'Create job' }).click()
    await page.getByText('There is a job with this name already').waitFor()
    await page.waitForFunction('document.activeElement.name === "name"')
  })

  more('changes only what was changed, and says before that a sensitive job loses its approval', async () => {
    const { id, name } = await make({ requiresTwoStepExecution: true, description: HOSTILE })
    await using visit = await stage.visit(`${id}/edit`)
    const { page } = visit
    await heading(page, `Edit ${name}`)
    await page.getByText('any change but to its description and tags needs a new approval').waitFor()
    await page.getByText('Nothing was changed.').waitFor()
    expect(await page.getByLabel('Job type').getAttribute('readonly')).not.toBeNull()
    await page.getByLabel('Description').fill('harmless')
    expect(await page.getByText('Once saved, the job loses its approval').count()).toBe(0)
    await page.getByLabel('Timeout (minutes)').fill('60')
    await page.getByText('Once saved, the job loses its approval').waitFor()
    await expectAccessible(page)
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('button', { name: 'Save' }).click()
    const request = await sent
    expect(request.postDataJSON()).toEqual({ description: 'harmless', timeoutMinutes: 60 })
    expect(request.headers()['if-match']).toBe('"1"')
    await page.getByText('Job updated').waitFor()
    await heading(page, name)
  })

  more.each(['Save mine over it', 'Reload and drop mine'])(
    'asks what becomes of a job that somebody else changed: %s',
    async (choice) => {
      const { id, name } = await make()
      await using visit = await stage.visit(`${id}/edit`)
      const { page, watch } = visit
      await heading(page, `Edit ${name}`)
      await page.getByLabel('Timeout (minutes)').fill('60')
      const rita = { userId: 'rita' }
      await stage.ask('PUT', `/api/jobs/${id}`, { body: { timeoutMinutes: 90, retryCount: 1 }, as: rita })
      watch.expect(/^412 PUT /)
      await page.getByRole('button', { name: 'Save' }).click()
      const dialog = page.getByRole('dialog', { name: 'The job changed while you were editing' })
      await dialog.getByText('rita saved another version').waitFor()
      await dialog.getByRole('row', { name: /Timeout \(minutes\) · you changed it too 30 90/ }).waitFor()
      await dialog.getByRole('row', { name: /Retries 3 1/ }).waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: choice }).click()
      if (choice === 'Save mine over it') {
        await page.getByText('Job updated').waitFor()
        expect(await read(id)).toMatchObject({ timeoutMinutes: 60, retryCount: 1 })
      } else {
        await page.getByText('Nothing was changed.').waitFor()
        expect(await page.getByLabel('Timeout (minutes)').inputValue()).toBe('90')
      }
    },
  )

  it('does not lose what was typed without asking', async () => {
    const { id, name } = await make()
    await using visit = await stage.visit(id)
    const { page } = visit
    await heading(page, name)
    await page.getByRole('link', { name: 'Edit' }).click()
    await heading(page, `Edit ${name}`)
    await page.getByLabel('Description').fill('typed')
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })

    await page.getByRole('link', { name: 'Workers' }).click()
    await dialog.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Description').inputValue()).toBe('typed')

    await page.evaluate('history.back()')
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    expect(page.url()).toBe(`${stage.url}${id}/edit`)

    const asked = page.waitForEvent('dialog')
    await page.evaluate('void setTimeout(() => location.reload())')
    expect((await asked).type()).toBe('beforeunload')
    await (await asked).dismiss()
    expect(await page.getByLabel('Description').inputValue()).toBe('typed')

    await page.evaluate('history.back()')
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await page.waitForURL(`${stage.url}${id}`)
    await heading(page, name)
  })

  more('begins with another job', async () => {
    const trigger = { type: 'once', at: '2099-01-01T00:00:00.000Z' }
    const { id, name } = await make({ cronExpression: undefined, trigger, overlap: { atMost: 2 } })
    await using visit = await stage.visit(`new?from=${id}`, { width: 360, theme: 'dark' })
    const { page } = visit
    await heading(page, `Duplicate ${name}`)
    expect(await page.getByLabel('Job name').inputValue()).toBe(`${name} (copy)`)
    expect(await page.getByLabel('How many at once').inputValue()).toBe('2')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create job' }).click()
    await heading(page, `${name} (copy)`)
    const copy = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    expect(await read(copy)).toMatchObject({ trigger, overlap: { atMost: 2 }, payload: { month: '2026-01' } })
  })

  more('is not for those who may not make jobs', async () => {
    await using visit = await stage.visit('new', { as: 'Manager' })
    await visit.page.getByText('Your profile does not allow you to see this page.').waitFor()
  })
})
