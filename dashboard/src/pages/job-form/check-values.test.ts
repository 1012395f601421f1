import { describe, expect, it } from 'vitest'
import type { JobTypeView } from '../../api/wire.ts'
import { checkValues, type Fault, type FieldName } from './check-values.ts'
import { blankValues, type FormValues } from './form-values.ts'

const good: FormValues = { ...blankValues('UTC'), name: 'closing', jobType: 'x', cronExpression: '0 2 * * *' }
const type = (change: Partial<JobTypeView> = {}): JobTypeView => ({
  id: 'x',
  isKnown: true,
  isDurable: false,
  isSensitive: false,
  isEnqueueable: false,
  queue: 'default',
  inputSchema: null,
  jobCount: 0,
  ...change,
})
const around = {
  isNew: true,
  type: type(),
  isZone: (name: string) => name === 'UTC',
  isPayloadBroken: false,
  hadNoTimeout: false,
}
const month = { type: 'object', properties: { month: { type: 'string', pattern: '^\\d{4}$' } }, required: ['month'] }

describe('a form', () => {
  it('that is filled in can be sent', () => expect([...checkValues(good, around)]).toEqual([]))

  it('that is blank names all that is missing, in its order', () => {
    expect([...checkValues(blankValues('UTC'), around)]).toEqual([
      ['name', 'nameRequired'],
      ['jobType', 'jobTypeRequired'],
      ['cronExpression', 'cronRequired'],
    ])
  })
})

describe('a field is wrong', () => {
  it.each<[Partial<FormValues>, FieldName, Fault | undefined]>([
    [{ name: '  ' }, 'name', 'nameRequired'],
    [{ name: ' ab ' }, 'name', 'nameMinLength'],
    [{ name: '😀😀' }, 'name', 'nameMinLength'],
    [{ name: 'abc' }, 'name', undefined],
    [{ tags: 'a, b,,a' }, 'tags', undefined],
    [{ tags: Array.from({ length: 21 }, (_, n) => `t${n}`).join() }, 'tags', 'tooManyTags'],
    [{ tags: 'x'.repeat(65) }, 'tags', 'tagTooLong'],
    [{ cronExpression: ' ' }, 'cronExpression', 'cronRequired'],
    [{ kind: 'trigger', cronExpression: '' }, 'cronExpression', undefined],
    [{ kind: 'trigger', trigger: '' }, 'trigger', 'triggerInvalid'],
    [{ kind: 'trigger', trigger: '{' }, 'trigger', 'triggerInvalid'],
    [{ kind: 'trigger', trigger: '{"at":1}' }, 'trigger', 'triggerInvalid'],
    [{ kind: 'trigger', trigger: '{"type":"once"}' }, 'trigger', undefined],
    [{ timeZone: 'Nowhere' }, 'timeZone', 'zoneUnknown'],
    [{ kind: 'trigger', timeZone: 'Nowhere' }, 'timeZone', undefined],
    [{ timeoutMinutes: '' }, 'timeoutMinutes', 'timeoutRequired'],
    [{ timeoutMinutes: '4' }, 'timeoutMinutes', 'timeoutMinValue'],
    [{ timeoutMinutes: '5' }, 'timeoutMinutes', undefined],
    [{ timeoutMinutes: '240' }, 'timeoutMinutes', undefined],
    [{ timeoutMinutes: '241' }, 'timeoutMinutes', 'timeoutMaxValue'],
    [{ timeoutMinutes: '5.5' }, 'timeoutMinutes', 'wholeNumber'],
    [{ timeoutMinutes: 'x' }, 'timeoutMinutes', 'wholeNumber'],
    [{ retryCount: '' }, 'retryCount', 'wholeNumber'],
    [{ retryCount: '11' }, 'retryCount', 'range'],
    [{ retryCount: '0' }, 'retryCount', undefined],
    [{ misfireThresholdSeconds: '-1' }, 'misfireThresholdSeconds', 'range'],
    [{ overlap: 'atMost', atMost: '0' }, 'atMost', 'range'],
    [{ overlap: 'allow', atMost: '0' }, 'atMost', undefined],
    [{ payload: { headers: { authorization: '***' } } }, 'payload', 'payloadHidden'],
    [{ payload: { url: 'https://a.example/?***' } }, 'payload', 'payloadHidden'],
    [{ payload: { text: '*** hello' } }, 'payload', undefined],
  ])('%o: %s %s', (change, field, fault) => {
    expect(checkValues({ ...good, ...change }, around).get(field)).toBe(fault)
  })
})

describe('what counts depends on', () => {
  const durable = { ...around, type: type({ isDurable: true }) }
  const shaped = { ...around, type: type({ inputSchema: month }) }

  it.each<[string, Partial<FormValues>, Parameters<typeof checkValues>[1], readonly string[]]>([
    ['a durable type: neither timeout nor retries', { timeoutMinutes: '', retryCount: '' }, durable, []],
    ['a job that had no timeout', { timeoutMinutes: '' }, { ...around, hadNoTimeout: true }, []],
    ['an edit: hidden values stay', { payload: '***' }, { ...around, isNew: false }, []],
    ['text that is no JSON', {}, { ...around, isPayloadBroken: true }, ['payload']],
    ['the schema of the type', { payload: { month: 'x' } }, shaped, ['payload']],
    ['the schema of the type, kept', { payload: { month: '2026' } }, shaped, []],
    ['the schema of the type, with nothing given', {}, shaped, ['payload']],
  ])('%s', (_, change, circumstances, fields) => {
    expect([...checkValues({ ...good, ...change }, circumstances).keys()]).toEqual(fields)
  })
})
