import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { findChromium } from './chromium.ts'
import { openStage, type Stage } from './stage.ts'

const chromium = findChromium()

/** The page to sign in asks who it is that looks, and nobody has said so yet. */
const NOT_YET = /^401 GET .*\/api\/session$/

describe.skipIf(chromium === null)('the dashboard in a browser', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chromium })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  it.each([
    ['', 'Overview', 'en'],
    ['list', 'Jobs', 'en'],
    ['', 'Visão geral', 'pt-BR'],
  ] as const)('shows "%s" as %s, and everybody can use it', async (path, heading, language) => {
    await using visit = await stage.visit(path, { language })
    await visit.page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await expectAccessible(visit.page)
  })

  it('lets people in who show who they are, and out again', async () => {
    await using visit = await stage.visit('list?q=tag%3Ax', { as: null })
    const { page, watch } = visit
    watch.expect(NOT_YET)
    await page.getByRole('heading', { name: 'Sign in to Pontual' }).waitFor()
    expect(page.url()).toBe(`${stage.url}sign-in?next=%2Flist%3Fq%3Dtag%253Ax`)
    await expectAccessible(page)

    watch.expect(/^401 POST .*\/api\/session$/)
    await page.getByLabel('API key or token').fill('pk_wrong')
    await page.keyboard.press('Enter')
    await page.getByText('not valid').waitFor()
    await expectAccessible(page)

    await page.getByLabel('API key or token').fill(await stage.token())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    expect(decodeURIComponent(page.url())).toBe(`${stage.url}list?q=tag:x`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()

    await page.getByRole('button', { name: 'Account and preferences' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Pontual' }).waitFor()
    await page.goto(`${stage.url}workers`)
    await page.getByRole('heading', { name: 'Sign in to Pontual' }).waitFor()
  })

  it('is not shown where it is switched off for a tenant, and somebody of another can sign in', async () => {
    const as = { tenant: 'globex' }
    await stage.ask('PUT', '/api/jobs/flags/HANGFIRE_DASHBOARD', { body: { habilitado: false }, as })
    await using visit = await stage.visit('sign-in?next=%2Flist', { as })
    const { page } = visit
    await page.getByText('The dashboard is switched off for this tenant').waitFor()
    await expectAccessible(page)
    await page.getByLabel('API key or token').fill(await stage.token())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
  })

  it('has fetched less than 90 KB, packed, by the time the overview is seen', async () => {
    await using visit = await stage.visit()
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const fetched = await visit.page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name)`,
    )
    const files = fetched.filter((url) => url.startsWith(stage.url))
    expect(files.length).toBeGreaterThan(2)
    const sizes = files.map(async (url) => gzipSync(await (await fetch(url)).arrayBuffer()).length)
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(90_000)
  })

  it('fails for whatever goes wrong in a page', async () => {
    const wrongs: readonly [script: string, seen: RegExp][] = [
      [`setTimeout(() => { throw new Error('oh') })`, /^error: Error: oh/],
      [`console.error('said')`, /^console: said$/],
      [`fetch('../api/jobs/nothing')`, /^4\d\d GET .*\/api\/jobs\/nothing$/],
      [`document.body.setAttribute('style', 'color: red')`, /Content-Security-Policy: style-src/],
      [`fetch('https://example.invalid/').catch(() => {})`, /Content-Security-Policy: connect-src/],
    ]
    const visit = await stage.visit()
    await visit.page.getByRole('heading', { level: 1 }).waitFor()
    for (const [script, seen] of wrongs) {
      await visit.page.evaluate(`void ${script}`)
      while (!visit.watch.problems.some((each) => seen.test(each))) await visit.page.evaluate('1')
    }
    await visit.page.evaluate(`document.querySelector('main').append(document.createElement('input'))`)
    await expect(expectAccessible(visit.page)).rejects.toThrow('by axe')
    await expect(visit[Symbol.asyncDispose]()).rejects.toThrow('The page went wrong')
  })
})

describe.skipIf(chromium === null)('the dashboard below a path of somebody else’s server', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chromium, prefix: '/ops/tools' })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  it('opens, goes on and comes back', async () => {
    await using visit = await stage.visit('../jobs')
    const { page } = visit
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    expect(page.url()).toBe(`${stage.url}list`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Jobs' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })
})
