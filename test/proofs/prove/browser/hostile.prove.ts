import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PontualError } from '../../../../src/errors.ts'
import type { DurableContext } from '../../../../src/job/activity/durable-context.ts'
import { type AnyJobType, job } from '../../../../src/job/type/job-type.ts'
import { cron } from '../../../../src/time/triggers/cron.ts'
import { findChromium } from '../../../browser/chromium.ts'
import { EVERY_PAGE, loadedAfterMs, type Things } from '../../../browser/every-page.ts'
import { openStage, type Stage, type Viewer } from '../../../browser/stage.ts'

const ESCAPE = String.fromCharCode(27)
const BELL = String.fromCharCode(7)

/** What would set a mark, were it taken for more than text. */
const HOSTILE: readonly string[] = [
  '<img src=x onerror="window.marked=1">',
  '"><svg/onload=window.marked=1>',
  '</script><script>window.marked=1</script>',
  '<iframe srcdoc="<script>parent.marked=1</script>">',
  '{{constructor.constructor("window.marked=1")()}}',
  '$' + '{window.marked=1}',
  'javascript:window.marked=1',
  "';window.marked=1;//",
]
const ALL = HOSTILE.join(' ')

/** These are refused in names and tags, but not in what jobs say. */
const UNSEEN = `${ESCAPE}]8;;http://e${BELL}link${ESCAPE}]8;;${BELL} \r\n2026-01-01 INFO forged line a\u2028b a\u202eb`

const SPEAKER: Viewer = { userId: HOSTILE[0] ?? '' }
const NEVER = { trigger: cron('0 0 29 2 *') } as const

function types(): readonly AnyJobType[] {
  return [
    job('says', {
      input: z.looseObject({}),
      retry: { retries: 0 },
      run: (input: Record<string, unknown>, { logger, progress }) => {
        progress(0.5, ALL)
        for (const text of HOSTILE) logger.warn(text, { [text]: text })
        logger.error(UNSEEN)
        logger.info('x'.repeat(100_000))
        if (input['fails'] === true) {
          const error = new PontualError('hostile', ALL + UNSEEN, { [ALL]: ALL })
          error.stack = `${ALL}\n    at ${ALL} (javascript:window.marked=1:1:1)`
          throw error
        }
        return { [ALL]: ALL, html: ALL }
      },
    }),
    job('steps', {
      durable: true,
      schedule: NEVER,
      run: async (_input: unknown, context: DurableContext) => {
        for (const text of HOSTILE) await context.run(text, () => ({ [text]: text }))
        await context
          .run('fails', () => Promise.reject(new Error(ALL)), { retry: { retries: 1, initial: 1 } })
          .catch(() => {})
        return ALL
      },
    }),
    job('sensitive', { sensitive: true, input: z.looseObject({}), run: () => null }),
  ]
}

/** S22: whatever people and handlers say is text, on every page. */
describe('hostile text', () => {
  let stage: Stage
  let things: Things

  beforeAll(async () => {
    stage = await openStage({ chromium: findChromium(), jobs: types() })
    const create = (jobType: string, name: string, payload: unknown) =>
      stage.ask<{ id: string }>('POST', '/api/jobs', {
        as: SPEAKER,
        body: { name, jobType, cronExpression: '0 0 29 2 *', description: ALL, tags: HOSTILE.slice(0, 4), payload },
      })
    const run = async (id: string) => {
      const { executionId } = await stage.ask<{ executionId: string }>('POST', `/api/jobs/${id}/execute`, {
        as: SPEAKER,
      })
      await stage.app.waitFor(executionId)
      return executionId
    }
    for (const [at, text] of HOSTILE.entries()) await create('says', `${at} ${text}`.slice(0, 128), { [ALL]: ALL })
    const failing = await create('says', ALL.slice(0, 128), { fails: true, [ALL]: ALL })
    await create('sensitive', `${HOSTILE[0]} sensitive`, { [ALL]: ALL })
    const failedExecutionId = await run(failing.id)
    const [durable] = (await stage.ask<{ items: { id: string }[] }>('GET', '/api/jobs?q=type:steps')).items
    const executionId = await run(durable?.id ?? '')
    await stage
      .ask('PUT', `/api/jobs/calendars/${encodeURIComponent(HOSTILE[0] ?? '')}`, {
        body: { type: 'weekly', weekdays: [0], description: ALL },
      })
      .catch(() => {})
    things = { jobId: failing.id, executionId, failedExecutionId }
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  it.each(EVERY_PAGE.map((page) => [page.name, page] as const))('is text on %s', async (_, known) => {
    await using visit = await stage.visit(known.path(things), { as: SPEAKER })
    const { page } = visit
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await loadedAfterMs(page, known)
    for (const details of await page.locator('main summary').all()) await details.click()
    for (const row of await page.locator('main [aria-expanded="false"]:visible').all())
      await row.click({ timeout: 1_000 }).catch(() => {})
    expect(await page.evaluate<unknown>('window.marked')).toBeUndefined()
    expect(dialogs).toEqual([])
    expect(await page.evaluate<string[]>(SMUGGLED)).toEqual([])
  })

  it.each(['job', 'execution-failed', 'jobs'])('is shown as it stands on the page %s', async (name) => {
    const known = EVERY_PAGE.find((page) => page.name === name)
    await using visit = await stage.visit(known?.path(things), { as: SPEAKER })
    await visit.page.getByText('<img src=x onerror="window.marked=1">').first().waitFor()
  })

  it.each([
    'list?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.marked%3D1%3E',
    'executions?q=%22%3E%3Csvg/onload%3Dwindow.marked%3D1%3E',
    'calendar?view=%3Cscript%3E&date=javascript:1',
    'settings?tab=%3Cscript%3E',
    'sign-in?next=javascript:window.marked=1',
    'sign-in?next=//evil.example/',
  ])('in an address, %s, does nothing', async (path) => {
    await using visit = await stage.visit(path, { as: SPEAKER })
    // What cannot be searched for is refused.
    visit.watch.expect(/^400 GET /)
    await visit.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await visit.page.evaluate<unknown>('window.marked')).toBeUndefined()
    expect(await visit.page.evaluate<string[]>(SMUGGLED)).toEqual([])
    expect(new URL(visit.page.url()).origin).toBe(new URL(stage.url).origin)
  })
})

/** Elements, handlers and addresses that no page of ours has. */
const SMUGGLED = `[
  ...[...document.querySelectorAll('img:not([src="pontual.svg"]), iframe, object, embed, base ~ base, link[rel=import], script:not([src])')].map((each) => each.outerHTML),
  ...[...document.querySelectorAll('[href], [src], [action], [formaction]')]
    .flatMap((each) => ['href', 'src', 'action', 'formaction'].map((name) => each.getAttribute(name) ?? ''))
    .filter((address) => /^\\s*(javascript|data|vbscript):|^\\/\\/|^https?:\\/\\/(?!127\\.0\\.0\\.1|localhost)/i.test(address)),
  ...[...document.querySelectorAll('*')].flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith('on'))),
]`
