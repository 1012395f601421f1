import { describe, expect, it } from 'vitest'
import type { OverrideOptions } from '../../../src/engine/app/cron-overrides.ts'
import { deletedJob, disabledJob } from '../../../src/engine/lifecycle/change-status.ts'
import { editedJob, resetJob } from '../../../src/engine/lifecycle/redefine-job.ts'
import type { JobDefinition } from '../../../src/job/job.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { type TestPontual, testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time.ts'
import { ANA, DORA, Stage } from './stage.ts'

const NAME = 'PONTUAL_JOBS__NIGHTLY__CRON'

/** Starts with the code's own cron, and perhaps one in the configuration. */
async function started(
  store: StoreSource,
  expression: string,
  override?: string,
  durable = false,
): Promise<TestPontual> {
  const schedule = { trigger: cron(expression) }
  const type = durable
    ? job<undefined>('nightly', { durable: true, run: () => {}, schedule })
    : job<undefined>('nightly', { run: () => {}, schedule })
  const overrides: OverrideOptions = { env: override === undefined ? {} : { [NAME]: override } }
  return await testPontual({ store, jobs: [type], overrides })
}

function cronOf(definition: JobDefinition | null | undefined): string | null {
  return definition?.trigger.type === 'cron' ? definition.trigger.expression : null
}

/** The cron that rules, and the one the code has where it is another. */
async function crons({ app }: TestPontual): Promise<(string | null)[]> {
  const found = await app.job('nightly')
  return [cronOf(found?.definition), cronOf(found?.details.declared)]
}

async function edit({ app }: TestPontual, expression: string): Promise<void> {
  const stage = await Stage.of(app)
  const found = await app.job('nightly')
  if (!found) throw new Error('There is no job.')
  const trigger = cron(expression).toJSON()
  await stage.change(found, (each) =>
    editedJob(stage.around, each, { definition: { ...each.definition, trigger } }, ANA),
  )
}

async function reset({ app }: TestPontual): Promise<void> {
  const stage = await Stage.of(app)
  const found = await app.job('nightly')
  if (found) await stage.change(found, (each) => resetJob(stage.around, each, DORA))
}

describe("an operator's edit of a job that the code declares", () => {
  it('stays when the code starts again, and the difference is known', async () => {
    const store = memory()
    const first = await started(store, '0 3 * * *')
    expect(await crons(first)).toEqual(['0 3 * * *', null])
    await edit(first, '0 5 * * *')
    expect(await crons(first)).toEqual(['0 5 * * *', '0 3 * * *'])
    await first.stop()
    await using second = await started(store, '0 3 * * *')
    expect(await crons(second)).toEqual(['0 5 * * *', '0 3 * * *'])
    expect((await second.app.job('nightly'))?.version).toBe(2)
  })

  it('stays when the code changes, and what the code says now is known', async () => {
    const store = memory()
    const first = await started(store, '0 3 * * *')
    await edit(first, '0 5 * * *')
    await first.stop()
    await using second = await started(store, '0 4 * * *')
    expect(await crons(second)).toEqual(['0 5 * * *', '0 4 * * *'])
    await reset(second)
    expect(await crons(second)).toEqual(['0 4 * * *', null])
  })

  it('is none any more once the code, or another edit, says the same', async () => {
    const store = memory()
    const first = await started(store, '0 3 * * *')
    await edit(first, '0 5 * * *')
    await edit(first, '0 3 * * *')
    expect(await crons(first)).toEqual(['0 3 * * *', null])
    await edit(first, '0 5 * * *')
    await first.stop()
    const second = await started(store, '0 5 * * *')
    expect(await crons(second)).toEqual(['0 5 * * *', null])
    await second.stop()
    await using third = await started(store, '0 6 * * *')
    expect(await crons(third)).toEqual(['0 6 * * *', null])
  })

  it('goes before the configuration, which goes before the code', async () => {
    const store = memory()
    const first = await started(store, '0 3 * * *', '0 4 * * *')
    expect(await crons(first)).toEqual(['0 4 * * *', null])
    await edit(first, '0 5 * * *')
    expect(await crons(first)).toEqual(['0 5 * * *', '0 4 * * *'])
    await first.stop()
    await using second = await started(store, '0 3 * * *', '0 6 * * *')
    expect(await crons(second)).toEqual(['0 5 * * *', '0 6 * * *'])
    await reset(second)
    expect(await crons(second)).toEqual(['0 6 * * *', null])
    await reset(second)
    expect((await second.app.job('nightly'))?.version).toBe(4)
  })

  it('ends where the job becomes another kind of job', async () => {
    const store = memory()
    const first = await started(store, '0 3 * * *')
    await edit(first, '0 5 * * *')
    await first.stop()
    await using second = await started(store, '0 4 * * *', undefined, true)
    expect(await crons(second)).toEqual(['0 4 * * *', null])
    expect((await second.app.job('nightly'))?.definition.durable).toBe(true)
  })

  it('cannot give it another name', async () => {
    await using test = await started(memory(), '0 3 * * *')
    const stage = await Stage.of(test.app)
    const [found] = await test.app.jobs()
    if (!found) throw new Error('There is no job.')
    await expect(
      stage.change(found, (each) => editedJob(stage.around, each, { name: 'other' }, ANA)),
    ).rejects.toMatchObject({ code: 'job.declared_in_code' })
  })

  it('that disables it holds when the code starts again, and when it schedules it anew', async () => {
    const store = memory()
    const first = await started(store, '0 3 * * *')
    const stage = await Stage.of(first.app)
    const [found] = await first.app.jobs()
    if (!found) throw new Error('There is no job.')
    await stage.change(found, (each) => disabledJob(each, 'broken', ANA))
    await first.stop()
    await using second = await started(store, '0 3 * * *')
    expect(await second.app.job('nightly')).toMatchObject({ status: 'DISABLED', statusReason: 'broken' })
    await second.app.schedule('nightly', { name: 'nightly', trigger: cron('0 4 * * *') })
    expect(await second.app.job('nightly')).toMatchObject({ status: 'DISABLED', statusReason: 'broken' })
  })
})

describe('a job', () => {
  it('that is made with an id is made once', async () => {
    await using test = await testPontual()
    const stage = await Stage.of(test.app)
    const id = stage.around.env.uuid(0)
    const made = await stage.create({ id, description: 'first' })
    expect(await stage.create({ id, description: 'second' })).toEqual(made)
    await stage.change(made, (each) => deletedJob(stage.around, each, ANA))
    expect(await stage.create({ id })).toMatchObject({ id, status: 'DELETED' })
  })

  it('cannot have a name that another has, unless that one is deleted', async () => {
    await using test = await testPontual()
    const stage = await Stage.of(test.app)
    const taken = { name: 'JobConflictError', code: 'job.name_taken', message: 'There is a job "closing" already.' }
    const first = await stage.create()
    const second = await stage.create({ name: 'opening' })
    await expect(stage.create()).rejects.toMatchObject(taken)
    const rename = () => stage.change(second, (each) => editedJob(stage.around, each, { name: 'closing' }, ANA))
    await expect(rename()).rejects.toMatchObject(taken)
    const deleted = await stage.change(first, (each) => deletedJob(stage.around, each, DORA))
    expect(deleted).toMatchObject({ schedule: { nextFireAt: null }, details: { deletedBy: 'dora', updatedBy: 'dora' } })
    expect(await rename()).toMatchObject({ id: second.id, name: 'closing', status: 'ACTIVE' })
  })
})
