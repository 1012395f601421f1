import { describe, expect, it } from 'vitest'
import { approvedJob, asFirstSeen, rejectedJob } from '../../../src/engine/lifecycle/approval.ts'
import { disabledJob, enabledJob, resumedJob } from '../../../src/engine/lifecycle/change-status.ts'
import { hashDefinition } from '../../../src/engine/lifecycle/hash-definition.ts'
import { editedJob, type JobEdit } from '../../../src/engine/lifecycle/redefine-job.ts'
import { requestedExecution } from '../../../src/engine/lifecycle/request-execution.ts'
import { activity } from '../../../src/job/activity/activity.ts'
import type { Job } from '../../../src/job/job.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { type TestPontual, testPontual } from '../../../src/testing.ts'
import { cron, once } from '../../../src/time.ts'
import { ANA, BEN, type Decide, DORA, person, purge, recorded, Stage, work } from './stage.ts'

const YES = { comment: null, allowsSelfApproval: false }
const approving =
  (stage: Stage, by = BEN): Decide =>
  (found) =>
    approvedJob(stage.around, found, YES, by)
const editing =
  (stage: Stage, edit: JobEdit, by = ANA): Decide =>
  (found) =>
    editedJob(stage.around, found, edit, by)

async function staged(run: (stage: Stage, it: TestPontual) => Promise<void>): Promise<void> {
  await using it = await testPontual({ jobs: [work, purge] })
  await run(await Stage.of(it.app), it)
}

