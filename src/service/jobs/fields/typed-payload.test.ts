import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ana, bia, fields, openStage, type Stage } from '../../../../test/http/service/stage.ts'
import { type AnyJobType, job } from '../../../job/type/job-type.ts'
import { cron } from '../../../time.ts'

const at = new Date('2026-03-02T10:00:00.000Z')
const values = { at, total: 10n, rates: new Map([['BRL', 5n]]), ids: new Set([1, 2]), bytes: new Uint8Array([1, 2, 3]) }
/** As the reference says. */
const shown = { at: '2026-03-02T10:00:00.000Z', total: '10', rates: [['BRL', '5']], ids: [1, 2], bytes: 'AQID' }

let stage: Stage
let inputs: unknown[]
beforeEach(async () => {
  inputs = []
  const run = (input: unknown) => {
    inputs.push(input)
    return input
  }
  const jobs: AnyJobType[] = [job('echo', { run }), job('secret', { sensitive: true, run })]
  stage = await openStage({ jobs })
})
afterEach(async () => await stage[Symbol.asyncDispose]())

const schedule = async (type = 'echo', input: unknown = values) =>
  await stage.test.app.schedule(type, { name: 'nightly', tenant: 'acme', trigger: cron('0 3 * * *'), input })

describe('a payload with types', () => {
  it('is shown as JSON, on the job and on what it runs', async () => {
    const { id } = await schedule()
    expect(await stage.service.jobs.get(ana, id)).toMatchObject({ payload: shown })
    const { executionId } = await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(await stage.service.executions.get(ana, executionId)).toMatchObject({ payload: shown, output: shown })
    expect(inputs).toStrictEqual([values])
  })

  it('keeps its types if the shown form is sent back unchanged, and is JSON if it is changed', async () => {
    const { id } = await schedule()
    await stage.service.jobs.update(ana, id, { payload: shown, description: 'x' })
    await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    await stage.service.jobs.update(ana, id, { payload: { ...shown, total: '11' } })
    await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(inputs).toStrictEqual([values, { ...shown, total: '11' }])
  })

  it('has another approval hash than its shown form', async () => {
    const { id } = await schedule('secret')
    await stage.service.jobs.approve(bia, id, { comment: null })
    await expect(stage.service.jobs.execute(ana, id, { payload: shown })).rejects.toMatchObject({
      code: 'job.payload_not_approved',
    })
    await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(inputs).toStrictEqual([values])
  })
})

describe('JSON that looks like a stored type', () => {
  const looksLike = { a: { $: 'Date', v: '2026-03-02T10:00:00.000Z' }, b: 'T{"$":"BigInt","v":"1"}' }

  it.each([
    ['within', looksLike],
    ['as a whole', looksLike.a],
    ['as a text', looksLike.b],
  ])('is data: %s', async (_where, payload) => {
    const { id } = await stage.service.jobs.create(ana, fields({ jobType: 'echo', payload }))
    expect(await stage.service.jobs.get(ana, id)).toMatchObject({ payload })
    await stage.service.jobs.execute(ana, id, {})
    await stage.service.jobs.execute(ana, id, { payload: [payload] })
    await stage.test.settle()
    expect(inputs).toHaveLength(2)
    expect(inputs).toEqual(expect.arrayContaining([payload, [payload]]))
  })
})
