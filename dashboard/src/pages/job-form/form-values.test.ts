import { describe, expect, it } from 'vitest'
import { DETAIL_DEFAULTS } from '../../../../src/job/job-fields.ts'
import { blankValues, bodyOf, changesOf, type FormValues, losesApproval, tagsOf, valuesOf } from './form-values.ts'

const before: FormValues = { ...blankValues('UTC'), name: 'closing', jobType: 'x', cronExpression: '0 2 * * *' }
const once = { type: 'once', at: '2030-01-01T00:00:00.000Z' }

describe('what is sent of a change', () => {
  it.each<[string, Partial<FormValues>, object]>([
    ['nothing', {}, {}],
    ['space around a name', { name: ' closing ' }, {}],
    ['the name', { name: 'other' }, { name: 'other' }],
    ['no description any more', { description: '' }, {}],
    ['the cron alone', { cronExpression: '0 3 * * *' }, { cronExpression: '0 3 * * *' }],
    ['the zone alone', { timeZone: 'Asia/Tokyo' }, { timeZone: 'Asia/Tokyo' }],
    ['another trigger in place of the cron', { kind: 'trigger', trigger: JSON.stringify(once) }, { trigger: once }],
    ['a calendar', { calendar: 'feriados' }, { calendar: 'feriados' }],
    ['a timeout', { timeoutMinutes: '60' }, { timeoutMinutes: 60 }],
    ['tags, each once', { tags: 'a, b, a' }, { tags: ['a', 'b'] }],
    ['up to a number at once', { overlap: 'atMost', atMost: '3' }, { overlap: { atMost: 3 } }],
    ['a payload', { payload: { a: 1 } }, { payload: { a: 1 } }],
  ])('%s', (_, change, expected) => {
    expect(changesOf(before, { ...before, ...change }, undefined)).toEqual(expected)
  })

  it('a cron in place of another trigger, with its zone', () => {
    const was: FormValues = { ...before, kind: 'trigger', cronExpression: '', trigger: JSON.stringify(once) }
    expect(changesOf(was, before, undefined)).toEqual({ cronExpression: '0 2 * * *', timeZone: 'UTC' })
  })

  it('no payload any more', () => {
    expect(changesOf({ ...before, payload: 5 }, before, undefined)).toEqual({ payload: null })
  })

  it('a payload whose fields only stand in another order is the same', () => {
    expect(
      changesOf({ ...before, payload: { a: 1, b: 2 } }, { ...before, payload: { b: 2, a: 1 } }, undefined),
    ).toEqual({})
  })
})

it('a durable job is sent without retries', () => {
  expect(bodyOf(before, { isDurable: true })).not.toHaveProperty('retryCount')
  expect(bodyOf(before, { isDurable: false })).toHaveProperty('retryCount', 3)
})

it.each([
  [{ description: 'a' }, false],
  [{ tags: [], description: null }, false],
  [{ tags: [], name: 'a' }, true],
  [{}, false],
])('the change %o loses the approval: %s', (changes, expected) => expect(losesApproval(changes)).toBe(expected))

it('tags are what stands between commas', () => expect(tagsOf(' a ,, b,a')).toEqual(['a', 'b']))

it('a job that is opened and not touched is sent back as it is', () => {
  const job = {
    ...DETAIL_DEFAULTS,
    name: 'closing',
    description: null,
    jobType: 'x',
    cronExpression: null,
    trigger: once,
    timeZone: 'UTC',
    calendar: 'feriados',
    tags: ['a', 'b'],
    priority: 'HIGH',
    timeoutMinutes: null,
    retryCount: 0,
    requiresTwoStepExecution: true,
    payload: null,
    misfirePolicy: 'fireAll',
    misfireThresholdSeconds: 30,
    overlap: { atMost: 2 },
  } as unknown as Parameters<typeof valuesOf>[0]
  expect(bodyOf(valuesOf(job), undefined)).toEqual({
    ...DETAIL_DEFAULTS,
    name: 'closing',
    description: null,
    tags: ['a', 'b'],
    priority: 'HIGH',
    trigger: once,
    calendar: 'feriados',
    retryCount: 0,
    requiresTwoStepExecution: true,
    payload: null,
    misfirePolicy: 'fireAll',
    misfireThresholdSeconds: 30,
    overlap: { atMost: 2 },
  })
})
