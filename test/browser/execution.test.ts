import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { findChromium, isThoroughRun } from './chromium.ts'
import { type ExecutionStage, executionJobs, HOSTILE } from './execution-jobs.ts'
import { openStage, type Stage } from './stage.ts'

const chromium = findChromium()

interface Detail {
  readonly status: string
  readonly payload: unknown
  readonly retryOf: string | null
}

describe.skipIf(chromium === null)('the page of an execution', () => {
  let stage: Stage
  let made: ExecutionStage
  const jobs = new Map<string, string>()

  beforeAll(async () => {
    made = executionJobs()
    stage = await openStage({ chromium, jobs: made.jobs })
    const { items } = await stage.ask<{ items: { id: string; name: string }[] }>('GET', '/api/jobs')
    for (const { id, name } of items) jobs.set(name, id)
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  const execute = async (name: string, payload?: unknown): Promise<string> => {
    const body = payload === undefined ? {} : { payload }
    const path = `/api/jobs/${jobs.get(name)}/execute`
    return (await stage.ask<{ executionId: string }>('POST', path, { body })).executionId
  }
  const read = (id: string) => stage.ask<Detail>('GET', `/api/jobs/executions/${id}?log=false`)
  const until = (id: string, status: string) =>
    vi.waitUntil(async () => (await read(id)).status === status, { timeout: 10_000, interval: 20 })
  const executed = async (name: string, status: string, payload?: unknown): Promise<string> => {
    const id = await execute(name, payload)
    await until(id, status)
    return id
  }
  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const idInAddress = (page: Page) => /executions\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  const arrival = (page: Page, from: string) => page.waitForURL((url) => !url.href.includes(from))

  it('tells why it failed, what to do, and what it said; all of it is text', async () => {
    const id = await executed('bill', 'FAILED', { month: 'bad' })
    await using visit = await stage.visit(`executions/${id}`)
    const { page } = visit
    await page.getByRole('heading', { level: 1, name: 'bill' }).getByText('Failed').waitFor()
    const error = region(page, 'Error').first()
    await error.getByText(`connect ECONNREFUSED ${HOSTILE}`).waitFor()
    await error.getByText('supplier.away').waitFor()
    await error.getByText('A service could not be reached.').waitFor()
    await region(page, 'Attempts').getByRole('row').nth(1).getByText('Failed').waitFor()
    await region(page, 'Summary').getByText('ana').waitFor()
    await page.getByText('GMT-3').first().waitFor()

    const log = region(page, 'Log')
    await log.getByRole('button', { name: 'It answers slowly' }).waitFor()
    await page.getByText('2 lines · times in GMT-3 · Complete').waitFor()
    await log.getByLabel('Level').selectOption('warn')
    await log.getByText('1 of 2 lines').waitFor()
    expect(page.url()).toContain('level=warn')
    await log.getByRole('button', { name: 'It answers slowly' }).press('Enter')
    await log.getByText('"seconds": 12').waitFor()
    await expectAccessible(page)
    expect(await page.locator('main img').count()).toBe(0)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      log.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe(`execution-${id}.log`)
  })

  it('is retried, and the two lead to each other', async () => {
    const id = await executed('bill', 'FAILED', { month: 'bad' })
    await using visit = await stage.visit(`executions/${id}`)
    const { page } = visit
    await page.getByRole('button', { name: 'Retry' }).click()
    await arrival(page, id)
    expect(await read(idInAddress(page))).toMatchObject({ retryOf: id, payload: { month: 'bad' } })
    await page.getByRole('link', { name: 'another execution' }).click()
    await page.waitForURL(`**/executions/${id}`)
    await region(page, 'Summary').getByText('Repeated by').waitFor()
  })

  it('is followed as it runs: progress, log, and its end', async () => {
    const id = await execute('slow')
    await until(id, 'RUNNING')
    await using visit = await stage.visit(`executions/${id}`)
    const { page } = visit
    await page.getByText('page 4 of 10').waitFor()
    expect(await page.getByRole('progressbar', { name: 'Progress' }).getAttribute('value')).toBe('0.4')
    const log = region(page, 'Log')
    await log.getByRole('button', { name: 'Begun' }).waitFor()
    await log.getByRole('button', { name: 'Follow', pressed: true }).waitFor()
    await log.getByRole('status').getByText('Live').waitFor()
    await expectAccessible(page)
    made.latch.open()
    await log.getByRole('button', { name: 'Going on' }).waitFor()
    await log.getByRole('status').getByText('Complete').waitFor()
    await page.getByRole('heading', { level: 1 }).getByText('Success').waitFor()
  })

  it('is run again with another input, by a form that shows what changes', async () => {
    const id = await executed('bill', 'SUCCESS', { month: '2026-03', amount: 5 })
    await using visit = await stage.visit(`executions/${id}`)
    const { page, watch } = visit
    await page.getByRole('button', { name: 'Run with another input' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nothing has changed.').waitFor()
    await dialog.getByLabel('amount').fill('-7')
    await dialog.getByRole('region', { name: 'What changes' }).getByText('"amount": -7').waitFor()
    await expectAccessible(page)
    watch.expect(/^400 POST .*\/execute$/)
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    await dialog.locator('.field-problem').first().waitFor()
    await dialog.getByRole('tab', { name: 'JSON' }).click()
    await dialog.getByRole('textbox').fill('{ "month": "2026-04", "amount": 7 }')
    await dialog.getByRole('button', { name: 'Run', exact: true }).click()
    await arrival(page, id)
    expect(await read(idInAddress(page))).toMatchObject({ payload: { month: '2026-04', amount: 7 } })
    await region(page, 'Input and output').getByText('"2026-04"').first().waitFor()
  })

  it('shows the steps of a durable run by keyboard, takes a signal, and begins again from a step', async () => {
    const id = await executed('order', 'WAITING')
    await using visit = await stage.visit(`executions/${id}`)
    const { page } = visit
    const steps = region(page, 'Steps')
    await steps.getByRole('button', { name: /^1 check-stock Done · .* · Activity · 2 attempts · executed/ }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.textContent'))
      .toMatch(/^5 decisionWaiting · .* · Signal/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: '5 decision' }).getByText('Waiting').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await steps.getByRole('button', { name: 'Table' }).click()
    await steps.getByRole('row', { name: /4 label Wait for a child Done/ }).waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Send signal' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send a signal' })
    expect(await dialog.getByLabel('Name').inputValue()).toBe('decision')
    await dialog.getByLabel('Content (JSON)').fill('{ "approved": ')
    await dialog.getByText('This is not valid JSON').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Content (JSON)').fill('{ "approved": true }')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('Success').waitFor()

    await steps.getByRole('button', { name: '6 ship' }).click()
    await page.getByRole('button', { name: 'Restart from here' }).click()
    await page.getByText('5 steps are kept; they are not done again: 1 check-stock').waitFor()
    await page.getByText('1 recorded step is done again, and all that follows: 6 ship').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Restart', exact: true }).click()
    await arrival(page, id)
    await page.getByRole('heading', { level: 1 }).getByText('Success').waitFor()
    await steps.getByRole('button', { name: /^1 check-stock .* taken over, replayed 1×/ }).waitFor()
  })

  it('shows both sides of a divergence', async () => {
    const id = await executed('reserve', 'SUCCESS')
    made.changeCode()
    const path = `/api/jobs/executions/${id}/restart`
    const { executionId } = await stage.ask<{ executionId: string }>('POST', path, { body: { sequence: 2 } })
    await until(executionId, 'DIVERGED')
    await using visit = await stage.visit(`executions/${executionId}`, { language: 'pt-BR', theme: 'dark', width: 360 })
    const { page } = visit
    const box = region(page, 'O código não corresponde mais ao histórico')
    await box.getByText('O histórico temAtividade charge').waitFor()
    await box.getByText('O código pediuAtividade take-deposit').waitFor()
    await box.getByText('Publique um código que corresponda ao histórico').waitFor()
    await page.getByRole('button', { name: 'Cancelar execução' }).click()
    await page.getByRole('dialog').getByLabel('Motivo').fill('não serve mais')
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancelar execução' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('Cancelada').waitFor()
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await expectAccessible(page)
  })

  it('has its data erased by an administrator, and says so', async () => {
    const id = await executed('bill', 'SUCCESS')
    await using visit = await stage.visit(`executions/${id}`)
    const { page, watch } = visit
    watch.expect(/^410 /)
    await page.getByRole('button', { name: 'Erase data' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Erase for good' }).click()
    await region(page, 'Input and output').getByText('An administrator has erased it').first().waitFor()
    await region(page, 'Log').getByText('An administrator has erased it').waitFor()
    expect(await page.getByRole('button', { name: 'Erase data' }).count()).toBe(0)
  })

  it('says why somebody may do less with it', async () => {
    const id = await executed('bill', 'FAILED', { month: 'bad' })
    const as = { profile: 'Manager', permissions: ['jobs:read', 'jobs:viewHistory'] } as const
    await using visit = await stage.visit(`executions/${id}`, { as })
    const { page } = visit
    const retry = page.getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    expect([await retry.getAttribute('aria-disabled'), await retry.getAttribute('title')]).toEqual([
      'true',
      'Needs the permission jobs:execute',
    ])
    await region(page, 'Log').getByText('Needs the permission jobs:viewLogs').waitFor()
    expect(await page.getByRole('button', { name: 'Erase data' }).count()).toBe(0)
  })

  it('of an execution that code has enqueued says that only code can repeat it', async () => {
    const { id } = await stage.app.enqueue('label', { order: 'o-9' })
    await until(id, 'SUCCESS')
    await using visit = await stage.visit(`executions/${id}`)
    await visit.page.getByText('only code can repeat it').waitFor()
    expect(await visit.page.getByRole('button', { name: 'Run with another input' }).count()).toBe(0)
  })

  describe.skipIf(!isThoroughRun())('with a long log', () => {
    it('stays smooth with fifty thousand lines', { timeout: 180_000 }, async () => {
      const id = await execute('talkative')
      await stage.app.waitFor(id, { timeout: '1m' })
      await using visit = await stage.visit(`executions/${id}`)
      const { page } = visit
      page.setDefaultTimeout(60_000)
      const log = region(page, 'Log')
      await log.getByText('50,000 lines').waitFor()
      await log.getByRole('status').getByText('Complete').waitFor()
      expect(await log.getByRole('listitem').count()).toBeLessThan(80)
      await log.getByRole('listitem').first().getByRole('button').focus()
      await page.keyboard.press('End')
      await log.getByRole('button', { name: 'Line 50000' }).waitFor()
      await page.keyboard.press('Home')
      await log.getByRole('button', { name: /Line 1$/ }).waitFor()
      await log.getByLabel('Search the log').fill('line 4321')
      await log.getByText('11 of 50,000 lines').waitFor()
      await expectAccessible(page)
    })
  })
})
