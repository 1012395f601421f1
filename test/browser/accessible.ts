import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** WCAG 2.2 AA, and what it builds on. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What of an answer of axe is told. */
interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** Fails with a row for each element of the page that somebody could not see, reach or understand. */
export async function expectAccessible(page: Page): Promise<void> {
  // Evaluated from outside, so that the page's own policy stays as strict as it is.
  await page.evaluate(axe.source)
  const options = { runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] }
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  )
  const rows = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary = '' }) => `${id}: ${help}\n  ${target.join(' ')}\n  ${indented(failureSummary)}`,
    ),
  )
  expect(rows, `${page.url()} by axe`).toEqual([])
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
