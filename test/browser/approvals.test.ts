import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { job } from '../../src/job/type/job-type.ts'
import { expectAccessible } from './accessible.ts'
import { findChromium, isThoroughRun } from './chromium.ts'
import { Latch } from './execution-jobs.ts'
import { openStage, type Stage, type Viewer } from './stage.ts'

const chromium = findChromium()

const HOSTILE = '<img src=x onerror=alert(1)>'
const BRUNO: Viewer = { userId: 'bruno' }

const TYPES = [
  job('purge', {
    sensitive: true,
    input: z.looseObject({}),
    run: () => 'gone',
  }),
]

const head = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name} Asked for`) })

describe.skipIf(chromium === null)('approvals', () => {
  let stage: Stage

  const create = (name: string, as: Viewer = {}) =>
    stage.ask<{ id: string }>('POST', '/api/jobs', {
      as,
      body: { name, jobType: 'purge', cronExpression: '0 3 29 2 *', payload: { days: 30, note: HOSTILE } },
    })
  const statusOf = async (id: string, as: Viewer = {}) =>
    (await stage.ask<{ status: string }>('GET', `/api/jobs/${id}`, { as })).status

  beforeAll(async () => {
    stage = await openStage({ chromium, jobs: TYPES })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  it('show who asks for what, all of it the first time; a yes leads to the next one', async () => {
    const first = await create('First')
    const second = await create('Second')
    await using visit = await stage.visit('approvals', { as: BRUNO })
    const { page } = visit
    await page.getByText('2 awaiting approval').waitFor()
    await page.getByRole('link', { name: 'Approvals 2 waiting' }).waitFor()
    await page.getByText('This is the first approval of this job').waitFor()
    await page.getByText('ana', { exact: true }).waitFor()
    await page.getByRole('row', { name: 'CRON expression 0 3 29 2 *' }).waitFor()
    await page.getByRole('row', { name: /^Payload .*"days": 30/s }).waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    await expectAccessible(page)

    await page.getByLabel('Comment').fill('Checked with legal')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('First was approved').waitFor()
    expect(await statusOf(first.id)).toBe('APPROVED')
    await page.getByText('1 awaiting approval').waitFor()
    await page.locator('button:focus', { hasText: 'Second' }).waitFor()
    expect(await head(page, 'Second').getAttribute('aria-expanded')).toBe('true')

    await page.getByRole('button', { name: 'Reject' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject Second?' })
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.getByText('Say why').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Reason').fill('Too many days')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Nothing awaits approval').waitFor()
    expect(await statusOf(second.id)).toBe('DISABLED')
    await expectAccessible(page)
  })

  it('show what has changed since the last yes; nobody says yes to what he did not see', async () => {
    const as: Viewer = { tenant: 'changed' }
    const { id } = await create('Purge', as)
    await stage.ask('POST', `/api/jobs/${id}/approve`, { as: { ...as, userId: 'bruno' } })
    await stage.ask('PUT', `/api/jobs/${id}`, { as, body: { cronExpression: '0 4 29 2 *', priority: 'HIGH' } })
    await using visit = await stage.visit('approvals', { as: { ...as, userId: 'bruno' } })
    const { page, watch } = visit
    await page.getByRole('row', { name: 'CRON expression 0 3 29 2 * 0 4 29 2 *' }).waitFor()
    await page.getByRole('row', { name: 'Priority Medium High' }).waitFor()
    await expectAccessible(page)

    // The answer of the list is held back, so that the page does not know yet.
    watch.expect(/^412 POST /)
    const told = new Latch()
    await page.route('**/api/jobs?*', async (route) => {
      await told.opened
      await route.continue()
    })
    await stage.ask('PUT', `/api/jobs/${id}`, { as, body: { cronExpression: '0 5 29 2 *' } })
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('The definition has changed while you looked at it.').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(await statusOf(id, as)).toBe('PENDING_APPROVAL')
    await page.getByRole('button', { name: 'Show what it is now' }).click()
    told.open()
    await page.getByRole('row', { name: 'CRON expression 0 3 29 2 * 0 5 29 2 *' }).waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Purge was approved').waitFor()
    expect(await statusOf(id, as)).toBe('APPROVED')
  })

  it('say what is refused: a yes to oneself, a yes without the permission', async () => {
    const as: Viewer = { tenant: 'refused' }
    await create('Own', as)
    {
      await using visit = await stage.visit('approvals', { as })
      const { page, watch } = visit
      watch.expect(/^403 POST /)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('alert').waitFor()
      await expectAccessible(page)
    }
    await using visit = await stage.visit('approvals', { as: { ...as, userId: 'dora', profile: 'Developer' } })
    const { page } = visit
    const approve = page.getByRole('button', { name: 'Approve' })
    await approve.waitFor()
    expect(await approve.getAttribute('aria-disabled')).toBe('true')
    expect(await approve.getAttribute('title')).toBe('Needs the permission jobs:approve')
  })

  it.skipIf(!isThoroughRun())('fit on a phone, in the dark, in Portuguese', async () => {
    const as: Viewer = { tenant: 'phone' }
    const { id } = await create(`Purge ${'x'.repeat(100)}`, as)
    await stage.ask('POST', `/api/jobs/${id}/approve`, { as: { ...as, userId: 'bruno' } })
    await stage.ask('PUT', `/api/jobs/${id}`, { as, body: { cronExpression: '0 4 29 2 *', payload: { days: 1 } } })
    await using visit = await stage.visit('approvals', {
      as,
      language: 'pt-BR',
      theme: 'dark',
      width: 360,
      height: 740,
    })
    const { page } = visit
    await page.getByRole('heading', { level: 1, name: 'Aprovações' }).waitFor()
    await page.getByRole('button', { name: 'Aprovar' }).waitFor()
    await page.getByText('Expressão CRON').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await expectAccessible(page)
  })
})
