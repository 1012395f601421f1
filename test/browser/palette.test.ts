import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../src/job/type/job-type.ts'
import { cron } from '../../src/time/triggers/cron.ts'
import { expectAccessible } from './accessible.ts'
import { findChromium, isThoroughRun } from './chromium.ts'
import { openStage, type Stage } from './stage.ts'

const chromium = findChromium()

/** `npm run prove -- browser` does these too. */
const isThorough = isThoroughRun()

const HOSTILE = '<img src=x onerror=alert(1)>'
const yearly = { trigger: cron('0 9 1 1 *') }
const jobs = ['Daily closing', `status:failed ${HOSTILE}`, 'Invoices'].map((name) =>
  job(name, { schedule: yearly, run: () => 'done' }),
)

describe.skipIf(chromium === null)('the command palette', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chromium, jobs })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  /** What is meant, as a screen reader is told. */
  const chosen = (page: Page) =>
    page.evaluate<string>(
      `document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent ?? ''`,
    )
  const open = async (page: Page) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search or go to' })
    await field.waitFor()
    return field
  }

  it('is fetched when it is first opened, and opens pages by their names', async () => {
    await using visit = await stage.visit('workers')
    const { page } = visit
    await page.getByRole('heading', { level: 1, name: 'Workers' }).waitFor()
    const loaded = () =>
      page.evaluate<boolean>(`performance.getEntriesByType('resource').some(({ name }) => /palette/.test(name))`)
    expect(await loaded()).toBe(false)
    await open(page)
    expect(await loaded()).toBe(true)
    await expectAccessible(page)
    await page.keyboard.type('aud')
    await expect.poll(() => chosen(page)).toBe('Audit')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${stage.url}audit`)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it.skipIf(!isThorough)('goes through what it has by arrows, round and back, and closes by Escape', async () => {
    await using visit = await stage.visit('workers')
    const { page } = visit
    await open(page)
    expect(await chosen(page)).toBe('Overview')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page)).toBe('Jobs')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen(page)).toBe('Sign out')
    await page.keyboard.press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'detached' })
    expect(page.url()).toBe(`${stage.url}workers`)
  })

  it.skipIf(!isThorough).each([
    ['closing', 'Daily closing', true],
    ['status:f', `status:failed ${HOSTILE}`, false],
    ['img src', `status:failed ${HOSTILE}`, true],
  ])('finds jobs by %j on the server: %s', async (typed, name, isFound) => {
    await using visit = await stage.visit('workers')
    const { page, watch } = visit
    // A token that is not complete yet is no name of a job either.
    if (!isFound) watch.expect(/^400 GET .*\/api\/jobs\?q=status/)
    await open(page)
    await page.keyboard.type(typed)
    await page.getByRole('option', { name: `Search jobs for “${typed}”` }).waitFor()
    await page.getByText(/^\d results?$/).waitFor()
    const option = page.getByRole('option', { name })
    if (!isFound) return expect(await option.count()).toBe(0)
    await option.waitFor()
    await expectAccessible(page)
    await expect.poll(() => chosen(page)).toContain(name)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/)
  })

  it('opens an execution by its id', async () => {
    const { executionId } = await stage.ask<{ executionId: string }>('POST', '/api/jobs/enqueue', {
      body: { jobName: 'Invoices' },
    })
    await using visit = await stage.visit('workers')
    const { page } = visit
    const field = await open(page)
    await field.fill(executionId.toUpperCase())
    expect(await chosen(page)).toBe(`Execution ${executionId}`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${stage.url}executions/${executionId}`)
  })

  it('changes theme and language, and signs out', async () => {
    await using visit = await stage.visit('workers')
    const { page, watch } = visit
    await open(page)
    await page.keyboard.type('theme dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    await open(page)
    await expectAccessible(page)
    await page.keyboard.type('portugu')
    await expect.poll(() => chosen(page)).toBe('Language: Português (Brasil)')
    await page.keyboard.press('Enter')
    await page.getByText('Ao vivo').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Buscar ou ir para' }).fill('sair')
    await page.getByRole('option', { name: 'Sair', exact: true }).click()
    watch.expect(/^401 /)
    await page.getByRole('heading', { name: 'Entrar no Pontual' }).waitFor()
  })

  it.skipIf(!isThorough)('offers what somebody may do', async () => {
    await using visit = await stage.visit('workers', { as: 'Manager' })
    const { page } = visit
    await open(page)
    await page.getByRole('option', { name: 'Jobs', exact: true }).waitFor()
    for (const name of ['Overview', 'Audit', 'Create job']) {
      expect(await page.getByRole('option', { name, exact: true }).count()).toBe(0)
    }
  })
})
