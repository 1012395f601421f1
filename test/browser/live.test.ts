import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../src/job/type/job-type.ts'
import { cron } from '../../src/time/triggers/cron.ts'
import { findChromium, isThoroughRun } from './chromium.ts'
import { Gateway } from './gateway.ts'
import { openStage, type Stage } from './stage.ts'

const chromium = findChromium()

/** Seen through the gateway, everything has another address than the stage's own. */
const THROUGH_GATEWAY = /^elsewhere: http:\/\/127\.0\.0\.1/

/** `npm run prove -- browser` does these too. */
const isThorough = isThoroughRun()

const jobs = [job('invoices', { schedule: { trigger: cron('0 9 1 1 *') }, run: () => 'done' })]

describe.skipIf(chromium === null)('what happens is shown as it happens', () => {
  let stage: Stage
  let gateway: Gateway
  beforeAll(async () => {
    stage = await openStage({ chromium, jobs })
    gateway = await Gateway.open(stage.url)
  })
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]()
    await gateway?.[Symbol.asyncDispose]()
  })

  const state = (page: Page, name: string) => page.locator('.live').getByText(name, { exact: true })
  const look = async (page: Page) => {
    await page.goto(gateway.urlOf(stage.url))
    await state(page, 'Live').waitFor()
  }
  const visit = async () => {
    const found = await stage.visit('sign-in')
    found.watch.expect(THROUGH_GATEWAY)
    await look(found.page)
    return found
  }
  /** One more execution; waits until each of the pages says so. */
  const expectShown = async (...pages: readonly Page[]) => {
    const before = await ended()
    await stage.ask('POST', '/api/jobs/enqueue', { body: { jobName: 'invoices' } })
    await expectEnded(before + 1, ...pages)
  }
  const ended = async () =>
    (await stage.ask<{ last24Hours: { succeeded: number } }>('GET', '/api/jobs/dashboard')).last24Hours.succeeded
  const expectEnded = (count: number, ...pages: readonly Page[]) =>
    Promise.all(pages.map((page) => page.getByText(`${count} execution${count === 1 ? '' : 's'} ended`).waitFor()))

  it('in all tabs over one stream, which the next one takes over when the first is closed', async () => {
    await using visited = await visit()
    const { page: first } = visited
    const second = await first.context().newPage()
    await look(second)
    expect(gateway.streams).toBe(1)
    await expectShown(first, second)
    await first.close()
    await expect.poll(() => gateway.resumes.length).toBe(2)
    await state(second, 'Live').waitFor()
    await expectShown(second)
    expect(gateway.streams).toBe(1)
    // It goes on from the last thing that the other tab was told.
    expect(gateway.resumes[1]).toMatch(/^\d+$/)
  })

  it('and after a cut, from where it was', async () => {
    await using visited = await visit()
    const { page } = visited
    await expectShown(page)
    const before = gateway.resumes.length
    await gateway.cut()
    await state(page, 'Reconnecting…').waitFor()
    const count = (await ended()) + 1
    await stage.ask('POST', '/api/jobs/enqueue', { body: { jobName: 'invoices' } })
    await expect.poll(ended).toBe(count)
    await gateway.restore()
    await state(page, 'Live').waitFor()
    await expectEnded(count, page)
    expect(gateway.resumes.slice(before)).toEqual([expect.stringMatching(/^\d+$/)])
  })

  it('and a page that is opened without a network comes once there is one', async () => {
    await using visited = await visit()
    const { page, watch } = visited
    watch.expect(/ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await state(page, 'Reconnecting…').waitFor()
    await page.getByRole('link', { name: 'Executions', exact: true }).click()
    await page.getByText('The server does not answer.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor()
    await state(page, 'Live').waitFor()
    // With its styles, which are fetched beside it.
    const isStyled = 'getComputedStyle(document.querySelector("main fieldset")).borderTopWidth === "0px"'
    await expect.poll(() => page.evaluate<boolean>(isStyled)).toBe(true)
  })

  it('to nobody who has signed out in another tab', async () => {
    await using visited = await visit()
    const { page: first, watch } = visited
    const second = await first.context().newPage()
    await look(second)
    watch.expect(/^401 GET /)
    await second.getByRole('button', { name: 'Account and preferences' }).click()
    await second.getByRole('button', { name: 'Sign out' }).click()
    await first.getByRole('heading', { name: 'Sign in to Pontual' }).waitFor()
    await expect.poll(() => gateway.streams).toBe(0)
  })

  it.skipIf(!isThorough)('to whoever has signed in since, and not to who was there before', async () => {
    await using visited = await visit()
    const { page: first, watch } = visited
    const context = first.context()
    await expectShown(first)
    await using other = await stage.visit('sign-in', { as: { tenant: 'globex', userId: 'bob' } })
    await context.addCookies(await other.page.context().cookies('https://127.0.0.1'))
    watch.expect(THROUGH_GATEWAY)
    const second = await context.newPage()
    await look(second)
    await first.getByText('0 executions ended').waitFor()
    await first.getByRole('button', { name: 'Account and preferences' }).click()
    await first.getByText('bob · Admin').waitFor()
    await expect.poll(() => gateway.streams).toBe(1)
  })

  it.skipIf(!isThorough)('and a page that nobody looks at asks for nothing until it is seen again', async () => {
    await using visited = await visit()
    const { page } = visited
    const seen = await page.context().newPage()
    await look(seen)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await hide(page, true)
    await expectShown(seen)
    expect(asked).toEqual([])
    await hide(page, false)
    await expectEnded(await ended(), page)
  })

  it.skipIf(!isThorough)('also where the tab that has the stream does nothing any more', async () => {
    await using visited = await stage.visit('pontual.svg')
    const { page: asleep, watch } = visited
    watch.expect(THROUGH_GATEWAY)
    await asleep.goto(gateway.urlOf(`${stage.url}pontual.svg`))
    await asleep.evaluate(`void navigator.locks.request('pontual.live', () => new Promise(() => {})).catch(() => {})`)
    const page = await asleep.context().newPage()
    await page.clock.install()
    await page.goto(gateway.urlOf(stage.url))
    await state(page, 'Connecting…').waitFor()
    await page.clock.fastForward(120_000)
    await state(page, 'Live').waitFor()
    await expectShown(page)
  })
})

/** As where somebody looks at another tab, which a browser without a screen does not tell its pages. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: '${isHidden ? 'hidden' : 'visible'}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}
