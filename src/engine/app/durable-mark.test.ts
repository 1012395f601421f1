import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import { decodeValue } from '../../durable/codec.ts'
import { retryRules } from '../../job/rules/retry.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { silentLogger } from '../../logger.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { cron } from '../../time/triggers/cron.ts'
import { executionOf, optionsOfAnother } from '../firing/fire-job.ts'
import { StoreTime } from '../node/store-time.ts'
import { templateOf } from './enqueuer.ts'
import { viewOf } from './executions.ts'
import { defineJob } from './schedule-job.ts'

const order = job('order', { durable: true, run: async (input: { at: Date }) => input.at })
const plain = job('plain', { run: async (input: { at: Date }) => input.at })
const defaults = { misfireThresholdMs: 60_000, retry: retryRules({}), onFaulted: 'stop' } as const
const input = { at: new Date(5) }

function cast(type: AnyJobType | string, options = {}) {
  const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
  const types = new Map<string, AnyJobType>([order, plain].map((each) => [each.id, each]))
  const deps = {
    env,
    time: new StoreTime(env, silentLogger),
    types,
    defaultTenant: 'default',
    defaultRetry: defaults.retry,
  }
  const template = templateOf(deps, type, options, {})
  return template.build(template.encode(input)).body
}

describe('an execution of a durable job', () => {
  it.each<[string, AnyJobType | string, boolean | undefined]>([
    ['a durable job', order, true],
    ['a durable job by its id', 'order', true],
    ['another job', plain, undefined],
  ])('is marked as such, where it is enqueued: %s', (_what, type, durable) => {
    expect(cast(type).options?.durable).toBe(durable)
  })

  it('is marked as such where only its name is known here, and that is said', () => {
    const { options, payload } = cast('shipment', { durable: true })
    expect([options, decodeValue(payload)]).toEqual([{ durable: true }, input])
    expect(cast('shipment').options).toBeNull()
    expect(cast('shipment', { durable: false }).options).toBeNull()
    expect(cast('order', { durable: true }).options).toEqual({ durable: true })
    expect(refusal(() => cast('shipment', { durable: true, retry: { retries: 1 } })).message).toContain('not retried')
  })

  it.each<[string, AnyJobType | string, unknown, string]>([
    ['a job type that is not', plain, true, 'Job type "plain" is not durable'],
    ['the name of one', 'plain', true, 'Job type "plain" is not durable'],
    ['one that is', order, false, 'Job type "order" is durable'],
    ['no boolean', 'shipment', 'yes', 'durable must be'],
  ])('durable is refused where it contradicts what is known: %s', (_what, type, durable, message) => {
    const { code, message: told } = refusal(() => cast(type, { durable }))
    expect([code, told]).toEqual(['option.invalid', expect.stringContaining(message)])
  })

  it('keeps the types of its input, as one of another job does', () => {
    for (const type of [order, plain, 'shipment']) expect(decodeValue(cast(type).payload)).toEqual(input)
  })

  it('is marked as such, and has a typed input, where it is scheduled', async () => {
    const define = (type: AnyJobType) => defineJob('daily', type, { trigger: cron('0 3 * * *'), input }, defaults, null)
    const bodyOf = async (type: AnyJobType) => {
      const definition = await define(type)
      return executionOf({ id: 'j', tenant: 't', definition } as Parameters<typeof executionOf>[0], 0, 'x')
    }
    const durable = await bodyOf(order)
    expect([durable.options?.durable, decodeValue(durable.payload)]).toEqual([true, input])
    expect((await bodyOf(plain)).options).toBeNull()
    expect(Object.keys(await define(plain))).not.toContain('durable')
  })

  it('takes no retry of its own', async () => {
    const message = 'a durable job is not retried as a whole'
    expect(refusal(() => cast(order, { retry: { retries: 1 } })).message).toContain(message)
    const options = { trigger: cron('0 3 * * *'), retry: { retries: 1 } }
    await expect(defineJob('daily', order, options, defaults, null)).rejects.toThrow(message)
  })

  it('is durable again when it is repeated, though with neither parent nor history', () => {
    const options = { durable: true, parent: 'p', isForked: true, concurrency: 1, timeoutMs: 5 }
    expect(optionsOfAnother(options, undefined)).toEqual({ durable: true, timeoutMs: 5 })
  })

  it('is shown with its types', () => {
    const { payload } = cast(order)
    expect(viewOf({ payload, output: 'T{"$":"BigInt","v":"7"}' } as Parameters<typeof viewOf>[0])).toMatchObject({
      input,
      output: 7n,
    })
  })
})
