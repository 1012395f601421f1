import { describe, expect, it } from 'vitest'
import { JobConflictError } from '../../../src/job/job-status.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron, type MisfireOptions, type MisfirePolicyName, once, simple } from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { clock, occurrencesOf, recording, told } from './observed.ts'
import { RecordedLog } from './recorded.ts'

const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)
const START = on('09:59:30')

describe('a paused job', () => {
  it('does not fire, and what it misses is skipped', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:00:30'))
    expect(await test.app.pause('tick', 'month end')).toMatchObject({
      status: 'PAUSED',
      resumeStatus: 'ACTIVE',
      statusReason: 'month end',
    })
    await test.advanceTo(on('10:05:30'))
    expect(occurrencesOf(tick)).toEqual(['10:00'])

    const resumed = await test.app.resume('tick')
    expect(resumed).toMatchObject({ status: 'ACTIVE', resumeStatus: null, statusReason: null })
    expect(clock(resumed.schedule.nextFireAt)).toBe('10:06')
    await test.advanceTo(on('10:06:30'))
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:06'])
    expect(told(await test.app.ledger('tick', START, on('11:00')))).toEqual([
      '1 fired 10:00',
      '5 skipped 10:01-10:05 paused',
      '1 fired 10:06',
    ])
  })

  it('tells what it has missed so far before it is resumed, and the same afterwards', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:00:30'))
    await test.app.pause('tick')
    await test.advanceTo(on('10:02:30'))
    const ledger = async (from: string, to: string) => told(await test.app.ledger('tick', on(from), on(to)))
    expect(await ledger('10:00', '11:00')).toEqual(['1 fired 10:00', '2 skipped 10:01-10:02 paused'])
    expect(await ledger('10:00', '10:02')).toEqual(['1 fired 10:00', '1 skipped 10:01 paused'])
    expect(await ledger('10:03', '11:00')).toEqual([])
    await test.advanceTo(on('10:05:30'))
    const before = await ledger('10:00', '11:00')
    await test.app.resume('tick')
    expect(await ledger('10:00', '11:00')).toEqual(before)
  })

  it('skips also what is hardly late when it is resumed', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { threshold: '1h' } })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.app.pause('tick')
    await test.advanceTo(on('10:00:01'))
    await test.app.resume('tick')
    await test.advanceTo(on('10:00:59'))
    expect(occurrencesOf(tick)).toEqual([])
  })

  it.each<[MisfirePolicyName, string[], string[]]>([
    ['fireNow', ['10:01'], ['1 firedLate 10:01 paused', '2 consolidated 10:02-10:03 paused']],
    ['fireOnce', ['10:03'], ['2 consolidated 10:01-10:02 paused', '1 firedLate 10:03 paused']],
    ['fireAll', ['10:01', '10:02', '10:03'], ['10:01', '10:02', '10:03'].map((time) => `1 firedLate ${time} paused`)],
    ['skipToNext', [], ['3 skipped 10:01-10:03 paused']],
  ])('makes up with %s where the job says so', async (policy, occurrences, ledger) => {
    const misfire: MisfireOptions = { policy: 'skipToNext', causes: { paused: policy } }
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire })
    await using test = await testPontual({ jobs: [tick.type], startAt: on('10:00:30') })
    await test.app.pause('tick')
    await test.advanceTo(on('10:03:30'))
    await test.app.resume('tick')
    await test.settle()
    expect(occurrencesOf(tick)).toEqual(occurrences)
    for (const { misfire: told } of tick.runs) expect(told).toMatchObject({ cause: 'paused', policy, missedCount: 3 })
    expect(told(await test.app.ledger('tick', START, on('11:00')))).toEqual(ledger)
    expect(clock((await test.app.job('tick'))?.schedule.nextFireAt ?? null)).toBe('10:04')
  })

  it('stays paused over a restart, and the outage is no other cause', async () => {
    const store = memory()
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    const before = await testPontual({ store, jobs: [tick.type], startAt: on('10:00:30') })
    await before.app.pause('tick')
    await before.stop()
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('12:00:30') })
    expect((await test.app.job('tick'))?.status).toBe('PAUSED')
    await test.app.resume('tick')
    await test.advanceTo(on('12:01:30'))
    expect(occurrencesOf(tick)).toEqual(['12:01'])
    expect(told(await test.app.ledger('tick', START, on('12:01')))).toEqual(['120 skipped 10:01-12:00 paused'])
  })

  it('that fires once does so when it is resumed, however late', async () => {
    const single = recording('single', { trigger: once(on('10:01')) })
    await using test = await testPontual({ jobs: [single.type], startAt: on('10:00') })
    await test.app.pause('single')
    await test.advanceTo(on('15:00'))
    expect(single.runs).toEqual([])
    await test.app.resume('single')
    await test.settle()
    expect(occurrencesOf(single)).toEqual(['10:01'])
    expect((await test.app.job('single'))?.schedule.nextFireAt).toBeNull()
  })

  it('that fires once fires at its instant where it was resumed before', async () => {
    const single = recording('single', { trigger: once(on('10:10')) })
    await using test = await testPontual({ jobs: [single.type], startAt: on('10:00') })
    await test.app.pause('single')
    await test.advanceTo(on('10:05'))
    await test.app.resume('single')
    await test.advanceTo(on('10:09:59'))
    expect(single.runs).toEqual([])
    await test.advanceTo(on('10:10'))
    expect(occurrencesOf(single)).toEqual(['10:10'])
  })

  it('can be run by hand, which does not resume it', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using test = await testPontual({ jobs: [tick.type], startAt: on('10:00:30') })
    await test.app.pause('tick')
    await test.app.runNow('tick')
    await test.advanceTo(on('10:02:30'))
    expect(tick.runs.map(({ scheduledAt }) => scheduledAt)).toEqual([null])
    expect((await test.app.job('tick'))?.status).toBe('PAUSED')
  })

  it('pause and resume do not reopen an instant that fired', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { causes: { paused: 'fireAll' } } })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:00'))
    for (let round = 0; round < 3; round += 1) {
      await test.app.pause('tick')
      await test.app.resume('tick')
      await test.settle()
    }
    await test.advanceTo(on('10:01'))
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:01'])
  })
})

