import { describe, expect, it } from 'vitest'
import type { AnyJobType } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { type TestOptions, testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { clock, occurrencesOf, recording, told } from './observed.ts'
import { type Process, Processes } from './processes.ts'
import { RecordedLog } from './recorded.ts'

const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)

/** A start and a stop, as a deploy does it. */
async function deploy(options: TestOptions): Promise<void> {
  await (await testPontual(options)).stop()
}

const jobOf = (id: string, expression = '0 * * * *', name?: string): AnyJobType =>
  recording(id, { trigger: cron(expression), ...(name === undefined ? {} : { name }) }).type

describe('jobs that the code declares', () => {
  it('are created by name at start, with all their rules', async () => {
    const type = recording('report', {
      name: 'nightly report',
      trigger: cron('0 3 * * *', { timeZone: 'America/Sao_Paulo' }),
      misfire: { policy: 'fireOnce', threshold: '2h' },
      timeout: '10m',
      retry: { retries: 5 },
      priority: 'HIGH',
      queue: 'reports',
      onFaulted: 'continue',
    }).type
    await using test = await testPontual({ jobs: [type], startAt: on('10:00') })
    expect(await test.app.job('nightly report')).toMatchObject({
      name: 'nightly report',
      status: 'ACTIVE',
      origin: 'code',
      version: 1,
      definition: {
        jobType: 'report',
        misfire: { policy: 'fireOnce', thresholdMs: 7_200_000 },
        timeoutMs: 600_000,
        maxAttempts: 6,
        priority: 'HIGH',
        queue: 'reports',
        onFault: 'continue',
      },
      schedule: { nextFireAt: at('2026-03-03T06:00Z') },
    })
  })

  it('take the id of the job type where they have no name', async () => {
    await using test = await testPontual({ jobs: [jobOf('nightly')] })
    expect((await test.app.jobs()).map(({ name }) => name)).toEqual(['nightly'])
  })

  it('are left as they are at the second start', async () => {
    const store = memory()
    await deploy({ store, jobs: [jobOf('nightly')], startAt: on('10:30') })
    const before = await testPontual({ store, startAt: on('10:31') })
    const first = await before.app.job('nightly')
    await before.stop()
    await using test = await testPontual({ store, jobs: [jobOf('nightly')], startAt: on('10:45') })
    expect(await test.app.job('nightly')).toEqual(first)
  })

  it('are due by a changed cron from the start on', async () => {
    const store = memory()
    await deploy({ store, jobs: [jobOf('nightly', '0 * * * *')], startAt: on('10:30') })
    await using test = await testPontual({ store, jobs: [jobOf('nightly', '*/20 * * * *')], startAt: on('10:31') })
    const changed = await test.app.job('nightly')
    expect(changed).toMatchObject({ version: 2, status: 'ACTIVE' })
    expect(clock(changed?.schedule.nextFireAt ?? null)).toBe('10:40')
  })

  it('follow a changed policy after an outage', async () => {
    const store = memory()
    const before = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'skipToNext' } })
    await deploy({ store, jobs: [before.type], startAt: on('10:00:30') })
    const after = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    await using _ = await testPontual({ store, jobs: [after.type], startAt: on('10:03:30') })
    expect(occurrencesOf(after)).toEqual(['10:01', '10:02', '10:03'])
  })

  it('declared twice under one name are refused', async () => {
    await expect(testPontual({ jobs: [jobOf('a', '* * * * *', 'x'), jobOf('b', '* * * * *', 'x')] })).rejects.toThrow(
      'Job "x" is declared twice; give each schedule its own name.',
    )
  })

  it('of one type may be many', async () => {
    const type = recording('import', [
      { name: 'north', trigger: cron('0 * * * *') },
      { name: 'south', trigger: cron('30 * * * *') },
    ])
    await using test = await testPontual({ jobs: [type.type], startAt: on('10:15') })
    await test.advanceTo(on('11:15'))
    expect(occurrencesOf(type)).toEqual(['10:30', '11:00'])
  })

  it('stay paused over a restart, also when the code changes', async () => {
    const store = memory()
    const before = await testPontual({ store, jobs: [jobOf('nightly')], startAt: on('10:30') })
    await before.app.pause('nightly')
    await before.stop()
    await using test = await testPontual({ store, jobs: [jobOf('nightly', '5 * * * *')], startAt: on('10:31') })
    expect(await test.app.job('nightly')).toMatchObject({ status: 'PAUSED', version: 3 })
  })
})

