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
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4)

let finish: () => void = () => {}
const finished = new Promise<void>((resolve) => {
  finish = resolve
})

const yearly = { trigger: cron('0 9 1 1 *', { timeZone: 'Asia/Tokyo' }) }
const jobs = [
  job('invoices', { schedule: yearly, run: () => 'done' }),
  job(`${HOSTILE} ${LONG} שלום`, {
    schedule: { trigger: cron('0 9 2 1 *') },
    retry: { retries: 0 },
    run: () => {
      throw new RangeError(`Invoice ${Math.floor(performance.now())} ${HOSTILE} is out of range`)
    },
  }),
  job('import', {
    schedule: { trigger: cron('0 9 3 1 *') },
    run: async (_input: undefined, { progress }) => {
      progress(0.4, `page 4 of 10 ${HOSTILE}`)
      await finished
    },
  }),
]

describe.skipIf(chromium === null)('the overview', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chromium, jobs })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  const run = (jobName: string) => stage.ask('POST', '/api/jobs/enqueue', { body: { jobName } })

  it('says first that all is well, and what comes next', async () => {
    await using visit = await stage.visit()
    const { page } = visit
    await page.getByText('All is well. No alert is open and every check passes.').waitFor()
    for (const check of ['Storage: ok', 'Scheduler: ok', 'Workers: ok (1)', 'Abandoned executions: ok (0)']) {
      await page.getByText(check).waitFor()
    }
    const figure = (name: string) => page.locator('.figure', { hasText: name })
    await figure('Workers used / maximum').getByText('0 / 10').waitFor()
    await figure('In the queue').getByText('nobody waits').waitFor()
    await figure('On time, 24 h').getByText('nothing fired').waitFor()
    await page.getByRole('img', { name: 'Nothing has ended in the last 24 hours.' }).waitFor()
    const next = page.getByRole('region', { name: 'Next runs' }).getByRole('listitem').first()
    // By the clocks of whoever looks and, since those of the job show something else, by those too.
    await next.getByText('Dec 31, 2026, 21:00 GMT-3').waitFor()
    await next.getByText('Jan 01, 2027, 09:00 GMT+9 (Asia/Tokyo)').waitFor()
    await expectAccessible(page)
    await next.getByRole('link', { name: 'invoices' }).click()
    await page.waitForURL(/\/jobs\/[0-9a-f-]{36}$/)
  })

  it('shows what runs while it runs, and what has ended', async () => {
    await using visit = await stage.visit()
    const { page } = visit
    const running = page.getByRole('region', { name: 'Running now' })
    await running.getByText('Nothing runs at this moment.').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await run('import')
    await running.getByRole('link', { name: 'import' }).waitFor()
    await running.getByText(`page 4 of 10 ${HOSTILE}`).waitFor()
    expect(await running.getByRole('progressbar').getAttribute('value')).toBe('0.4')
    await page.locator('.figure', { hasText: 'Workers used' }).getByText('1 / 10').waitFor()
    await expectAccessible(page)
    finish()
    await running.getByText('Nothing runs at this moment.').waitFor()
    await page.locator('.figure', { hasText: 'Success rate' }).getByText('100%').waitFor()
  })

  it('groups what fails, says what to do about it, and leads there', async () => {
    await run(`${HOSTILE} ${LONG} שלום`)
    await using visit = await stage.visit()
    const { page } = visit
    const failures = page.getByRole('region', { name: 'Failures by error' })
    await failures.getByText(HOSTILE).first().waitFor()
    await run(`${HOSTILE} ${LONG} שלום`)
    await failures.getByText('2 times').waitFor()
    await failures.getByText('Invoice …').waitFor()
    await page.getByText('Something is wrong: 1 alert is open.').waitFor()
    const alerts = page.getByRole('region', { name: 'Open alerts' })
    await alerts.getByText('What to do: Open a ticket').waitFor()
    await page.getByText('See as a table').click()
    await page.getByRole('table', { name: 'Executions that ended in the last 24 hours' }).waitFor()
    await expectAccessible(page)
    await failures.getByRole('link', { name: 'Search this error' }).click()
    await page.waitForURL((url) => url.searchParams.get('q') === 'status:failed,timeout "<img src=x onerror=alert("')
    await page.goBack()
    await alerts.getByRole('link', { name: 'See the execution' }).click()
    await page.waitForURL(/\/executions\/[0-9a-f-]{36}$/)
  })

  it.skipIf(!isThorough)('names the check that fails', async () => {
    await using visit = await stage.visit()
    const { page, watch } = visit
    watch.expect(/^503 GET .*\/health\/ready$/)
    const health = { status: 'unhealthy', stale: null, nodes: null, isRunning: true, storageLatencyMs: null }
    await page.route('**/api/health/ready', (route) => route.fulfill({ status: 503, json: health }))
    await page.reload()
    await page.getByText('Something is wrong: storage does not answer').waitFor()
    await page.getByText('Storage: failed').waitFor()
  })

  it('says that scheduling is switched off', async () => {
    await using visit = await stage.visit('', { language: 'pt-BR', theme: 'dark', width: 360, height: 740 })
    const { page } = visit
    await page.getByText('Há algo errado: 1 alerta aberto.').waitFor()
    await stage.ask('PUT', '/api/jobs/flags/JOBS_SCHEDULING', { body: { habilitado: false } })
    await page.getByText('O agendamento está suspenso').waitFor()
    await page.getByText('Há algo errado: o agendamento está desligado; 1 alerta aberto.').waitFor()
    await expectAccessible(page)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await stage.ask('PUT', '/api/jobs/flags/JOBS_SCHEDULING', { body: { habilitado: true } })
    await page.getByText('O agendamento está suspenso').waitFor({ state: 'detached' })
  })

  it.skipIf(!isThorough)('shows the rest to whoever may not see executions', async () => {
    await using visit = await stage.visit('', {
      as: { profile: 'Developer', permissions: ['jobs:read', 'jobs:viewDashboard'] },
    })
    const { page } = visit
    await page.getByRole('region', { name: 'Next runs' }).getByRole('link', { name: 'invoices' }).first().waitFor()
    await page.getByRole('link', { name: 'Active' }).waitFor()
    expect(await page.getByRole('region', { name: 'Failures by error' }).count()).toBe(0)
    expect(await page.getByRole('region', { name: 'Running now' }).count()).toBe(0)
  })

  it.skipIf(!isThorough)('says what to do where no worker is alive', async () => {
    await using visit = await stage.visit('workers')
    const { page } = visit
    const at = '2026-01-01T00:00:00Z'
    const gone = { id: 'a', name: HOSTILE, slots: 10, running: 0, queues: ['mail'], isAlive: false }
    const json = {
      nodes: [{ ...gone, startedAt: at, renewedAt: at }],
      running: 0,
      queued: 3,
      queues: [{ queue: 'mail', queued: 3 }],
      cap: 10,
    }
    await page.route('**/api/jobs/workers', (route) => route.fulfill({ json }))
    await page.reload()
    await page.getByRole('alert').getByText('No worker is alive').waitFor()
    await page.getByRole('cell', { name: 'Dead' }).waitFor()
    await page.getByRole('row', { name: /mail 3 .*Nobody serves this queue/ }).waitFor()
    await expectAccessible(page)
  })

  it.skipIf(!isThorough)('is not what a Manager lands on', async () => {
    await using visit = await stage.visit('', { as: 'Manager' })
    await visit.page.waitForURL(`${stage.url}list`)
  })

  it.skipIf(!isThorough).each([
    ['en', 'light', 1_280, 'Served by'],
    ['pt-BR', 'dark', 360, 'Atendida por'],
  ] as const)('workers are shown in %s, %s, %i wide', async (language, theme, width, served) => {
    await using visit = await stage.visit('workers', { language, theme, width })
    const { page } = visit
    await page.getByRole('meter').waitFor()
    await page.getByRole('table').nth(1).getByText('default').waitFor()
    if (width > 640) await page.getByText(served).waitFor()
    await expectAccessible(page)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })
})
