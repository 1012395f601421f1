import { describe, expect, it } from 'vitest'
import { encodeInput } from '../../durable/codec.ts'
import type { JobDefinition } from '../../job/job.ts'
import { hashDefinition } from './hash-definition.ts'

const base: JobDefinition = {
  jobType: 'purge',
  trigger: { type: 'cron', expression: '0 3 * * *', timeZone: 'UTC' },
  calendar: null,
  misfire: {
    policy: 'smart',
    thresholdMs: 60_000,
    causes: {},
    catchUp: { limit: 1_000, maxAgeMs: null, order: 'oldestFirst', spacingMs: 0 },
  },
  quartz: false,
  payload: '{"a":1,"b":2}',
  queue: 'default',
  priority: 'MEDIUM',
  timeoutMs: null,
  retry: null,
  maxAttempts: 4,
  onFault: 'stop',
  overlap: 'allow',
  concurrency: null,
  declaredBy: null,
}

/** The same, its fields in the opposite order. */
function turned<Data extends object>(data: Data): Data {
  return Object.fromEntries(Object.entries(data).toReversed()) as Data
}

describe('the hash of what a job runs', () => {
  it('is 64 hexadecimal digits, and stored: it never changes', () => {
    expect(hashDefinition('purge', base)).toBe('b8c969a57b35969d55985e821e516c8794b2101ad0b2f22c4185ba12d2f73bb3')
  })

  it.each<[string, JobDefinition]>([
    ['fields in another order', turned(base)],
    ['a trigger with its fields in another order', { ...base, trigger: turned(base.trigger) }],
    ['a payload with its fields in another order', { ...base, payload: '{ "b": 2, "a": 1 }' }],
    ['another application that declares it', { ...base, declaredBy: 'billing' }],
    ['a field that is not there', { ...base, durable: undefined }],
  ])('does not change with %s', (_what, other) => {
    expect(hashDefinition('purge', other)).toBe(hashDefinition('purge', base))
  })

  it.each<[string, Partial<JobDefinition>]>([
    ['the job type', { jobType: 'other' }],
    ['the trigger', { trigger: { type: 'cron', expression: '1 3 * * *', timeZone: 'UTC' } }],
    ['the time zone', { trigger: { type: 'cron', expression: '0 3 * * *', timeZone: 'Europe/Lisbon' } }],
    ['the calendar', { calendar: 'holidays' }],
    ['what it does about misfires', { misfire: { ...base.misfire, policy: 'fireAll' } }],
    ["Quartz's letter", { quartz: true }],
    ['the payload', { payload: '{"a":1,"b":3}' }],
    ['no payload', { payload: null }],
    ['a payload of null', { payload: 'null' }],
    ['the queue', { queue: 'slow' }],
    ['the priority', { priority: 'HIGH' }],
    ['the timeout', { timeoutMs: 1 }],
    ['the retries', { maxAttempts: 2 }],
    ['what a fault does', { onFault: 'continue' }],
    ['the overlap', { overlap: 'skip' }],
    ['the limit', { concurrency: 1 }],
    ['whether it is durable', { durable: true }],
  ])('changes with %s', (_what, change) => {
    expect(hashDefinition('purge', { ...base, ...change })).not.toBe(hashDefinition('purge', base))
  })

  it('tells a type in a payload from the text that it is shown as', () => {
    const of = (at: unknown) => hashDefinition('purge', { ...base, payload: encodeInput({ at }, 'Input') })
    expect(of(new Date(0))).toBe(of(new Date(0)))
    expect(of(new Date(0))).not.toBe(of('1970-01-01T00:00:00.000Z'))
    expect(of(new Date(0))).not.toBe(of({ $: 'Date', v: '1970-01-01T00:00:00.000Z' }))
  })

  it('changes with the name', () => {
    expect(hashDefinition('purge all', base)).not.toBe(hashDefinition('purge', base))
  })
})