describe('a job that vanished from the code', () => {
  it('is disabled with a warning, not deleted, and fires no more', async () => {
    const { logger, lines } = new RecordedLog()
    const store = memory()
    const gone = recording('gone', { trigger: cron('* * * * *') })
    await deploy({ store, jobs: [gone.type], startAt: on('10:00:30'), application: 'shop' })
    await using test = await testPontual({ store, jobs: [], startAt: on('10:00:40'), application: 'shop', logger })
    await test.advanceTo(on('10:05'))
    expect(gone.runs).toEqual([])
    expect(await test.app.job('gone')).toMatchObject({ status: 'DISABLED', statusReason: 'not in the code any more' })
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { job: 'gone' } }])
  })

  it('takes no verb but removal', async () => {
    const store = memory()
    await deploy({ store, jobs: [jobOf('gone')], application: 'shop' })
    await using test = await testPontual({ store, application: 'shop' })
    for (const asked of [test.app.pause('gone'), test.app.resume('gone'), test.app.runNow('gone')]) {
      await expect(asked).rejects.toMatchObject({ code: 'job.status_conflict' })
    }
    expect(await test.app.remove('gone')).toBe(true)
  })

  it('is disabled once: later starts leave it', async () => {
    const store = memory()
    await deploy({ store, jobs: [jobOf('gone')], application: 'shop' })
    await deploy({ store, application: 'shop' })
    const { logger, lines } = new RecordedLog()
    await using test = await testPontual({ store, application: 'shop', logger })
    expect((await test.app.job('gone'))?.version).toBe(2)
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([])
  })

  it('and is back is active again, due from now on, with what it missed on record', async () => {
    const store = memory()
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    await deploy({ store, jobs: [tick.type], startAt: on('10:00:30'), application: 'shop' })
    await deploy({ store, jobs: [], startAt: on('10:00:40'), application: 'shop' })
    const between = await testPontual({ store, jobs: [], startAt: on('10:03:30'), application: 'shop' })
    const before = told(await between.app.ledger('tick', on('10:00'), on('10:04')))
    await between.stop()
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('10:03:30'), application: 'shop' })
    expect(tick.runs).toEqual([])
    expect(await test.app.job('tick')).toMatchObject({ status: 'ACTIVE', resumeStatus: null, statusReason: null })
    expect(before).toEqual(['3 skipped 10:01-10:03 paused'])
    expect(told(await test.app.ledger('tick', on('10:00'), on('10:04')))).toEqual(before)
    await test.advanceTo(on('10:04'))
    expect(occurrencesOf(tick)).toEqual(['10:04'])
  })

  it('and is back is paused again where it was paused', async () => {
    const store = memory()
    const before = await testPontual({ store, jobs: [jobOf('nightly')], application: 'shop' })
    await before.app.pause('nightly')
    await before.stop()
    await deploy({ store, application: 'shop' })
    await using test = await testPontual({ store, jobs: [jobOf('nightly')], application: 'shop' })
    expect((await test.app.job('nightly'))?.status).toBe('PAUSED')
  })

  it('under another name of the same type is another job', async () => {
    const store = memory()
    await deploy({ store, jobs: [jobOf('report', '0 * * * *', 'old')] })
    await using test = await testPontual({ store, jobs: [jobOf('report', '0 * * * *', 'new')] })
    const statuses = (await test.app.jobs()).map(({ name, status }) => [name, status])
    expect(statuses).toEqual([
      ['new', 'ACTIVE'],
      ['old', 'DISABLED'],
    ])
  })
})

describe('two applications on one store', () => {
  it.each<[string, string | undefined, string | undefined]>([
    ['with names', 'shop', 'billing'],
    ['without names', undefined, undefined],
    ['of which one has a name', 'shop', undefined],
  ])('%s do not disable each other', async (_case, first, second) => {
    const store = memory()
    for (let round = 0; round < 2; round += 1) {
      await deploy({ store, jobs: [jobOf('a')], application: first })
      await deploy({ store, jobs: [jobOf('b')], application: second })
    }
    await using test = await testPontual({ store })
    expect((await test.app.jobs()).map(({ name, status, version }) => [name, status, version])).toEqual([
      ['a', 'ACTIVE', 1],
      ['b', 'ACTIVE', 1],
    ])
  })

  it('in tenants of their own may use the same name', async () => {
    const store = memory()
    await deploy({ store, jobs: [jobOf('nightly')], tenant: 'acme' })
    await using test = await testPontual({ store, jobs: [jobOf('nightly', '5 * * * *')], tenant: 'globex' })
    expect((await test.app.jobs()).map(({ tenant, version }) => [tenant, version])).toEqual([
      ['acme', 1],
      ['globex', 1],
    ])
  })

  it('a job scheduled at run time is never disabled', async () => {
    const store = memory()
    const before = await testPontual({ store, jobs: [jobOf('report')], application: 'shop' })
    await before.app.schedule('report', { name: 'extra', trigger: cron('0 5 * * *') })
    await before.stop()
    await using test = await testPontual({ store, jobs: [], application: 'shop' })
    expect((await test.app.job('extra'))?.status).toBe('ACTIVE')
  })

  it('a node without job types disables nothing', async () => {
    const store = memory()
    await deploy({ store, jobs: [jobOf('nightly')] })
    await using test = await testPontual({ store })
    expect((await test.app.job('nightly'))?.status).toBe('ACTIVE')
  })
})

