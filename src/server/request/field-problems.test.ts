import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { InvalidFieldsError } from '../../service/errors.ts'
import { newJob } from '../schemas/job.ts'
import { id, instant, integerParameter, listParameter, text } from '../schemas/values.ts'
import { requireShape } from './field-problems.ts'

function problems(schema: z.ZodType, value: unknown): string[] {
  try {
    requireShape(schema, value)
  } catch (error) {
    if (error instanceof InvalidFieldsError) return error.problems.map(({ pointer, code }) => `${pointer} ${code}`)
  }
  return []
}

describe('what is sent', () => {
  it.each<[object, string[]]>([
    [{ name: 'abc', jobType: 't', cronExpression: '* * * * *' }, []],
    [{}, ['/name required', '/jobType required']],
    [{ name: 1, jobType: null }, ['/name type_invalid', '/jobType type_invalid']],
    [{ name: 'abc', jobType: 't', priority: 'URGENT' }, ['/priority value_unknown']],
    [{ name: 'abc', jobType: 't', tags: ['x', 2] }, ['/tags/1 type_invalid']],
    [{ name: 'abc', jobType: 't', retryCount: '3' }, ['/retryCount type_invalid']],
    [{ name: 'abc', jobType: 't', clienteId: 'b' }, ['/clienteId unknown_field']],
    [
      { name: 'abc', jobType: 't', status: 'ACTIVE', approvedByUserId: 'me', id: 'x', constructor: 1 },
      ['/status unknown_field', '/approvedByUserId unknown_field', '/id unknown_field', '/constructor unknown_field'],
    ],
  ])('as %j has the problems %j', (fields, found) => {
    expect(problems(newJob, fields)).toEqual(found)
  })

  it.each([
    ['cronExpresion', 'There is no such field. Did you mean "cronExpression"?'],
    ['clienteId', 'There is no such field.'],
  ])('has a problem in %s: %s', (name, message) => {
    const problem: unknown = expect.objectContaining({ pointer: `/${name}`, message })
    expect(() => requireShape(newJob, { name: 'abc', jobType: 't', [name]: 'x' })).toThrow(
      expect.objectContaining({ problems: [problem] }),
    )
  })

  it('is called a parameter where it is one', () => {
    expect(() => requireShape(z.strictObject({}), { x: 1 }, 'parameter')).toThrow('1 field is invalid')
    expect(problems(z.strictObject({}), { x: 1 })).toEqual(['/x unknown_field'])
  })
})

describe('an instant', () => {
  it.each(['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.123+02:00', '2024-02-29T23:59:59-03:00'])('%s', (value) => {
    expect(problems(instant, value)).toEqual([])
  })

  it.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:00:00',
    '2026-01-31T09:00:00+25:00',
    '2026-01-31T09:00:60Z',
    '0000-01-01T00:00:00Z',
    '275761-01-01T00:00:00Z',
    '+275761-01-01T00:00:00Z',
    '2026-01-31',
    'infinity',
    '1769850000000',
    1769850000000,
    '',
  ])('is not %j', (value) => {
    expect(problems(instant, value)).toHaveLength(1)
  })
})

describe('an id', () => {
  it('is a UUID, in small letters whatever was sent', () => {
    expect(requireShape(id, '0190A4B2-0000-7000-8000-00000000000F')).toBe('0190a4b2-0000-7000-8000-00000000000f')
  })

  it.each(['', '0', '-1', '1e9', 'null', '[object Object]', '../x', '{0190a4b2-0000-7000-8000-00000000000f}', 'x'])(
    'is not %j',
    (value) => {
      expect(problems(id, value)).toEqual([' format_invalid'])
    },
  )
})

describe('a number in a parameter', () => {
  it.each<[string, number]>([
    ['1', 1],
    ['200', 200],
  ])('%s is %i', (value, number) => {
    expect(requireShape(integerParameter(1, 200), value)).toBe(number)
  })

  it.each(['0', '201', '1e2', '1.5', '-1', '0x10', ' 1', '01', '', '1e9', 'NaN', '99999999999999999999'])(
    'is not %j',
    (value) => {
      expect(problems(integerParameter(1, 200), value)).toHaveLength(1)
    },
  )
})

describe('a list in a parameter', () => {
  it('has commas between words', () => {
    expect(requireShape(listParameter(['A', 'B']), 'A,B')).toEqual(['A', 'B'])
  })

  it.each(['', 'A,', 'a', 'A;B', "A' OR 1=1--"])('is not %j', (value) => {
    expect(problems(listParameter(['A', 'B']), value)).not.toEqual([])
  })
})

describe('text', () => {
  it('is counted as people do', () => {
    expect(problems(text(3, 1), '😀😀😀')).toEqual([])
    expect(problems(text(3, 1), '😀😀😀😀')).toEqual([' format_invalid'])
    expect(problems(text(3, 1), '')).toEqual([' format_invalid'])
  })
})
