import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../src/job/type/job-type.ts'
import { cron } from '../../src/time.ts'
import { expectAccessible } from './accessible.ts'
import { findChromium } from './chromium.ts'
import { openStage, type Stage } from './stage.ts'

const chromium = findChromium()

/** Everything at midnight in São Paulo, as people do, and one job every hour. */
const midnight = job('midnight', {
  schedule: ['backup', 'closing', 'cleanup'].map((name) => ({
    name,
    trigger: cron('0 0 * * *', { timeZone: 'America/Sao_Paulo' }),
  })),
  run: () => null,
})
const hourly = job('hourly', { schedule: { name: 'hourly', trigger: cron('30 * * * *') }, run: () => null })

interface Named {
  readonly id: string
  readonly name: string
  readonly misfirePolicy: string
}

describe.skipIf(chromium === null)('whoever plans', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ chromium, jobs: [midnight, hourly] })
    const weekends = { type: 'weekly', weekdays: [0, 6] }
    await stage.ask('PUT', '/api/jobs/calendars/weekends', { body: { definition: weekends } })
    await stage.ask('PUT', `/api/jobs/${await idOf('backup')}`, { body: { calendar: 'weekends' } })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  const jobs = async () => (await stage.ask<{ items: Named[] }>('GET', '/api/jobs')).items
  const idOf = async (name: string) => (await jobs()).find((each) => each.name === name)?.id ?? ''

  it('sees a month, opens a day of it, and comes to the job that fires', async () => {
    await using visit = await stage.visit('calendar?date=2030-03-15')
    const { page } = visit
    await page.getByRole('heading', { name: 'March 2030' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'April 2030' }).waitFor()
    await page.getByRole('button', { name: /^April 10 27 fires/ }).click()
    await page.getByRole('heading', { name: 'Wednesday, April 10, 2030' }).waitFor()
    await page.getByRole('heading', { name: '00:00 4 fires' }).waitFor()
    await expectAccessible(page)
    await page.goBack()
    await page.getByRole('heading', { name: 'April 2030' }).waitFor()
    await page.goForward()
    await page.getByRole('link', { name: 'closing' }).click()
    await page.getByRole('heading', { level: 1, name: 'closing' }).waitFor()
  })

  it('sees a week hour by hour, without the weekend of a calendar', async () => {
    await using visit = await stage.visit('calendar?view=week&date=2030-04-10')
    const row = visit.page.getByRole('row', { name: /^00:00/ })
    await row.waitFor()
    expect(await row.getByRole('cell').allTextContents()).toEqual(['3', '4', '4', '4', '4', '4', '3'])
    await expectAccessible(visit.page)
  })

  it('sees what piles up at midnight, and which jobs those are', async () => {
    await using visit = await stage.visit('calendar?view=load&date=2030-04-10')
    const { page } = visit
    await page.getByText('Busiest: 3 fires in 15 minutes, at 00:00').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: '00:00: 3 fires' }).press('Enter')
    const fires = page.getByRole('region', { name: 'Fires from 00:00 to 00:15' })
    await fires.getByRole('link', { name: 'backup' }).waitFor()
    expect(await fires.getByRole('link').allTextContents()).toEqual(['backup', 'cleanup', 'closing'])
  })

  it('changes a calendar, and sees before that which fires change', async () => {
    await using visit = await stage.visit('calendars')
    const { page } = visit
    await page.getByText('Sunday, Saturday').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Edit weekends' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('No fire changes.').waitFor()
    await dialog.getByLabel('Monday').check()
    await dialog.getByText(/[45] fire no more/).waitFor()
    await dialog.getByRole('link', { name: 'backup' }).waitFor()
    await expectAccessible(page)
    // Pressed inside and let go beside it, as when text is selected: nothing that was entered is lost.
    await dialog.getByRole('heading', { level: 2 }).hover()
    await page.mouse.down()
    await page.mouse.move(2, 2)
    await page.mouse.up()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Calendar saved').waitFor()
    await page.getByText('Sunday, Monday, Saturday').waitFor()

    visit.watch.expect(/^409 DELETE /)
    await page.getByRole('button', { name: 'Delete weekends' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete weekends' }).click()
    await page
      .getByText(/backup/)
      .first()
      .waitFor()
  })

  it('who is not Admin sees calendars and cannot change them', async () => {
    await using visit = await stage.visit('calendars', { as: 'Developer' })
    await visit.page.getByRole('cell', { name: 'weekends' }).waitFor()
    expect(await visit.page.getByRole('button', { name: /weekends|Create/ }).count()).toBe(0)
  })

  it('moves an outage by the keyboard, sees what each policy does, and keeps one', async () => {
    await using visit = await stage.visit('what-if?from=2030-04-09T23:00&to=2030-04-10T02:00')
    const { page } = visit
    await page.getByRole('heading', { name: '4 jobs would miss 6 occurrences' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('slider', { name: 'End of the outage' }).press('PageUp')
    await page.getByRole('heading', { name: '4 jobs would miss 7 occurrences' }).waitFor()
    const hourlyJob = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'hourly' }) })
    await hourlyJob.getByText('1 late run · 3 consolidated').first().waitFor()
    await hourlyJob.getByText('4 late runs').waitFor()
    await hourlyJob.getByText('nothing runs · 4 skipped').waitFor()
    await hourlyJob.getByRole('radio', { name: 'Use “All of them” for hourly' }).check()
    await hourlyJob.getByRole('button', { name: 'Save policy' }).click()
    await page.getByText('Policy of hourly saved').waitFor()
    expect((await jobs()).find(({ name }) => name === 'hourly')?.misfirePolicy).toBe('fireAll')
  })

  it('drags an outage with the mouse', async () => {
    await using visit = await stage.visit('what-if?from=2030-04-09T10:00&to=2030-04-09T10:20', { timeZone: 'UTC' })
    const { page } = visit
    await page.getByText('No job would miss an occurrence').waitFor()
    const end = await page.getByRole('slider', { name: 'End of the outage' }).boundingBox()
    if (end === null) throw new Error('There is nothing to drag.')
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2)
    await page.mouse.down()
    await page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 4 })
    await page.mouse.up()
    await page.getByRole('heading', { name: /^1 job would miss \d+ occurrences?$/ }).waitFor()
  })

  it('drags the whole outage on a phone, however short it is there', async () => {
    const path = 'what-if?from=2030-04-09T10:00&to=2030-04-09T10:20'
    await using visit = await stage.visit(path, { timeZone: 'UTC', width: 360 })
    const { page } = visit
    const held = await page.getByRole('slider', { name: 'Outage of 20 min' }).boundingBox()
    if (held === null) throw new Error('There is nothing to drag.')
    await page.mouse.move(held.x + held.width / 2, held.y + held.height / 2)
    await page.mouse.down()
    await page.mouse.move(held.x + 60, held.y + held.height / 2, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => page.getByLabel('Begin of the outage').last().inputValue()).not.toBe('2030-04-09T10:00')
    await page.getByRole('slider', { name: 'Outage of 20 min' }).waitFor()
  })
})