describe('a sensitive job', () => {
  it('is approved with the hash of exactly what it would run', () =>
    staged(async (stage) => {
      const made = await stage.create({ isSensitive: true })
      expect(made).toMatchObject({ status: 'PENDING_APPROVAL', details: { createdBy: 'ana', scheduledBy: 'ana' } })
      const approved = await stage.change(made, (found) =>
        approvedJob(stage.around, found, { ...YES, comment: 'fine' }, BEN),
      )
      const hash = hashDefinition(made.name, made.definition)
      expect(approved.details).toMatchObject({
        authors: [],
        scheduledBy: 'ana',
        approval: { by: 'ben', hash, comment: 'fine' },
      })
      expect(stage.audit.at(-1)).toMatchObject({
        operation: 'JOBS_JOB_APPROVE',
        userId: 'ben',
        oldValues: { status: 'PENDING_APPROVAL', approvedByUserId: null },
        newValues: { status: 'APPROVED', approvedByUserId: 'ben', approvedBy: 'ben', definitionHash: hash },
      })
    }))

  it.each<[string, JobEdit | ((stage: Stage) => Promise<JobEdit>), string]>([
    ['its payload', async (stage) => ({ definition: await stage.define({ input: 1 }) }), 'PENDING_APPROVAL'],
    [
      'its times',
      async (stage) => ({ definition: await stage.define({ trigger: cron('1 3 * * *') }) }),
      'PENDING_APPROVAL',
    ],
    ['its timeout', async (stage) => ({ definition: await stage.define({ timeout: '1h' }) }), 'PENDING_APPROVAL'],
    ['its priority', async (stage) => ({ definition: await stage.define({ priority: 'HIGH' }) }), 'PENDING_APPROVAL'],
    ['its name', { name: 'other' }, 'PENDING_APPROVAL'],
    ['whether it is sensitive', { isSensitive: false }, 'PENDING_APPROVAL'],
    ['its description', { description: 'other' }, 'APPROVED'],
    ['its tags', { tags: ['other'] }, 'APPROVED'],
  ])('that is approved and gets another %s', async (_what, given, expected) => {
    await staged(async (stage) => {
      const made = await stage.create({ isSensitive: true })
      await stage.change(made, approving(stage))
      const edit = typeof given === 'function' ? await given(stage) : given
      const edited = await stage.change(made, editing(stage, edit, DORA))
      expect(edited.status).toBe(expected)
      const { approval, authors, scheduledBy, updatedBy } = edited.details
      expect(updatedBy).toBe('dora')
      if (expected === 'APPROVED') return expect([approval?.by, authors, scheduledBy]).toEqual(['ben', [], 'ana'])
      expect([approval, authors, scheduledBy]).toEqual([null, ['dora'], 'dora'])
    })
  })

  it.each([
    ['whoever made it', ANA],
    ['a key of his', { userId: 'key:1', persons: ['key:1', 'ana'] }],
    ['whoever changed it', DORA],
    ['nobody', { userId: null, persons: [] }],
  ])('is not approved by %s', async (_who, by) => {
    await staged(async (stage) => {
      const made = await stage.create({ isSensitive: true })
      const definition = await stage.define({ input: 2 })
      await stage.change(made, editing(stage, { definition }, DORA))
      await expect(stage.change(made, approving(stage, by))).rejects.toMatchObject({ code: 'self_approval_forbidden' })
      expect((await stage.change(made, approving(stage, BEN))).status).toBe('APPROVED')
    })
  })

  it('is not approved by the owner of the key that made it, unless the tenant allows that', () =>
    staged(async (stage) => {
      const made = await stage.create({ isSensitive: true }, { userId: 'key:1', persons: ['key:1', 'ana'] })
      await expect(stage.change(made, approving(stage, ANA))).rejects.toMatchObject({ code: 'self_approval_forbidden' })
      const allowed = { comment: null, allowsSelfApproval: true }
      expect((await stage.change(made, (found) => approvedJob(stage.around, found, allowed, ANA))).status).toBe(
        'APPROVED',
      )
    }))

  it('is not approved by an approver who has changed it, and needs no yes to a change that was none', () =>
    staged(async (stage) => {
      const made = await stage.create({ isSensitive: true })
      await stage.change(made, approving(stage, BEN))
      const same = await stage.change(made, editing(stage, { definition: made.definition, description: null }, BEN))
      expect(same).toMatchObject({ status: 'APPROVED', version: 2 })
      const definition = await stage.define({ input: 2 })
      await stage.change(made, editing(stage, { definition }, BEN))
      await expect(stage.change(made, approving(stage, BEN))).rejects.toMatchObject({ code: 'self_approval_forbidden' })
      expect((await stage.change(made, approving(stage, DORA))).details.approval?.by).toBe('dora')
    }))

  it('needs a yes also to need none any more, and one that was refused that stays sensitive', () =>
    staged(async (stage) => {
      const made = await stage.create({ isSensitive: true })
      await stage.change(made, approving(stage))
      const asked = await stage.change(made, editing(stage, { isSensitive: false }, DORA))
      expect(asked).toMatchObject({ status: 'PENDING_APPROVAL', details: { isSensitive: false } })
      const definition = await stage.define({ input: 2 })
      expect((await stage.change(made, editing(stage, { definition }, DORA))).status).toBe('PENDING_APPROVAL')
      const refused = await stage.change(made, (found) => rejectedJob(found, { reason: 'no' }, BEN))
      expect(refused).toMatchObject({ status: 'DISABLED', statusReason: 'no', details: { isSensitive: true } })
      await expect(stage.change(made, editing(stage, { isSensitive: false }, DORA))).rejects.toMatchObject({
        code: 'job.status_conflict',
      })
      const enabled = await stage.change(made, (found) => enabledJob(stage.around, found, DORA))
      expect(enabled.status).toBe('PENDING_APPROVAL')

      await stage.change(made, editing(stage, { isSensitive: false }, DORA))
      await stage.change(made, (found) => disabledJob(found, null, DORA))
      expect((await stage.change(made, (found) => enabledJob(stage.around, found, DORA))).status).toBe(
        'PENDING_APPROVAL',
      )

      await stage.change(made, editing(stage, { isSensitive: false }, DORA))
      const freed = await stage.change(made, approving(stage, BEN))
      expect(freed).toMatchObject({ status: 'ACTIVE', details: { isSensitive: false } })
      expect((await stage.change(made, editing(stage, { definition: made.definition }, DORA))).status).toBe('ACTIVE')
    }))

  it('that becomes one cannot be approved by who changed it before', () =>
    staged(async (stage) => {
      const made = await stage.create()
      const definition = await stage.define({ input: 2 })
      await stage.change(made, editing(stage, { definition }, DORA))
      await stage.change(made, editing(stage, { isSensitive: true }, person('eva')))
      for (const by of [ANA, DORA, person('eva')]) {
        await expect(stage.change(made, approving(stage, by))).rejects.toMatchObject({
          code: 'self_approval_forbidden',
        })
      }
      expect((await stage.change(made, approving(stage, BEN))).status).toBe('APPROVED')
    }))

  it('stays sensitive where its job type is', () =>
    staged(async (stage) => {
      const made = await stage.create({ definition: await stage.define({}, purge) })
      expect(made).toMatchObject({ status: 'PENDING_APPROVAL', details: { isSensitive: true } })
      await expect(stage.change(made, editing(stage, { isSensitive: false }))).rejects.toMatchObject({
        code: 'job.always_sensitive',
      })
    }))

  it('skips what it missed while it waited for the yes, whatever its rules say', async () => {
    const tick = recorded('tick')
    await using it = await testPontual({ jobs: [tick.type], startAt: '2026-03-02T09:59:30Z' })
    const stage = await Stage.of(it.app)
    const misfire = { policy: 'fireAll', causes: { paused: 'fireAll' } } as const
    const definition = await stage.define({ trigger: cron('* * * * *'), misfire }, tick.type)
    const made = await stage.create({ definition, isSensitive: true })
    await it.advance('5 minutes')
    await stage.change(made, approving(stage))
    await it.settle()
    expect(tick.runs).toHaveLength(0)
    await it.advance('1 minute')
    expect(tick.runs).toHaveLength(1)
    const ledger = await it.app.ledger('closing', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z')
    expect(ledger.map(({ decision, count, cause }) => [decision, count, cause])).toEqual([
      ['skipped', 5, 'paused'],
      ['fired', 1, null],
    ])
  })

  it('that runs only once, at a time that went by while it waited, runs when it is approved', async () => {
    const tick = recorded('tick')
    await using it = await testPontual({ jobs: [tick.type], startAt: '2026-03-02T09:59:30Z' })
    const stage = await Stage.of(it.app)
    const definition = await stage.define({ trigger: once('2026-03-02T10:00:00Z') }, tick.type)
    const made = await stage.create({ definition, isSensitive: true })
    await it.advance('1 hour')
    expect(tick.runs).toHaveLength(0)
    await stage.change(made, approving(stage))
    stage.opened.changed()
    await it.settle()
    expect(tick.runs).toHaveLength(1)
  })
})

describe('a yes', () => {
  it('is to what was there when it was asked for, not to what somebody makes of it meanwhile', () =>
    staged(async (stage) => {
      const made = await stage.create({ isSensitive: true })
      const other = await stage.define({ input: 'worse' })
      let isEdited = false
      const approve = asFirstSeen((found) => approvedJob(stage.around, found, YES, BEN))
      const approved = stage.change(made, async (found) => {
        const decision = await approve(found)
        if (!isEdited) {
          isEdited = true
          await stage.change(made, editing(stage, { definition: other }))
        }
        return decision
      })
      await expect(approved).rejects.toMatchObject({ name: 'JobConflictError', code: 'job.changed_meanwhile' })
      expect(await stage.around.store.jobs.find([made.id])).toMatchObject([{ status: 'PENDING_APPROVAL' }])
    }))
})

describe('a sensitive job runs', () => {
  const ask = (stage: Stage, found: Job, input?: unknown) => requestedExecution(stage.around, found, { input })

  it('only its own payload', () =>
    staged(async (stage) => {
      const definition = await stage.define({ input: { a: 1, b: 2 } })
      const made = await stage.create({ definition, isSensitive: true })
      await expect(ask(stage, made)).rejects.toMatchObject({ code: 'job.status_conflict' })
      const approved = await stage.change(made, approving(stage))
      expect(await ask(stage, approved)).toMatchObject({ body: { payload: '{"a":1,"b":2}' } })
      expect(await ask(stage, approved, { b: 2, a: 1 })).toMatchObject({ body: { jobId: made.id } })
      await expect(ask(stage, approved, { a: 2 })).rejects.toMatchObject({ code: 'job.payload_not_approved' })
      await expect(ask(stage, approved, null)).rejects.toMatchObject({ code: 'job.payload_not_approved' })
    }))

  it('nothing that was changed by who knows nothing of approvals, by hand or by itself', async () => {
    const tick = recorded('tick')
    await using it = await testPontual({ jobs: [tick.type] })
    const stage = await Stage.of(it.app)
    const made = await stage.create({ definition: await stage.define({}, tick.type), isSensitive: true })
    await stage.change(made, approving(stage))
    const forged = await stage.change(made, (found) => ({
      change: {
        job: { ...found, definition: { ...found.definition, payload: '"forged"' }, version: found.version + 1 },
        expectedVersion: found.version,
        ledger: [],
      },
    }))
    expect(forged.status).toBe('APPROVED')
    await expect(ask(stage, forged)).rejects.toMatchObject({ code: 'job.not_approved' })
    await it.advance('1 day')
    expect(tick.runs).toHaveLength(0)
    expect(await it.app.job('closing')).toMatchObject({ status: 'PENDING_APPROVAL', details: { approval: null } })
  })

  it('again what is approved now, under the rules of now', async () => {
    let fails = true
    const type = job<unknown>('fragile', {
      retry: { retries: 0 },
      run: () => {
        if (fails) throw new Error('broken')
      },
    })
    await using it = await testPontual({ jobs: [type] })
    const stage = await Stage.of(it.app)
    const definition = await stage.define({ input: 1 }, type)
    const made = await stage.create({ definition, isSensitive: true })
    await stage.change(made, approving(stage))
    const first = await it.app.runNow('closing')
    await it.settle()
    expect(await it.app.job('closing')).toMatchObject({ status: 'FAULTED', resumeStatus: 'APPROVED' })

    const changed = await stage.define({ input: 2, timeout: '1h' }, type)
    await stage.change(made, editing(stage, { definition: changed }))
    await expect(it.app.retry(first)).rejects.toMatchObject({ code: 'job.status_conflict' })
    await stage.change(made, approving(stage))
    await expect(it.app.retry(first)).rejects.toMatchObject({ code: 'job.payload_not_approved' })

    const back = await stage.define({ input: 1, timeout: '1h' }, type)
    await stage.change(made, editing(stage, { definition: back }))
    await stage.change(made, approving(stage))
    fails = false
    const again = await it.app.retry(first)
    await it.settle()
    expect(await it.app.execution(again)).toMatchObject({
      status: 'SUCCESS',
      input: 1,
      options: { retryOf: first, timeoutMs: 3_600_000 },
    })
  })
})

describe('a durable execution of a sensitive job', () => {
  it('begins again only where its payload is approved now', async () => {
    const step = activity('step', { run: () => 1 })
    const type = job<unknown>('durable-wipe', {
      durable: true,
      run: async (_input, ctx) => {
        await ctx.run(step, undefined)
        throw new Error('broken')
      },
    })
    await using it = await testPontual({ jobs: [type] })
    const stage = await Stage.of(it.app)
    const made = await stage.create({ definition: await stage.define({ input: 1 }, type), isSensitive: true })
    await stage.change(made, approving(stage))
    const first = await it.app.runNow('closing')
    await it.settle()
    expect(await it.app.execution(first)).toMatchObject({ status: 'FAILED' })
    const again = await it.app.restart(first, { from: 1 })
    await it.settle()
    expect(await it.app.execution(again)).toMatchObject({ status: 'FAILED', input: 1, options: { retryOf: first } })

    const definition = await stage.define({ input: 2 }, type)
    await stage.change(made, editing(stage, { definition }))
    await expect(it.app.restart(first, { from: 1 })).rejects.toMatchObject({ code: 'job.status_conflict' })
    await stage.change(made, approving(stage))
    await expect(it.app.restart(first, { from: 1 })).rejects.toMatchObject({ code: 'job.payload_not_approved' })
  })
})

describe('a job type that is sensitive', () => {
  const schedule = { trigger: cron('0 3 * * *') }

  it('holds for jobs that the code declares, and one that is declared as before keeps its yes', async () => {
    const store = memory()
    const type = () => recorded('wipe', { schedule, sensitive: true })
    const first = await testPontual({ store, jobs: [type().type], application: 'billing' })
    expect(await first.app.job('wipe')).toMatchObject({
      status: 'PENDING_APPROVAL',
      origin: 'code',
      details: { isSensitive: true, authors: ['code:billing'], createdBy: null },
    })
    const stage = await Stage.of(first.app)
    const [made] = await first.app.jobs()
    if (made) await stage.change(made, approving(stage))
    await first.stop()

    await using second = await testPontual({
      store,
      jobs: [type().type],
      application: 'billing',
      startAt: '2026-01-02T00:00:00Z',
    })
    expect(await second.app.job('wipe')).toMatchObject({ status: 'APPROVED' })
    await second.stop()

    const edited = recorded('wipe', { schedule: { trigger: cron('0 4 * * *') }, sensitive: true })
    await using third = await testPontual({
      store,
      jobs: [edited.type],
      application: 'billing',
      startAt: '2026-01-03T00:00:00Z',
    })
    expect(await third.app.job('wipe')).toMatchObject({ status: 'PENDING_APPROVAL', details: { approval: null } })
    await third.advance('2 days')
    expect(edited.runs).toHaveLength(0)
  })

  it('holds for jobs that are scheduled at run time, and for those that were there before', async () => {
    const store = memory()
    const before = await testPontual({ store, jobs: [recorded('wipe').type] })
    await before.app.schedule('wipe', { name: 'old', ...schedule })
    await before.stop()
    const wipe = recorded('wipe', { sensitive: true })
    await using it = await testPontual({ store, jobs: [wipe.type], startAt: '2026-01-02T00:00:00Z' })
    await it.app.schedule('wipe', { name: 'new', ...schedule })
    const jobs = await it.app.jobs()
    expect(jobs.map(({ name, status, details }) => [name, status, details.isSensitive])).toEqual([
      ['new', 'PENDING_APPROVAL', true],
      ['old', 'PENDING_APPROVAL', true],
    ])
    await it.advance('2 days')
    expect(wipe.runs).toHaveLength(0)
    await expect(it.app.runNow('new')).rejects.toMatchObject({ code: 'job.status_conflict' })
  })

  it('that the code has lost and found again is what it was', async () => {
    const store = memory()
    const wipe = () => recorded('wipe', { schedule, sensitive: true }).type
    const first = await testPontual({ store, jobs: [wipe()], application: 'a' })
    const stage = await Stage.of(first.app)
    const [made] = await first.app.jobs()
    if (!made) throw new Error('There is no job.')
    await stage.change(made, approving(stage))
    await first.stop()
    const gone = await testPontual({ store, jobs: [], application: 'a', startAt: '2026-01-02T00:00:00Z' })
    expect(await gone.app.job('wipe')).toMatchObject({ status: 'DISABLED' })
    await gone.stop()
    await using back = await testPontual({ store, jobs: [wipe()], application: 'a', startAt: '2026-01-03T00:00:00Z' })
    expect(await back.app.job('wipe')).toMatchObject({ status: 'APPROVED', details: { approval: { by: 'ben' } } })
  })
})

it('a sensitive job that is resumed without an approval waits for one', () =>
  staged(async (stage) => {
    const paused = await stage.in('PAUSED', true)
    const other = await stage.define({ input: 'forged' })
    const forged = await stage.change(paused, (found) => ({
      change: {
        job: { ...found, definition: other, version: found.version + 1 },
        expectedVersion: found.version,
        ledger: [],
      },
    }))
    expect((await stage.change(forged, (found) => resumedJob(stage.around, found, DORA))).status).toBe(
      'PENDING_APPROVAL',
    )
  }))
