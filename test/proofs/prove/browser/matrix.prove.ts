import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from '../../../browser/accessible.ts'
import { findChromium } from '../../../browser/chromium.ts'
import { type DemoStage, openDemoStage } from '../../../browser/demo-stage.ts'
import { EVERY_PAGE, loadedAfterMs } from '../../../browser/every-page.ts'
import { type Language, pageTexts } from '../../../browser/page-texts.ts'
import type { Visit } from '../../../browser/stage.ts'

const LANGUAGES: readonly Language[] = ['en', 'pt-BR']
const THEMES = ['light', 'dark'] as const
/** A phone, a desk, and a wall. */
const WIDTHS = [360, 1_280, 2_560] as const

const MATRIX = LANGUAGES.flatMap((language) =>
  THEMES.flatMap((theme) =>
    WIDTHS.map((width) => [`${language}, ${theme}, ${width} pixels wide`, { language, theme, width }] as const),
  ),
)

/** The page to sign in asks who it is that looks, and nobody has said so yet. */
const NOT_YET = /^401 GET .*\/api\/session$/

const texts = pageTexts()
const folder = mkdtempSync(join(tmpdir(), 'pontual-pages-'))
let demo: DemoStage

beforeAll(async () => {
  demo = await openDemoStage(findChromium())
})
afterAll(async () => {
  await demo?.[Symbol.asyncDispose]()
  console.log(`Screenshots of all pages: ${folder}`)
})

describe.each(MATRIX)('in %s', (_, { language, theme, width }) => {
  const settings = { language, theme, width, height: width === 360 ? 740 : 900 }
  let visit: Visit
  beforeAll(async () => {
    visit = await demo.stage.visit('', settings)
  })
  afterAll(() => visit?.[Symbol.asyncDispose]())

  it.each(EVERY_PAGE.map((page) => [page.name, page] as const))('%s', async (name, page) => {
    await visit.page.goto(new URL(page.path(demo.things), demo.stage.url).href)
    await loadedAfterMs(visit.page, page)
    await expectGood(visit, name)
  })

  it('sign-in', async () => {
    await using nobodys = await demo.stage.visit('list', { ...settings, as: null })
    nobodys.watch.expect(NOT_YET)
    await nobodys.page.getByRole('heading', { level: 1 }).waitFor()
    await expectGood(nobodys, 'sign-in')
  })

  async function expectGood({ page, watch }: Visit, name: string): Promise<void> {
    await page.screenshot({ path: join(folder, `${name}-${language}-${theme}-${width}.png`) })
    expect.soft(watch.problems).toEqual([])
    expect.soft(await page.evaluate<string[]>(WIDER_THAN_THE_PAGE), 'elements that stand out').toEqual([])
    const shown = await page.evaluate<string>(ALL_TEXT)
    const other = language === 'en' ? texts['pt-BR'] : texts.en
    expect
      .soft(
        other.filter((text) => shown.includes(text)),
        'texts of the other language',
      )
      .toEqual([])
    expect.soft(await page.evaluate('document.documentElement.lang')).toBe(language)
    await expectAccessible(page)
  }
})

/** What makes a page wider than the window, where it is. */
const WIDER_THAN_THE_PAGE = `(() => {
  const { scrollWidth } = document.scrollingElement
  if (scrollWidth <= innerWidth) return []
  return [...document.querySelectorAll('body *')]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .slice(0, 10)
    .map((each) => each.tagName + '.' + each.getAttribute('class') + ' ' + Math.round(each.getBoundingClientRect().right))
})()`

/** What anybody could read or hear of a page. */
const ALL_TEXT = `[
  document.title,
  ...[...document.querySelectorAll('body, main, main *')].map((each) => each.childElementCount === 0 || each === document.body ? each.textContent : ''),
  ...[...document.querySelectorAll('*')].flatMap((each) => ['aria-label', 'title', 'placeholder', 'alt'].map((name) => each.getAttribute(name) ?? '')),
].join('\\n').replaceAll(/[^\\S\\n]+/g, ' ')`