describe('two services on one store with the same application name', () => {
  const billing = () => recording('invoice', { trigger: cron('0 * * * *') }).type
  const shipping = () => recording('parcel', { trigger: cron('0 * * * *') }).type
  const application = 'pontual'

  it('leave the jobs of each other alone, and say how to name them', async () => {
    await using all = new Processes()
    const first = await all.node({ jobs: [billing()], application })
    const second = await all.node({ jobs: [shipping()], application })
    expect(await statuses(second)).toEqual({ invoice: 'ACTIVE', parcel: 'ACTIVE' })
    const reports = second.log.lines.filter(({ level }) => level === 'error')
    expect(reports).toMatchObject([{ fields: { application, jobs: [{ job: 'invoice' }] } }])
    expect(reports[0]?.message).toContain('PONTUAL_APPLICATION')

    // A restart of the first is no removal of its jobs.
    await all.until(first.app.stop())
    await all.pass('1m')
    expect(await statuses(second)).toEqual({ invoice: 'ACTIVE', parcel: 'ACTIVE' })
  })

  it('do so when they start at the same time', async () => {
    await using all = new Processes()
    const one = all.process({ jobs: [billing()], application })
    const other = all.process({ jobs: [shipping()], application })
    await Promise.all([one.app.start(), other.app.start()])
    await all.pass('10s')
    expect(await statuses(one)).toEqual({ invoice: 'ACTIVE', parcel: 'ACTIVE' })
  })

  it('are told apart by their own job types, not by those that every service has', async () => {
    await using all = new Processes()
    const builtIn = () => recording('pontual.purge', { trigger: cron('0 * * * *') }).type
    await all.node({ jobs: [billing(), builtIn()], application })
    const second = await all.node({ jobs: [shipping(), builtIn()], application })
    expect(second.log.at('error')).toHaveLength(1)
    expect(await statuses(second)).toMatchObject({ invoice: 'ACTIVE', parcel: 'ACTIVE' })
  })

  it('are not one service because they share a job type without a schedule', async () => {
    await using all = new Processes()
    const application = 'pontual'
    const mail = () => recording('mail').type
    const invoice = () => recording('invoice', { trigger: cron('0 * * * *') }).type
    const billing = await all.node({ jobs: [invoice(), mail()], application })
    const parcel = recording('parcel', { trigger: cron('0 * * * *') })
    const shipping = await all.node({ jobs: [parcel.type, mail()], application })
    await all.until(billing.app.stop())
    await all.pass('1m')
    expect(await statuses(shipping)).toEqual({ invoice: 'ACTIVE', parcel: 'ACTIVE' })
    expect(shipping.log.at('error')).toMatchObject([expect.stringContaining('PONTUAL_APPLICATION')])
  })
})

describe('a rolling deploy that removes a job from the code', () => {
  const keep = () => recording('keep', { trigger: cron('0 * * * *') }).type
  const remove = () => recording('remove', { trigger: cron('0 * * * *') }).type
  const application = 'shop'

  it.each<[string, () => AnyJobType[]]>([
    ['is the only one', () => [recording('helper').type]],
    [
      'is renamed, and keeps its type',
      () => [recording('remove', { name: 'renamed', trigger: cron('0 * * * *') }).type],
    ],
  ])('disables it also if it %s', async (_what, next) => {
    await using all = new Processes()
    const old = await all.node({ jobs: [remove(), recording('helper').type], application })
    const fresh = await all.node({ jobs: next(), application })
    await all.pass('10s')
    expect(await statuses(fresh)).toMatchObject({ remove: 'ACTIVE' })
    await all.until(old.app.stop())
    await all.pass('6s')
    expect(await statuses(fresh)).toMatchObject({ remove: 'DISABLED' })
    expect(fresh.log.at('error')).toEqual([])
  })

  it('disables it once the last node is gone that declares it', async () => {
    await using all = new Processes()
    const [old, older] = [
      await all.node({ jobs: [keep(), remove()], application }),
      await all.node({ jobs: [keep(), remove()], application }),
    ]
    const fresh = await all.node({ jobs: [keep()], application })
    await all.pass('1m')
    expect(await statuses(fresh)).toEqual({ keep: 'ACTIVE', remove: 'ACTIVE' })
    await all.until(old.app.stop())
    await all.pass('1m')
    expect(await statuses(fresh)).toEqual({ keep: 'ACTIVE', remove: 'ACTIVE' })
    await all.until(older.app.stop())
    await all.pass('6s')
    expect(await statuses(fresh)).toEqual({ keep: 'ACTIVE', remove: 'DISABLED' })
    const warnings = fresh.log.lines.filter(({ level }) => level === 'warn')
    expect(warnings).toMatchObject([{ fields: { job: 'remove', application } }])
    expect(fresh.log.at('error')).toEqual([])
  })

  it('disables it after the lease of a node that was killed', async () => {
    await using all = new Processes()
    const old = await all.node({ jobs: [keep(), remove()], application })
    const fresh = await all.node({ jobs: [keep()], application })
    old.freeze()
    await all.pass('25s')
    expect(await statuses(fresh)).toEqual({ keep: 'ACTIVE', remove: 'ACTIVE' })
    await all.pass('15s')
    expect(await statuses(fresh)).toEqual({ keep: 'ACTIVE', remove: 'DISABLED' })
  })
})

async function statuses({ app }: Process): Promise<Record<string, string>> {
  return Object.fromEntries((await app.jobs()).map(({ name, status }) => [name, status]))
}