describe('status and verb', () => {
  const conflict = async (asked: Promise<unknown>) => {
    const error = await asked.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(JobConflictError)
    return (error as JobConflictError).message
  }

  it('a verb that a status does not take is refused by name', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    expect(await conflict(test.app.resume('tick'))).toBe('Job "tick" is ACTIVE; resume needs PAUSED or FAULTED.')
    await test.app.pause('tick')
    expect(await conflict(test.app.pause('tick'))).toBe(
      'Job "tick" is PAUSED; pause needs ACTIVE or FAULTED or APPROVED.',
    )
  })

  it('a job that does not exist is named', async () => {
    await using test = await testPontual()
    await expect(test.app.pause('nightly')).rejects.toThrow('There is no job "nightly".')
    await expect(test.app.resume('nightly')).rejects.toThrow('There is no job "nightly".')
    await expect(test.app.runNow('nightly')).rejects.toThrow('There is no job "nightly".')
    await expect(test.app.ledger('nightly', 0, 1)).rejects.toThrow('There is no job "nightly".')
  })
})

/** A job of every minute whose first run fails for good. */
function failing(misfire: MisfireOptions = {}, onFaulted: 'stop' | 'continue' = 'stop') {
  const state = { fails: true }
  const tick = recording('tick', { trigger: cron('* * * * *'), misfire, retry: { retries: 0 }, onFaulted }, () => {
    if (state.fails) throw new Error('no connection')
  })
  return { tick, state }
}

