import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../../browser/chromium.ts'
import { type DemoStage, openDemoStage } from '../../../browser/demo-stage.ts'
import { EVERY_PAGE, loadedAfterMs } from '../../../browser/every-page.ts'
import { Latch } from '../../../browser/execution-jobs.ts'

const MOST_STEPS = 600

let demo: DemoStage
beforeAll(async () => {
  demo = await openDemoStage(findChromium())
})
afterAll(() => demo?.[Symbol.asyncDispose]())

describe.each([1_280, 360])('by keyboard, %d pixels wide', (width) => {
  it.each(EVERY_PAGE.map((page) => [page.name, page] as const))(
    'everything on %s is reached, and one sees where one is',
    async (_, known) => {
      await using visit = await demo.stage.visit(known.path(demo.things), { width, height: 800 })
      const { page } = visit
      await loadedAfterMs(page, known)
      await page.evaluate(BEGIN)
      const unseen: string[] = []
      for (let step = 0; step < MOST_STEPS; step += 1) {
        await page.keyboard.press('Tab')
        const at = await page.evaluate<{ isBack: boolean; unseen: string | null }>(STEP)
        if (at.isBack) break
        if (at.unseen !== null) unseen.push(at.unseen)
      }
      expect.soft(await moving(page), 'what moves').toEqual([])
      expect.soft(unseen, 'focus that nobody sees').toEqual([])
      expect(await page.evaluate<string[]>(MISSED), 'what the keyboard does not reach').toEqual([])
    },
  )
})

it('stands still for those who want less motion, also while one waits', async () => {
  await using visit = await demo.stage.visit('sign-in')
  const { page } = visit
  const answer = new Latch()
  await page.route('**/api/jobs?*', async (route) => {
    await answer.opened
    await route.continue()
  })
  await page.goto(new URL('list', demo.stage.url).href)
  await page.locator('main .skeleton').waitFor()
  expect(await moving(page)).toEqual([])
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await moving(page)).not.toEqual([])
  answer.open()
  await page.locator('main tbody tr').first().waitFor()
})

function moving(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(MOVING)
}

/** What takes longer than a blink to get where it goes. */
const MOVING = `[...document.querySelectorAll('body *')].flatMap((each) => {
  const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(each)
  const longestMs = (durations) => Math.max(...durations.split(',').map((text) => parseFloat(text) * (text.trim().endsWith('ms') ? 1 : 1000)))
  const moves = (animationName !== 'none' && longestMs(animationDuration) > 1) || longestMs(transitionDuration) > 1 || scrollBehavior === 'smooth'
  return moves ? [each.tagName + '.' + each.getAttribute('class')] : []
})`

/** Forgets where one was; notes what there is to be reached. */
const BEGIN = `(() => {
  document.activeElement?.blur?.()
  getSelection()?.removeAllRanges()
  window.scrollTo(0, 0)
  window.reached = new Set()
})()`

/** Where one is after a step: back at the beginning, or at something. */
const STEP = `new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)).then(() => {
  const at = document.activeElement
  // Between the end and the beginning lies what belongs to the browser.
  if (at === null || at === document.body) return { isBack: false, unseen: null }
  // A field for a date has several stops within it.
  if (at === window.previous) return { isBack: false, unseen: null }
  window.previous = at
  if (window.reached.has(at)) return { isBack: true, unseen: null }
  window.reached.add(at)
  const named = at.tagName + '.' + at.getAttribute('class') + ' ' + (at.getAttribute('aria-label') ?? at.textContent).trim().slice(0, 40)
  // It may be drawn around what holds it, as around a field with a button in it.
  const isDrawn = [at, at.parentElement, at.nextElementSibling].some((each) => {
    if (!each) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || (each === at && boxShadow !== 'none')
  })
  const { width, height, top, bottom } = at.getBoundingClientRect()
  const isInside = width > 0 && height > 0 && bottom > 0 && top < innerHeight
  return { isBack: false, unseen: isDrawn && isInside ? null : named + (isInside ? ' has no outline' : ' is not in view') }
})`

/** What somebody with a mouse could use, and the keyboard did not come to. One of a group that arrows move in stands for all of it. */
const MISSED = `(() => {
  const groups = '[role=radiogroup], [role=tablist], [role=menu], [role=listbox], [role=grid], [role=toolbar], [role=group], [role=list], ul, ol, table, svg, fieldset'
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length > 0
  const usable = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [role=button], [role=link]'
  return [...document.querySelectorAll(usable)]
    .filter((each) => isShown(each) && !each.disabled && each.closest('[inert]') === null && !window.reached.has(each))
    .filter((each) => {
      const roves = each.tabIndex < 0 || each.type === 'radio'
      const group = each.closest(groups)
      return !(roves && group && [...window.reached].some((reached) => group.contains(reached)))
    })
    .map((each) => each.tagName + '.' + each.getAttribute('class') + ' ' + (each.getAttribute('aria-label') ?? each.textContent).trim().slice(0, 40))
})()`
