import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import '../test/harness/typescript-loader.mjs'
import { ensureDashboardBuilt } from './build-dashboard.mjs'
import { main, root, ScriptError } from './run.mjs'

/** Pictures for the README, of the demo after a day: made at an instant of its own, so that they look the same whenever they are made. */
const endAt = Date.parse('2026-11-13T15:42:30Z')
const hours = 24
const folder = join(root, 'docs/images')
const mostBytes = 250_000

await main(async () => {
  await ensureDashboardBuilt()
  const { demoPast } = await import('../test/browser/demo-past.ts')
  const { findChromium } = await import('../test/browser/chromium.ts')
  const { createApi } = await import('../src/server/create-api.ts')
  const { serve } = await import('../src/server/mount/serve.ts')
  const program = findChromium()
  if (program === null) throw new ScriptError('There is no browser.')
  console.log(`Letting ${hours} hours of the demo pass …`)
  const past = await demoPast({ endAt, hours })
  const api = await createApi(past.app, { identity: { dev: true }, dashboard: true })
  const served = await serve(api, { port: 0, isLoopbackOnly: true })
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  try {
    mkdirSync(folder, { recursive: true })
    for (const picture of await pictures(`${served.url}/api/jobs`)) await take(browser, `${served.url}/jobs/`, picture)
  } finally {
    await browser.close()
    await served.close()
    api.close()
    await past.stop()
  }
})

async function pictures(api) {
  const first = async (path) => (await (await fetch(`${api}${path}`)).json()).items[0].id
  const order = await first('?q=ProcessOrder')
  const flaky = await first('?q=ReconcilePayments')
  return [
    { name: 'dashboard-light', path: '', theme: 'light', height: 1_000 },
    { name: 'dashboard-dark', path: '', theme: 'dark', height: 1_000 },
    { name: 'job', path: flaky, theme: 'light', height: 1_000 },
    {
      name: 'execution',
      path: `executions/${await first(`/${order}/history?status=SUCCESS`)}`,
      theme: 'dark',
      height: 1_000,
    },
    { name: 'what-if', path: 'what-if', theme: 'light', height: 900 },
  ]
}

async function take(browser, dashboard, { name, path, theme, height }) {
  const context = await browser.newContext({
    locale: 'en-US',
    timezoneId: 'America/New_York',
    colorScheme: theme,
    reducedMotion: 'reduce',
    viewport: { width: 1_280, height },
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(endAt)
  await page.goto(new URL(path, dashboard).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file })
  await context.close()
  const { size } = statSync(file)
  if (size > mostBytes) throw new ScriptError(`${file} has ${size} bytes, more than ${mostBytes}.`)
  console.log(`${file}: ${Math.round(size / 1_000)} KB`)
}