describe('a faulted job', () => {
  it('does not fire until it is resumed, and what it misses is skipped', async () => {
    const { tick, state } = failing({ policy: 'fireAll' })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:03:30'))
    expect((await test.app.job('tick'))?.status).toBe('FAULTED')
    expect(occurrencesOf(tick)).toEqual(['10:00'])
    const before = told(await test.app.ledger('tick', START, on('11:00')))
    expect(before).toEqual(['1 fired 10:00', '3 skipped 10:01-10:03 faulted'])
    state.fails = false
    expect((await test.app.resume('tick')).status).toBe('ACTIVE')
    expect(told(await test.app.ledger('tick', START, on('11:00')))).toEqual(before)
    await test.advanceTo(on('10:04:30'))
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:04'])
  })

  it('goes on firing where it is told to', async () => {
    const { tick } = failing({}, 'continue')
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:02:30'))
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:01', '10:02'])
    expect((await test.app.job('tick'))?.status).toBe('FAULTED')
  })

  it('may be paused, and is active after that', async () => {
    const { tick, state } = failing()
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:00:30'))
    expect(await test.app.pause('tick')).toMatchObject({ status: 'PAUSED', resumeStatus: 'ACTIVE' })
    state.fails = false
    expect((await test.app.resume('tick')).status).toBe('ACTIVE')
  })

  it('is well again after a run by hand that succeeds, with what it missed on record', async () => {
    const { tick, state } = failing({ policy: 'fireAll' })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:03:30'))
    await test.app.runNow('tick')
    await test.settle()
    expect((await test.app.job('tick'))?.status).toBe('FAULTED')
    state.fails = false
    await test.app.runNow('tick')
    await test.settle()
    expect((await test.app.job('tick'))?.status).toBe('ACTIVE')
    await test.advanceTo(on('10:04:30'))
    expect(told(await test.app.ledger('tick', START, on('11:00')))).toEqual([
      '1 fired 10:00',
      '3 skipped 10:01-10:03 faulted',
      '1 fired 10:04',
    ])
  })

  it.each(['resume', 'run by hand'])('makes up by the policy of its cause after a %s', async (way) => {
    const { tick, state } = failing({ policy: 'skipToNext', causes: { faulted: 'fireAll' } })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:03:30'))
    state.fails = false
    tick.runs.length = 0
    await (way === 'resume' ? test.app.resume('tick') : test.app.runNow('tick'))
    await test.settle()
    const scheduled = tick.runs.filter(({ scheduledAt }) => scheduledAt !== null)
    expect(scheduled.map(({ scheduledAt }) => clock(scheduledAt))).toEqual(['10:01', '10:02', '10:03'])
    expect(scheduled.map(({ misfire }) => misfire?.cause)).toEqual(['faulted', 'faulted', 'faulted'])
  })

  it('is active again after an edit, and what it missed stays on record', async () => {
    const { tick, state } = failing()
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:03:30'))
    state.fails = false
    const edited = await test.app.schedule(tick.type, { name: 'tick', trigger: cron('* * * * *'), priority: 'HIGH' })
    expect(edited).toMatchObject({ status: 'ACTIVE', resumeStatus: null })
    expect(told(await test.app.ledger('tick', START, on('11:00')))).toEqual([
      '1 fired 10:00',
      '3 skipped 10:01-10:03 faulted',
    ])
    await test.advanceTo(on('10:04:30'))
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:04'])
  })

  it('loses nothing silently in an edit, whatever the policy of its cause', async () => {
    const misfire: MisfireOptions = { causes: { faulted: 'fireAll' } }
    const { tick, state } = failing(misfire)
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:03:30'))
    state.fails = false
    await test.app.schedule(tick.type, { name: 'tick', trigger: cron('* * * * *'), misfire, priority: 'HIGH' })
    await test.advanceTo(on('10:04:30'))
    const ledger = await test.app.ledger('tick', START, on('11:00'))
    expect(ledger.reduce((sum, { count }) => sum + count, 0)).toBe(5)
  })
})

