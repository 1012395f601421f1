import type { Page } from 'playwright-core'

/** What the pages of single things are about. */
export interface Things {
  readonly jobId: string
  /** Of a durable job. */
  readonly executionId: string
  readonly failedExecutionId: string
}

export interface KnownPage {
  readonly name: string
  readonly path: (things: Things) => string
  /** What is there once its data are: below `main`. */
  readonly data: string
}

const page = (name: string, path: string | KnownPage['path'], data: string): KnownPage => ({
  name,
  path: typeof path === 'string' ? () => path : path,
  data,
})

/** Every page of the dashboard, and every face of those that have several. */
export const EVERY_PAGE: readonly KnownPage[] = [
  page('overview', '', '.figure'),
  page('jobs', 'list', 'tbody tr'),
  page('jobs-searched', 'list?q=status%3Afailed%20after%3A2d', 'tbody tr, .empty'),
  page('new-job', 'new', 'form'),
  page('job', ({ jobId }) => jobId, '.facts'),
  page('job-edited', ({ jobId }) => `${jobId}/edit`, 'form'),
  page('executions', 'executions', 'tbody tr'),
  page('execution', ({ executionId }) => `executions/${executionId}`, '.facts, dl'),
  page('execution-failed', ({ failedExecutionId }) => `executions/${failedExecutionId}`, '.facts, dl'),
  page('calendar-month', 'calendar', 'table'),
  page('calendar-week', 'calendar?view=week', 'table, .empty'),
  page('calendar-day', 'calendar?view=day', 'ol, .empty'),
  page('calendar-load', 'calendar?view=load', 'table, .empty'),
  page('calendars', 'calendars', '.section, .empty'),
  page('what-if', 'what-if', '.section'),
  page('approvals', 'approvals', '.section, .empty, article, ul'),
  page('workers', 'workers', 'tbody tr'),
  page('audit', 'audit', 'tbody tr, ol li, ul li'),
  page('kpis', 'kpis', 'table, .figure, canvas, svg'),
  page('alerts', 'alerts', '.section'),
  page('settings', 'settings', 'form'),
]

const PATIENCE_MS = 20_000

/** The milliseconds from when the browser was told to go to a page until its title and its data were there, as the browser counts them. */
export async function loadedAfterMs(page: Page, { name, data }: KnownPage): Promise<number> {
  const found = data.split(',').map((each) => `main ${each.trim()}`)
  // Evaluated from outside: the policy of the page forbids text to be evaluated in it.
  const ms = await page.evaluate<number | null>(`new Promise((resolve) => {
    const isThere = (selector) => document.querySelector(selector) !== null
    const look = () => {
      if (!isThere('main h1') || !isThere(${JSON.stringify(found.join(','))}) || isThere('main .skeleton')) return
      observer.disconnect()
      resolve(performance.now())
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true })
    setTimeout(() => resolve(null), ${PATIENCE_MS})
    look()
  })`)
  if (ms === null) throw new Error(`${name}: its data were not there after ${PATIENCE_MS} ms.\n${await mainText(page)}`)
  return Math.round(ms)
}

function mainText(page: Page): Promise<string> {
  return page.evaluate<string>(`(document.querySelector('main') ?? document.body).innerText.slice(0, 2000)`)
}
