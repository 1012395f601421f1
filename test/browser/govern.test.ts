import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { job } from '../../src/job/type/job-type.ts'
import { cron } from '../../src/time.ts'
import { expectAccessible } from './accessible.ts'
import { findChromium } from './chromium.ts'
import { openStage, type Stage } from './stage.ts'

const chromium = findChromium()

const fails = job('fails', {
  retry: { retries: 0 },
  schedule: { name: 'fails', trigger: cron('0 3 * * *') },
  run: () => {
    throw new Error('no such <b>file</b>')
  },
})

interface Page<Item> {
  readonly items: readonly Item[]
}

describe.skipIf(chromium === null)('whoever governs', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chromium, jobs: [fails] })
    const { items } = await stage.ask<Page<{ id: string }>>('GET', '/api/jobs')
    await stage.ask('POST', `/api/jobs/${items[0]?.id}/execute`)
    await vi.waitFor(
      async () => {
        const { items: told } = await stage.ask<Page<unknown>>('GET', '/api/jobs/audit-log?operation=JOBS_JOB_FAIL')
        expect(told).toHaveLength(1)
      },
      { timeout: 20_000 },
    )
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  it('reads the audit log, filters it, sees what changed, and that nobody has touched it', async () => {
    await using visit = await stage.visit('audit')
    const { page } = visit
    await page.getByText(/^Chain verified · \d+ entries$/).waitFor()
    await page.getByRole('cell', { name: 'JOBS_JOB_FAIL' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Operation').selectOption('JOBS_JOB_FAIL')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(page.url()).toContain('operation=JOBS_JOB_FAIL')
    await page.getByRole('button', { name: /^Entry \d+$/ }).click()
    await page.getByRole('dialog').getByText('"no such <b>file</b>"').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('audit-log.csv')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    expect(page.url()).not.toContain('operation')
  })

  it('who is not Admin has no audit log', async () => {
    await using visit = await stage.visit('audit', { as: 'Developer' })
    await visit.page.getByText('Your profile does not allow you to see this page.').waitFor()
    expect(await visit.page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
    await expectAccessible(visit.page)
  })

  it('sees the eight KPIs against their targets, and charts with the same in a table', async () => {
    await using visit = await stage.visit('kpis')
    const { page } = visit
    await page.getByRole('heading', { name: 'Job success rate' }).waitFor()
    expect(await page.getByRole('article').count()).toBe(8)
    await page.getByRole('img', { name: 'Executions that ended' }).waitFor()
    await page.getByText('Show as a table').click()
    await page.getByRole('table', { name: 'Executions that ended' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Window').selectOption('7 days')
    await expect.poll(() => page.url()).toContain('hours=168')
  })

  it('sees what is wrong and what to do, and changes a rule', async () => {
    await using visit = await stage.visit('alerts')
    const { page } = visit
    const open = page.getByRole('region', { name: 'Open' })
    await open.getByText('Job failed: fails').waitFor({ timeout: 40_000 })
    await open.getByText('What to do').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Edit the rule Queue congested' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Threshold').fill('many')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter a number').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Threshold').fill('250')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Rule saved').waitFor()
    await page.getByRole('cell', { name: '250' }).waitFor()
  })

  it('changes settings; what is wrong is said at its field', async () => {
    await using visit = await stage.visit('settings')
    const { page, watch } = visit
    watch.expect(/^400 PUT .*settings$/)
    await page.getByLabel('E-mail addresses').fill('nobody')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.field.invalid').getByText('must be an e-mail address').waitFor()
    await expectAccessible(page)
    await page.getByLabel('E-mail addresses').fill('ana@example.com\nbia@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved').waitFor()
    await page.getByLabel('Gather e-mails').fill('15')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => stage.ask('GET', '/api/jobs/settings'))
      .toMatchObject({ adminAddresses: ['ana@example.com', 'bia@example.com'], digestMinutes: 15 })
  })

  it('lets a second Admin approve a looser approval rule, or reject it', async () => {
    const request = async () =>
      await stage.ask('PUT', '/api/jobs/settings', { body: { allowsSelfApproval: true }, as: { userId: 'bia' } })
    await request()
    await using visit = await stage.visit('settings')
    const { page } = visit
    const pending = page.getByRole('region', { name: 'Pending change of the approval rules' })
    await pending.getByText('Requested by bia').waitFor()
    await expectAccessible(page)
    await pending.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('not this year')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Change rejected').waitFor()
    await request()
    await page.reload()
    await pending.getByRole('button', { name: 'Approve change' }).click()
    await page.getByText('Approval rules changed').waitFor()
    await expect.poll(() => page.getByLabel('may approve it').isChecked()).toBe(true)
  })

  it('makes a key, sees its secret once, signs in with it, and revokes it', async () => {
    await using visit = await stage.visit('settings?tab=keys')
    const { page } = visit
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('reports')
    await dialog.getByLabel('Profile').selectOption('Manager')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Copy the key now').waitFor()
    expect(await dialog.locator('code').textContent()).toMatch(/^\S{30,}$/)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Revoke reports' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Key revoked').waitFor()
    await page.getByRole('cell', { name: 'Revoked' }).waitFor()
  })

  it('switches a flag off after being asked, and on again', async () => {
    await using visit = await stage.visit('settings?tab=flags', { language: 'pt-BR' })
    const { page } = visit
    const flag = page.getByRole('listitem').filter({ hasText: 'JOB_NOTIFICATIONS' })
    await flag.getByRole('button', { name: 'Desligar' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Desligar' }).click()
    await flag.getByText('Desligada', { exact: true }).waitFor()
    await flag.getByRole('button', { name: 'Ligar', exact: true }).click()
    await flag.getByText('Ligada', { exact: true }).waitFor()
  })

  it('who is not Admin reads settings', async () => {
    await using visit = await stage.visit('settings', { as: 'Manager' })
    await visit.page.getByText('Only the profile Admin changes settings.').waitFor()
    await visit.page.getByLabel('E-mail addresses').waitFor()
    expect(await visit.page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  })
})