describe('an edited job', () => {
  it('is due from now on by its new trigger, and nothing of the past fires', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:01:30'))
    const edited = await test.app.schedule(tick.type, { name: 'tick', trigger: cron('*/5 * * * *') })
    expect(clock(edited.schedule.nextFireAt)).toBe('10:05')
    expect(edited.version).toBe(2)
    await test.advanceTo(on('10:05:30'))
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:01', '10:05'])
  })

  it('records under the cause edited what it missed by the old trigger', async () => {
    const store = memory()
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    await (await testPontual({ store, jobs: [tick.type], startAt: on('10:00:30') })).stop()
    const changed = recording('tick', { trigger: cron('*/30 * * * *'), misfire: { policy: 'fireAll' } })
    await using test = await testPontual({ store, jobs: [changed.type], startAt: on('10:10:30') })
    expect(changed.runs).toEqual([])
    expect(told(await test.app.ledger('tick', START, on('11:00')))).toEqual(['10 skipped 10:01-10:10 edited'])
    expect(clock((await test.app.job('tick'))?.schedule.nextFireAt ?? null)).toBe('10:30')
  })

  it('loses nothing silently, whatever the policy of the cause', async () => {
    const store = memory()
    const misfire: MisfireOptions = { causes: { edited: 'fireAll' } }
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire })
    await (await testPontual({ store, jobs: [tick.type], startAt: on('10:00:30') })).stop()
    const changed = recording('tick', { trigger: cron('*/30 * * * *'), misfire })
    await using test = await testPontual({ store, jobs: [changed.type], startAt: on('10:10:30') })
    const ledger = await test.app.ledger('tick', START, on('11:00'))
    expect(ledger.reduce((sum, { count }) => sum + count, 0)).toBe(10)
  })

  it('records the single occurrence that an edit takes away while it is held back', async () => {
    const single = recording('single', { trigger: once(on('10:01')) })
    await using test = await testPontual({ jobs: [single.type], startAt: on('10:00') })
    await test.app.pause('single')
    await test.advanceTo(on('10:05'))
    await test.app.schedule(single.type, { name: 'single', trigger: once(on('12:00')) })
    await test.app.resume('single')
    await test.advanceTo(on('12:00'))
    expect(occurrencesOf(single)).toEqual(['12:00'])
    expect(told(await test.app.ledger('single', START, on('13:00')))).toEqual([
      '1 skipped 10:01 edited',
      '1 fired 12:00',
    ])
  })

  it('stays paused, and is due from the edit on', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using test = await testPontual({ jobs: [tick.type], startAt: on('10:00:30') })
    await test.app.pause('tick')
    await test.advanceTo(on('10:02:30'))
    const edited = await test.app.schedule(tick.type, { name: 'tick', trigger: cron('*/5 * * * *') })
    expect(edited.status).toBe('PAUSED')
    await test.advanceTo(on('10:06:30'))
    await test.app.resume('tick')
    expect(told(await test.app.ledger('tick', START, on('11:00')))).toEqual([
      '2 skipped 10:01-10:02 edited',
      '1 skipped 10:05 paused',
    ])
  })

  it('an edit back and forth does not reopen an instant that fired', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:00'))
    await test.app.schedule(tick.type, { name: 'tick', trigger: cron('*/5 * * * *') })
    await test.app.schedule(tick.type, { name: 'tick', trigger: cron('* * * * *') })
    await test.advanceTo(on('10:01'))
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:01'])
  })

  it.each(['timeout', 'priority', 'input', 'misfire'] as const)(
    'of which only %s is new keeps its next fire time',
    async (field) => {
      const NEW = { timeout: '1m', priority: 'HIGH', input: undefined, misfire: { policy: 'fireAll' } } as const
      const every = simple({ startAt: on('09:00'), interval: '7m', repeatCount: 30 })
      const tick = recording('tick')
      await using test = await testPontual({ jobs: [tick.type], startAt: START })
      await test.app.schedule(tick.type, { name: 'every', trigger: every })
      await test.advanceTo(on('10:05'))
      const before = await test.app.job('every')
      const changed = await test.app.schedule<unknown>('tick', {
        name: 'every',
        trigger: every,
        [field]: field === 'input' ? { month: 3 } : NEW[field],
      })
      expect(changed.version).toBe((before?.version ?? 0) + 1)
      expect(changed.schedule).toEqual(before?.schedule)
      expect(changed.schedule.timesTriggered).toBeGreaterThan(0)
    },
  )

  it('the same definition leaves version and times as they are', async () => {
    const tick = recording('tick')
    const options = {
      name: 'tick',
      trigger: cron('0 3 * * *', { timeZone: 'America/Sao_Paulo' }),
      misfire: { policy: 'fireAll', catchUp: { limit: 5 } },
      timeout: '10m',
    } as const
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    const first = await test.app.schedule(tick.type, options)
    await test.advance('3d')
    const job = await test.app.job('tick')
    const again = await test.app.schedule(tick.type, {
      ...options,
      trigger: cron('0 3 * * *', { timeZone: 'America/Sao_Paulo' }),
    })
    expect(again).toEqual(job)
    expect(again.version).toBe(first.version)
    expect(tick.runs).toHaveLength(3)
  })
})

describe('a fault of the schedule itself', () => {
  it('is logged as an error and told in the job', async () => {
    const { logger, lines } = new RecordedLog()
    const { tick } = failing()
    await using test = await testPontual({ jobs: [tick.type], startAt: START, logger })
    await test.advanceTo(on('10:00:30'))
    const [line] = lines.filter(({ message }) => message === 'job.faulted')
    expect(line).toMatchObject({
      level: 'error',
      fields: { job: 'tick', error: expect.stringContaining('no connection') as unknown },
    })
  })
})
