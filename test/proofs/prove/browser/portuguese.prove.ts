import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PontualError } from '../../../../src/errors.ts'
import { type AnyJobType, job } from '../../../../src/job/type/job-type.ts'
import { jobs as TEXTS } from '../../../../src/service/i18n/pt-br/texts.ts'
import { findChromium } from '../../../browser/chromium.ts'
import { openStage, type Stage, type Viewer, type Visit } from '../../../browser/stage.ts'

const NOBODY = '00000000-0000-7000-8000-000000000000'
const WORKERS = 10

function types(): readonly AnyJobType[] {
  const forever = (_input: undefined, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))))
  return [
    job('relatorio', { run: (_input: undefined) => 'pronto' }),
    job('longo', { run: forever }),
    job('sensivel', { sensitive: true, run: (_input: undefined) => null }),
    job('quebrado', {
      retry: { retries: 0 },
      run: (_input: undefined) => Promise.reject(new PontualError('fora', 'fora do ar')),
    }),
  ]
}

/** Tells of every text that a page ever had, however short it was there. */
const OVERHEAR = `document.addEventListener('DOMContentLoaded', () => {
  const tell = () => window.overheard(document.body.textContent + [...document.querySelectorAll('[aria-label], [title]')].map((each) =>
    '\\n' + each.getAttribute('aria-label') + '\\n' + each.getAttribute('title')).join(''))
  new MutationObserver(tell).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  tell()
})`

/** Somebody in Brazil does everything that RF-112 has a text for (section 4.2). */
describe('the texts of RF-112 in Portuguese', () => {
  let stage: Stage
  let heard = ''
  beforeAll(async () => {
    stage = await openStage({ chromium: findChromium(), jobs: types() })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  const { actions, form, messages, validation, list } = TEXTS

  async function open(path: string, as: Viewer = {}): Promise<Visit> {
    const visit = await stage.visit('sign-in', { language: 'pt-BR', as })
    await visit.page.context().exposeFunction('overheard', (text: string) => {
      heard += `\n${text}`
    })
    await visit.page.context().addInitScript(OVERHEAR)
    await visit.page.goto(new URL(path, stage.url).href)
    return visit
  }
  const create = (name: string, jobType: string, as: Viewer = {}) =>
    stage.ask<{ id: string }>('POST', '/api/jobs', { as, body: { name, jobType, cronExpression: '0 3 29 2 *' } })
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const see = (page: Page, text: string) => page.getByText(text).first().waitFor()

  it('stand in an empty list', async () => {
    await using visit = await open('list', { tenant: 'vazio' })
    await see(visit.page, list.emptyState)
    await visit.page.getByRole('heading', { level: 1, name: list.title }).waitFor()
  })

  it('stand at the fields of the form, and say what is wrong with them', async () => {
    await using visit = await open('new')
    const { page, watch } = visit
    watch.expect(/^(400|409) POST /)
    const field = (name: string) => page.getByLabel(name).first()
    await press(page, actions.create)
    await see(page, validation.nameRequired)
    await see(page, validation.cronRequired)
    await field(form.name).fill('ab')
    await see(page, validation.nameMinLength)
    for (const [value, problem] of [
      ['', validation.timeoutRequired],
      ['4', validation.timeoutMinValue],
      ['241', validation.timeoutMaxValue],
    ] as const) {
      await field(form.timeout).fill(value)
      await see(page, problem)
    }
    await field(form.timeout).fill('30')
    await field(form.name).fill('Fechamento')
    await page.getByLabel(form.jobType).selectOption('relatorio')
    await page.getByRole('textbox', { name: form.cronExpression }).fill('61 * * * *')
    await see(page, messages.error.invalidCron)
    await page.getByRole('textbox', { name: form.cronExpression }).fill('0 3 29 2 *')
    await press(page, actions.create)
    await see(page, messages.success.created)
    await page.goto(new URL('new', stage.url).href)
    await field(form.name).fill('Fechamento')
    await page.getByLabel(form.jobType).selectOption('relatorio')
    await page.getByRole('textbox', { name: form.cronExpression }).fill('0 3 29 2 *')
    await press(page, actions.create)
    await see(page, messages.error.nameAlreadyExists)
  })

  it('stand at what is done to a job, and say that it was done', async () => {
    const { id } = await create('Relatório', 'relatorio')
    await using visit = await open(id)
    const { page, watch } = visit
    await press(page, actions.execute)
    await page.getByRole('dialog').getByRole('button', { name: actions.execute }).click()
    await see(page, messages.success.executed)
    await press(page, actions.pause)
    await page.getByRole('dialog').getByRole('button', { name: actions.pause }).click()
    await press(page, actions.resume)
    await page.getByRole('link', { name: actions.edit }).click()
    await page.getByLabel(form.description).fill('Outra descrição')
    await press(page, 'Salvar')
    await see(page, messages.success.updated)
    await page.goto(new URL('list', stage.url).href)
    await page
      .getByRole('button', { name: /Relatório/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: actions.viewHistory }).waitFor()
    await page.getByRole('menuitem', { name: actions.viewLogs }).waitFor()
    await page.getByRole('menuitem', { name: actions.delete }).click()
    await page.getByRole('dialog').getByRole('button', { name: actions.delete }).click()
    await see(page, messages.success.deleted)
    watch.expect(/^404 GET /)
    await page.goto(new URL(NOBODY, stage.url).href)
    await see(page, messages.error.jobNotFound)
  })

  it('tell how jobs stand, and that all workers are taken', async () => {
    const as: Viewer = { tenant: 'ocupado' }
    const { id } = await create('Longo', 'longo', as)
    await create('Sensível', 'sensivel', as)
    const broken = await create('Quebrado', 'quebrado', as)
    await stage.ask('POST', `/api/jobs/${broken.id}/execute`, { as })
    const paused = await create('Parado', 'relatorio', as)
    await stage.ask('POST', `/api/jobs/${paused.id}/pause`, { as, body: {} })
    const disabled = await create('Desligado', 'relatorio', as)
    await stage.ask('PUT', `/api/jobs/${disabled.id}`, { as, body: { status: 'DISABLED' } })
    for (let n = 0; n < WORKERS; n += 1) await stage.ask('POST', `/api/jobs/${id}/execute`, { as, body: {} })
    const running = async () => (await stage.ask<{ running: number }>('GET', '/api/jobs/dashboard', { as })).running
    await expect.poll(running, { timeout: 20_000 }).toBe(WORKERS)
    await using visit = await open('list', as)
    const { page } = visit
    for (const status of Object.values(TEXTS.status)) await see(page, status)
    await page.getByRole('button', { name: /Longo/ }).first().click()
    await page.getByRole('menuitem', { name: actions.execute }).click()
    await see(page, messages.error.maxWorkersExceeded)
    await page.goto(new URL('approvals', stage.url).href)
    await page.getByRole('button', { name: actions.approve }).waitFor()
    await page.goto(new URL('executions', stage.url).href)
    await page.locator('main tbody tr').first().waitFor()
    await stage.ask('POST', `/api/jobs/${id}/cancel`, { as, body: {} })
  })

  it('were all there, word for word', () => {
    const all = leavesOf(TEXTS)
    expect(all).toHaveLength(40)
    expect(all.filter((text) => !heard.includes(text))).toEqual([])
  })
})

function leavesOf(texts: object): string[] {
  return Object.values(texts).flatMap((each: unknown) => (typeof each === 'string' ? [each] : leavesOf(each as object)))
}
