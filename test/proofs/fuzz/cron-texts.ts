import fc from 'fast-check'
import { chanceOf, EXPRESSIONS, randomExpression } from '../../suites/oracle/expressions.ts'

const MACROS = [
  '@hourly',
  '@daily',
  '@midnight',
  '@weekly',
  '@monthly',
  '@yearly',
  '@annually',
  '@every_minute',
  '@every_second',
]

/** Every form that a field can take, by the grammar that the reference gives. */
export const grammatical: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0 }).map((seed) => randomExpression(chanceOf(seed))) },
  { weight: 2, arbitrary: fc.constantFrom(...EXPRESSIONS) },
)

export const macro: fc.Arbitrary<string> = fc
  .constantFrom(...MACROS)
  .chain((text) => fc.constantFrom(text, text.toUpperCase()))

/** `H` and what stands with it; needs an identity. */
export const spread: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('H', 'H/15', 'H(0-29)', 'H(0-29)/10', '0', '*/5'),
    fc.constantFrom('H', 'H(0-5)', 'H(9-17)/2', '*', '3'),
    fc.constantFrom('*', 'H', '1', 'L'),
    fc.constantFrom('*', 'H', '1-6'),
    fc.constantFrom('*', 'H', 'H(1-5)', 'MON'),
  )
  .map((fields) => fields.join(' '))

/** The same expression as somebody else would write it. */
export const respelled: fc.Arbitrary<string> = fc
  .tuple(grammatical, fc.constantFrom(' ', '  ', '\t', ' \t '), fc.boolean(), fc.constantFrom('', ' ', '\t'))
  .map(([text, gap, isLower, around]) => around + (isLower ? text.toLowerCase() : text).split(' ').join(gap) + around)

/** Pieces of the grammar, for where they do not belong. */
export const CRON_TOKENS: readonly string[] = [
  ' ',
  '*',
  '?',
  '/',
  '-',
  ',',
  'L',
  'W',
  'LW',
  '#',
  '#6',
  'H',
  'H(',
  '0',
  '60',
  '99',
  '100',
  '-1',
  '*/0',
  '*/99',
  '1-',
  '5L',
  '31W',
  'MON',
  'JAN',
  'FEBR',
  '@daily',
  '* * * * *',
  '31 2',
  '30 FEB',
]

export const DATES_THAT_NEVER_COME: readonly string[] = [
  '0 0 30 2 *',
  '0 0 31 2,4,6,9,11 *',
  '0 0 31W 2 *',
  '0 0 L-30 2 *',
  '0 0 29 2 1#5',
  '0 0 31 4 *',
  '0 0 30 FEB ?',
]
