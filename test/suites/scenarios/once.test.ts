import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { testPontual } from '../../../src/testing.ts'

const START = '2026-01-01T00:00:00Z'

function launcher(now: () => number) {
  const runs: unknown[] = []
  const launch = job('launch', {
    run: (input: { rocket: string }, { scheduledAt }) => {
      runs.push([new Date(now()).toISOString(), input.rocket, scheduledAt])
    },
  })
  return { runs, launch }
}

describe('a job that runs once', () => {
  it('runs at its instant with its payload, and never again', async () => {
    const { runs, launch } = launcher(() => t.now())
    await using t = await testPontual({ jobs: [launch], startAt: START })
    const at = Date.parse('2026-01-02T10:00:00Z')
    await t.app.scheduleOnce(launch, at, { name: 'maiden flight', input: { rocket: 'V1' } })
    await t.advanceTo(at - 1)
    expect(runs).toEqual([])
    await t.advance('1 year')
    expect(runs).toEqual([['2026-01-02T10:00:00.000Z', 'V1', at]])
    expect(await t.app.job('maiden flight')).toMatchObject({ schedule: { nextFireAt: null, timesTriggered: 1 } })
    expect(await t.app.executions()).toMatchObject([{ status: 'SUCCESS', origin: 'schedule', scheduledAt: at }])
  })

  it.each([
    ['a second ago', '2025-12-31T23:59:59Z'],
    ['right now', START],
  ])('is refused where that is past: %s', async (_when, at) => {
    await using t = await testPontual({ startAt: START })
    const refused = t.app.scheduleOnce('launch', at, { name: 'late' })
    await expect(refused).rejects.toMatchObject({
      code: 'job.in_past',
      message: expect.stringContaining('which is past; it is 2026-01-01T00:00:00') as string,
    })
    expect(await t.app.job('late')).toBeNull()
  })

  it('is still there after a restart, and runs though it is late', async () => {
    const store = memory()
    const first = launcher(() => before.now())
    const before = await testPontual({ jobs: [first.launch], startAt: START, store })
    await before.app.scheduleOnce(first.launch, '2026-01-01T01:00:00Z', { name: 'flight', input: { rocket: 'V2' } })
    await before.stop()
    expect(first.runs).toEqual([])

    const late = Date.parse('2026-01-01T09:00:00Z')
    const second = launcher(() => late)
    await using after = await testPontual({ jobs: [second.launch], startAt: late, store })
    expect(second.runs).toEqual([['2026-01-01T09:00:00.000Z', 'V2', Date.parse('2026-01-01T01:00:00Z')]])
    expect(await after.app.executions()).toMatchObject([{ status: 'SUCCESS', startedAt: late }])
    await after.advance('1d')
    expect(second.runs).toHaveLength(1)
  })

  it('may name a job type that only another process knows', async () => {
    const store = memory()
    await using planner = await testPontual({ startAt: START, store })
    await planner.app.scheduleOnce('launch', '2026-01-01T01:00:00Z', { name: 'flight', input: { rocket: 'V3' } })
    const { runs, launch } = launcher(() => runner.now())
    await using runner = await testPontual({ jobs: [launch], startAt: START, store })
    await runner.advance('1h')
    expect(runs).toHaveLength(1)
  })

  it('moves when it is scheduled again under its name', async () => {
    const { runs, launch } = launcher(() => t.now())
    await using t = await testPontual({ jobs: [launch], startAt: START })
    await t.app.scheduleOnce(launch, '2026-01-01T01:00:00Z', { name: 'flight', input: { rocket: 'V4' } })
    await t.app.scheduleOnce(launch, '2026-01-01T02:00:00Z', { name: 'flight', input: { rocket: 'V4' } })
    await t.advance('1d')
    expect(runs.map((run) => (run as unknown[])[0])).toEqual(['2026-01-01T02:00:00.000Z'])
  })
})
