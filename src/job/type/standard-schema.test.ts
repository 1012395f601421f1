import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { refusal } from '../../../test/harness/instants.ts'
import { InvalidPayloadError, requireSchema, type StandardSchema, validate } from './standard-schema.ts'

/** A schema written by hand, as another library would have it. */
function schemaOf<Output>(
  check: StandardSchema<unknown, Output>['~standard']['validate'],
): StandardSchema<unknown, Output> {
  return { '~standard': { version: 1, vendor: 'test', validate: check } }
}

describe('a value that fits its schema', () => {
  it('is given out as the schema has it', async () => {
    expect(
      await validate(z.object({ n: z.coerce.number(), d: z.string().default('x') }), { n: '5', more: 1 }, 'Input'),
    ).toEqual({
      n: 5,
      d: 'x',
    })
  })

  it.each([
    ['at once', schemaOf(() => ({ value: 'given' }))],
    ['later', schemaOf(() => Promise.resolve({ value: 'given' }))],
  ])('may be found out %s', async (_when, schema) => {
    expect(await validate(schema, 'anything', 'Input')).toBe('given')
  })
})

describe('a value that does not fit its schema', () => {
  it('is refused with each thing that is wrong and where', async () => {
    const schema = z.object({ lines: z.array(z.object({ amount: z.number() })), name: z.string() })
    const refused = validate(schema, { lines: [{ amount: 1 }, { amount: 'x' }] }, 'Input of job type "bill"')
    await expect(refused).rejects.toThrow(InvalidPayloadError)
    await expect(refused).rejects.toThrow(/^Input of job type "bill" is invalid: lines\.1\.amount: .+; name: .+/)
    await expect(refused).rejects.toMatchObject({
      code: 'payload.invalid',
      details: { thing: 'Input of job type "bill"', issues: [{ path: 'lines.1.amount' }, { path: 'name' }] },
    })
  })

  it('keeps the code that a schema gives a rule of its own', async () => {
    const schema = z.string().superRefine((_text, context) => {
      context.addIssue({ code: 'custom', message: 'bad', params: { code: 'target_forbidden' } })
    })
    await expect(validate(schema, 'x', 'Input')).rejects.toMatchObject({
      details: { issues: [{ path: '', message: 'bad', code: 'target_forbidden' }] },
    })
  })

  it.each([
    ['no path', schemaOf(() => ({ issues: [{ message: 'bad' }] })), 'Input is invalid: bad'],
    [
      'a path of keys',
      schemaOf(() => ({ issues: [{ message: 'bad', path: ['a', 0] }] })),
      'Input is invalid: a.0: bad',
    ],
    [
      'a path of segments',
      schemaOf(() => ({ issues: [{ message: 'bad', path: [{ key: 'a' }, { key: Symbol('s') }] }] })),
      'Input is invalid: a.Symbol(s): bad',
    ],
  ])('is told with %s', async (_what, schema, message) => {
    await expect(validate(schema, 1, 'Input')).rejects.toThrow(message)
  })
})

describe('a schema', () => {
  it('is of any library that follows Standard Schema', () => {
    expect(() => requireSchema(z.string(), 'input')).not.toThrow()
    expect(() =>
      requireSchema(
        schemaOf(() => ({ value: 1 })),
        'input',
      ),
    ).not.toThrow()
    expect(() =>
      requireSchema(
        Object.assign(
          () => 1,
          schemaOf(() => ({ value: 1 })),
        ),
        'input',
      ),
    ).not.toThrow()
  })

  it.each([null, undefined, {}, 'string', () => true, { '~standard': {} }, { '~standard': null }])(
    'is not %j',
    (value) => {
      expect(refusal(() => requireSchema(value, 'Job type "x": input')).message).toMatch(
        /^Job type "x": input must be a schema of a library that follows Standard Schema .+, got .+\.$/,
      )
    },
  )
})
