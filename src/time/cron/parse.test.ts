import { describe, expect, it } from 'vitest'
import { at, firstFires, medianMs, refusal } from '../../../test/harness/instants.ts'
import { cron } from '../triggers/cron.ts'
import { MAX_CRON_LENGTH, parseCron } from './parse.ts'

const FROM = '2026-01-01T00:00'

describe('a valid expression', () => {
  it.each([
    ['RN-JOB-112-02: daily at two', '0 2 * * *', '2026-01-01T02:00Z', '2026-01-02T02:00Z'],
    ['RN-JOB-112-02: weekly on Sunday', '0 0 * * 0', '2026-01-04Z', '2026-01-11Z'],
    ['every minute', '* * * * *', '2026-01-01Z', '2026-01-01T00:01Z'],
    ['every second', '* * * * * *', '2026-01-01Z', '2026-01-01T00:00:01Z'],
    ['seconds first of six fields', '30 15 10 * * *', '2026-01-01T10:15:30Z', '2026-01-02T10:15:30Z'],
    ['a list', '5,20 8 * * *', '2026-01-01T08:05Z', '2026-01-01T08:20Z'],
    ['a list with repetitions', '5,5,5 8 * * *', '2026-01-01T08:05Z', '2026-01-02T08:05Z'],
    ['a range', '0 9-17 * * *', '2026-01-01T09:00Z', '2026-01-01T10:00Z'],
    ['a step', '*/20 * * * *', '2026-01-01Z', '2026-01-01T00:20Z'],
    ['a range with a step', '10-40/15 * * * *', '2026-01-01T00:10Z', '2026-01-01T00:25Z'],
    ['a start with a step', '50/5 * * * *', '2026-01-01T00:50Z', '2026-01-01T00:55Z'],
    ['a list of ranges', '0 1-2,5 * * *', '2026-01-01T01:00Z', '2026-01-01T02:00Z'],
    ['the largest step', '*/59 * * * *', '2026-01-01Z', '2026-01-01T00:59Z'],
    ['leading zeros', '05 08 01 02 *', '2026-02-01T08:05Z', '2027-02-01T08:05Z'],
    ['months by name', '0 0 1 FEB,jul *', '2026-02-01Z', '2026-07-01Z'],
    ['a range of months by name', '0 0 1 Oct-Dec *', '2026-10-01Z', '2026-11-01Z'],
    ['weekdays by name', '0 0 * * mon', '2026-01-05Z', '2026-01-12Z'],
    ['a range of weekdays by name', '0 0 * * FRI-SAT', '2026-01-02Z', '2026-01-03Z'],
    ['7 for Sunday', '0 0 * * 7', '2026-01-04Z', '2026-01-11Z'],
    ['a range up to 7', '0 0 * * 6-7', '2026-01-03Z', '2026-01-04Z'],
    ['a range from 7', '0 0 * * 7-1', '2026-01-04Z', '2026-01-05Z'],
    ['a question mark for any day', '0 0 ? * ?', '2026-01-01Z', '2026-01-02Z'],
    ['a question mark in each field', '? ? ? ? ?', '2026-01-01Z', '2026-01-01T00:01Z'],
    ['minutes over the end of the hour', '58-1 * * * *', '2026-01-01Z', '2026-01-01T00:01Z'],
    ['minutes over the end, nearly all', '5-1 * * * *', '2026-01-01Z', '2026-01-01T00:01Z'],
    ['hours over midnight', '0 22-2 * * *', '2026-01-01Z', '2026-01-01T01:00Z'],
    ['hours over midnight with a step', '0 21-3/3 * * *', '2026-01-01Z', '2026-01-01T03:00Z'],
    ['hours over midnight with a step that passes it', '0 22-5/3 * * *', '2026-01-01T01:00Z', '2026-01-01T04:00Z'],
    ['months over the end of the year', '0 0 1 NOV-FEB/2 *', '2026-01-01Z', '2026-11-01Z'],
    ['weekdays over the end of the week', '0 0 * * FRI-MON', '2026-01-02Z', '2026-01-03Z'],
    ['weekdays over the end with a step', '0 0 * * SAT-TUE/2', '2026-01-03Z', '2026-01-05Z'],
    ['the last day of the month', '0 0 L * *', '2026-01-31Z', '2026-02-28Z'],
    ['the third day before the last', '0 0 L-3 * *', '2026-01-28Z', '2026-02-25Z'],
    ['the last weekday', '0 0 LW * *', '2026-01-30Z', '2026-02-27Z'],
    ['the weekday nearest the third day before the last', '0 0 L-3W * *', '2026-01-28Z', '2026-02-25Z'],
    ['L-n that only long months have', '0 0 L-30 * *', '2026-01-01Z', '2026-03-01Z'],
    ['the weekday nearest the 15th', '0 0 15W * *', '2026-01-15Z', '2026-02-16Z'],
    ['the weekday nearest the 1st stays in the month', '0 0 1W * *', '2026-01-01Z', '2026-02-02Z'],
    ['the weekday nearest a 1st that is a Saturday', '0 0 1W 8 *', '2026-08-03Z', '2027-08-02Z'],
    ['the weekday nearest a 31st that is a Sunday', '0 0 31W 5 *', '2026-05-29Z', '2027-05-31Z'],
    ['the weekday nearest the 31st', '0 0 31W * *', '2026-01-30Z', '2026-03-31Z'],
    ['the last Friday', '0 0 * * 5L', '2026-01-30Z', '2026-02-27Z'],
    ['the last Friday by name', '0 0 * * FRIL', '2026-01-30Z', '2026-02-27Z'],
    ['the last Sunday as 7', '0 0 * * 7L', '2026-01-25Z', '2026-02-22Z'],
    ['the second Monday', '0 0 * * 1#2', '2026-01-12Z', '2026-02-09Z'],
    ['the second Monday by name', '0 0 * * mon#2', '2026-01-12Z', '2026-02-09Z'],
    ['the fifth Friday, where there is one', '0 0 * * 5#5', '2026-01-30Z', '2026-05-29Z'],
    ['lower case', '0 0 l-3w jan *', '2026-01-28Z', '2027-01-28Z'],
    ['blanks and tabs around', ' \t0  0\t1 1   * ', '2026-01-01Z', '2027-01-01Z'],
  ])('%s: %s', (_what, expression, first, second) => {
    expect(firstFires(cron(expression), FROM, 2).map((time) => time?.replace('T00:00Z', 'Z'))).toEqual([first, second])
  })

  it.each([
    ['@every_second', '2026-01-01T00:00Z', '2026-01-01T00:00:01Z'],
    ['@every_minute', '2026-01-01T00:00Z', '2026-01-01T00:01Z'],
    ['@hourly', '2026-01-01T00:00Z', '2026-01-01T01:00Z'],
    ['@daily', '2026-01-01T00:00Z', '2026-01-02T00:00Z'],
    ['@midnight', '2026-01-01T00:00Z', '2026-01-02T00:00Z'],
    ['@weekly', '2026-01-04T00:00Z', '2026-01-11T00:00Z'],
    ['@monthly', '2026-01-01T00:00Z', '2026-02-01T00:00Z'],
    ['@yearly', '2026-01-01T00:00Z', '2027-01-01T00:00Z'],
    ['@annually', '2026-01-01T00:00Z', '2027-01-01T00:00Z'],
    ['@DAILY', '2026-01-01T00:00Z', '2026-01-02T00:00Z'],
    [' @Daily ', '2026-01-01T00:00Z', '2026-01-02T00:00Z'],
  ])('the macro %j', (macro, first, second) => {
    expect(firstFires(cron(macro), FROM, 2)).toEqual([first, second])
  })

  it('may have 256 characters', () => {
    const expression = '0 0 1 1 *'.padEnd(MAX_CRON_LENGTH)
    expect(expression).toHaveLength(256)
    expect(parseCron(expression).expression).toBe('0 0 1 1 *')
  })

  it.each([
    ['the same object where nothing differs', '7 7 * * *', {}, {}, true],
    ['another by day rule', '7 7 * * *', {}, { dayRule: 'and' }, false],
    ['another by identity', 'H 7 * * *', { identity: 'a' }, { identity: 'b' }, false],
  ] as const)('is parsed once: %s', (_fact, expression, options, others, isSame) => {
    expect(parseCron(expression, options) === parseCron(expression, others)).toBe(isSame)
  })
})

describe('an invalid expression names the field, what was received and what is accepted', () => {
  it.each([
    ['RN-JOB-112-02: minute 60', '60 * * * *', 'minute', '0-59', '60'],
    ['* 24 * * *', '* 24 * * *', 'hour', '0-23', '24'],
    ['* * 0 * *', '* * 0 * *', 'day-of-month', '1-31', '0'],
    ['* * 32 * *', '* * 32 * *', 'day-of-month', '1-31', '32'],
    ['* * * 13 *', '* * * 13 *', 'month', '1-12', '13'],
    ['* * * 0 *', '* * * 0 *', 'month', '1-12', '0'],
    ['* * * * 8', '* * * * 8', 'day-of-week', '0-7', '8'],
    ['second 60', '60 * * * * *', 'second', '0-59', '60'],
    ['a step of zero', '*/0 * * * *', 'minute step', '1-59', '*/0'],
    ['a step beyond the field', '*/61 * * * *', 'minute step', '1-59', '*/61'],
    ['a step that is no number', '*/x * * * *', 'minute step', '1-59', '*/x'],
    ['a step that is missing', '*/ * * * *', 'minute step', '1-59', '*/'],
    ['steps of steps', '*/1/1/1 * * * *', 'minute step', '1-59', '*/1/1/1'],
    ['a step of zero on weekdays', '0 0 * * MON-FRI/0', 'day-of-week step', '1-7', 'MON-FRI/0'],
    ['a range beyond the field', '1-100000 * * * *', 'minute', '0-59', '1-100000'],
    ['an open range', '5- * * * *', 'minute', '0-59', '5-'],
    ['a negative number', '-1 * * * *', 'minute', '0-59', '-1'],
    ['an exponent', '1e1 * * * *', 'minute', '0-59', '1e1'],
    ['a hexadecimal number', '0x1 * * * *', 'minute', '0-59', '0x1'],
    ['a fraction', '1.5 * * * *', 'minute', '0-59', '1.5'],
    ['three digits', '005 * * * *', 'minute', '0-59', '005'],
    ['a fullwidth digit', '０ * * * *', 'minute', '0-59', '０'],
    ['an Arabic digit', '١ * * * *', 'minute', '0-59', '١'],
    ['a list with a hole', '1,,2 * * * *', 'minute', '0-59', '1,,2'],
    ['a list that goes on', '1, * * * *', 'minute', '0-59', '1,'],
    ['a star in a list', '*,5 * * * *', 'minute', '0-59', '*,5'],
    ['a star in a range', '*-5 * * * *', 'minute', '0-59', '*-5'],
    ['a name in a field without names', '0 MON * * *', 'hour', '0-23', 'MON'],
    ['a name of another field', '0 0 * MON *', 'month', '1-12', 'MON'],
    ['a whole name', '0 0 * * MONDAY', 'day-of-week', '0-7', 'MONDAY'],
    ['a name of the prototype', '0 0 * * constructor', 'day-of-week', '0-7', 'constructor'],
    ['L in the minute', 'L * * * *', 'minute', '0-59', 'L'],
    ['LW in the day of week', '0 0 * * LW', 'day-of-week', '0-7', 'LW'],
    ['L in the day of week', '0 0 * * L', 'day-of-week', '0-7', 'L'],
    ['L-31', '0 0 L-31 * *', 'day-of-month', '1-31', 'L-31'],
    ['L in a list', '0 0 1,L * *', 'day-of-month', '1-31', '1,L'],
    ['W alone', '0 0 W * *', 'day-of-month', '1-31', 'W'],
    ['W of day 32', '0 0 32W * *', 'day-of-month', '1-31', '32W'],
    ['W of a range', '0 0 1-5W * *', 'day-of-month', '1-31', '1-5W'],
    ['a sixth Friday', '0 0 * * 5#6', 'day-of-week', '0-7', '5#6'],
    ['a zeroth Friday', '0 0 * * 5#0', 'day-of-week', '0-7', '5#0'],
    ['an eighth weekday', '0 0 * * 8#1', 'day-of-week', '0-7', '8#1'],
    ['a year where the day of week stands', '0 0 1 1 * 1970', 'day-of-week', '0-7', '1970'],
    ['a zone before it', 'TZ=../x 0 0 * * *', 'second', '0-59', 'TZ=../x'],
    ['NUL inside', '0\0 0 * * *', 'minute', '0-59', '0\\u0000'],
    ['a line break after it', '0 0 * * *\n', 'day-of-week', '0-7', '*\\n'],
    ['a line break for a blank', '0 0 0 *\n* * *', 'day-of-month', '1-31', '*\\n*'],
    ['a no-break space', '0 0 * * *\u00a0', 'day-of-week', '0-7', '*\u00a0'],
    ['H without an identity', 'H * * * *', 'minute', '0-59', 'H'],
  ])('%s', (_what, expression, field, accepted, received) => {
    const error = refusal(() => parseCron(expression))
    expect(error.code).toBe('cron.field_invalid')
    expect(error.message).toContain(`Cron ${field} must be ${accepted}, got "${received}"`)
    expect(error.message).toMatch(/ in ".*".*\.$/s)
    expect(error.details).toMatchObject({ field: field.replace(' step', ''), accepted })
  })

  it.each([
    ['*/0 * * * *', 'Cron minute step must be 1-59, got "*/0"'],
    ['0 0 * * 5#6', 'day#n takes an n of 1-5'],
    ['0 0 L-31 * *', 'L-n takes 0-30'],
    ['H * * * *', 'H needs the identity of a job'],
    ['0 0 32 * *', '?, L, L-3, LW, L-3W, 15W'],
    ['0 0 * 13 *', 'JAN-DEC'],
    ['0 0 * * 8', 'SUN-SAT, 5L, 5#2'],
  ])('%s tells that %s', (expression, rule) => {
    expect(refusal(() => parseCron(expression)).message).toContain(rule)
  })

  it.each<[string, string, number]>([
    ['RN-JOB-112-02: four fields', '2 0 * *', 4],
    ['RN-JOB-112-02: a word', 'abc', 1],
    ['nothing', '', 0],
    ['blanks', '   ', 0],
    ['a star', '*', 1],
    ['four stars', '* * * *', 4],
    ['seven fields', '0 0 0 1 1 * 2026', 7],
    ['L alone', 'L', 1],
    ['LW alone', 'LW', 1],
    ['5#6 alone', '5#6', 1],
    ...['1-100000', '5-1', '-1', '1e1', '0x1', '０', '*/1/1/1', 'MON-FRI/0'].map((field): [string, string, number] => [
      `${field} alone`,
      field,
      1,
    ]),
    ['two lines', '0 0 * * *\n* * * * *', 9],
    ['fields parted by line breaks', '0\n0\n*\n*\n*', 1],
  ])('%s has a wrong number of fields', (_what, expression, count) => {
    const error = refusal(() => parseCron(expression))
    expect(error.code).toBe('cron.field_count')
    expect(error.message).toContain(
      `must have 5 fields (minute hour day-of-month month day-of-week) or 6 with seconds first, got ${count} in "`,
    )
  })

  it.each([
    ['five asked for, six given', '* * * * * *', 5, 'must have 5 fields (minute'],
    ['six asked for, five given', '* * * * *', 6, 'must have 6 with seconds first'],
  ] as const)('%s', (_what, expression, fields, rule) => {
    expect(parseCron(expression).expression).toBe(expression)
    const error = refusal(() => parseCron(expression, { fields }))
    expect(error.code).toBe('cron.field_count')
    expect(error.message).toContain(rule)
  })

  it.each([
    ['@reboot', ''],
    ['@every 0s', ''],
    ['@every 1ns', ''],
    ['@', ''],
    ['@daily 5', ''],
    ['@dialy', 'did you mean @daily?'],
    ['@hourl', 'did you mean @hourly?'],
    ['@constructor', ''],
  ])('the macro %s is unknown', (macro, hint) => {
    const error = refusal(() => parseCron(macro))
    expect(error.code).toBe('cron.macro_unknown')
    expect(error.message).toMatch(/macro must be one of @every_second, .*@annually, got "@/)
    expect(error.message).toContain(hint)
  })

  it.each([
    ['one character too many', '* * * * *'.padEnd(257)],
    ['a list without end', `${'1,'.repeat(20_000)} * * * *`],
    ['blanks without end', `0 0 * * *${' '.repeat(10_240)}`],
    ['megabytes', '*'.repeat(10_000_000)],
  ])('%s is too long', (_what, expression) => {
    const error = refusal(() => parseCron(expression))
    expect(error.code).toBe('cron.too_long')
    expect(error.message).toContain(`must have at most 256 characters, got ${expression.length}`)
    expect(error.message.length).toBeLessThan(250)
    expect(JSON.stringify(error.details).length).toBeLessThan(600)
  })

  it.each([undefined, null, 5, {}, ['* * * * *'], new Date(0)])('%j is no text', (expression) => {
    const error = refusal(() => parseCron(expression as string))
    expect(error.code).toBe('cron.invalid')
    expect(error.message).toContain('Cron expression must be text, got ')
  })

  it.each([
    ['fields', { fields: 7 }],
    ['fields', { fields: '5' }],
    ['dayRule', { dayRule: 'xor' }],
    ['identity', { identity: 5 }],
  ])('the option %s is checked: %j', (name, options) => {
    expect(refusal(() => parseCron('* * * * *', options as object)).message).toContain(name)
  })

  it('an expression of another identity is not taken for this one', () => {
    parseCron('0 0 * * *', { identity: 'a\nX' })
    expect(refusal(() => parseCron('X\n0 0 * * *', { identity: 'a' })).code).toBe('cron.field_invalid')
  })
})

describe('an expression that never fires', () => {
  it.each([
    ['30 February', '0 0 30 2 *'],
    ['31 February', '0 0 31 2 *'],
    ['31 April and June', '0 0 31 4,6 *'],
    ['the 31st of all short months', '0 0 31 2,4,6,9,11 *'],
    ['the weekday nearest 30 February', '0 0 30W 2 *'],
    ['the day 30 days before the last of April', '0 0 L-30 4 *'],
    ['with seconds', '* * * 30 2 *'],
  ])('is valid and is answered within 5 ms: %s', (_what, expression) => {
    for (const timeZone of ['UTC', 'America/New_York']) {
      const trigger = cron(expression, { timeZone })
      expect(trigger.isNever).toBe(true)
      expect(trigger.next(at(FROM))).toBeNull()
      expect(trigger.previous(at(FROM))).toBeNull()
      expect(trigger.count(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toBe(0)
      expect([...trigger.between(at(FROM), Number.POSITIVE_INFINITY)]).toEqual([])
    }
    let run = 0
    // Another blank makes every run a first one: what is cached proves nothing.
    expect(medianMs(() => cron(expression + ' '.repeat(++run)).next(at(FROM)))).toBeLessThan(5)
  })

  it.each([
    ['29 February on a Monday', '0 0 29 2 1', 'and', '2044-02-29T00:00Z'],
    ['30 February or a Monday', '0 0 30 2 1', 'or', '2026-02-02T00:00Z'],
    ['a fifth Friday of February', '0 0 * 2 5#5', 'or', '2036-02-29T00:00Z'],
    ['a list as long as it may be', `${'0-59,'.repeat(46)}1 * * * *`, 'or', '2026-01-01T00:00Z'],
  ] as const)('is not one that is only rare: %s', (_what, expression, dayRule, first) => {
    expect(firstFires(cron(expression, { dayRule }), FROM, 1)).toEqual([first])
    let run = 0
    expect(medianMs(() => cron(expression + ' '.repeat(++run), { dayRule }).next(at(FROM)))).toBeLessThan(5)
  })
})

describe('the day rule', () => {
  it.each([
    ['or by default, both restricted', '0 0 13 * 5', undefined, ['02', '09', '13', '16', '23', '30']],
    ['and, both restricted', '0 0 13 * 5', 'and', []],
    ['and, a Friday the 9th', '0 0 9 * 5', 'and', ['09']],
    ['a star with a step is not restricted: and', '0 0 */2 * 1', undefined, ['05', '19']],
    ['a star with a step in the weekday: and', '0 0 10,11 * */2', undefined, ['10', '11']],
    ['a question mark with a step: and', '0 0 ?/2 * 1', undefined, ['05', '19']],
    [
      'a range over all days is restricted: or',
      '0 0 1-31/15 * 1',
      undefined,
      ['01', '05', '12', '16', '19', '26', '31'],
    ],
    ['only the day of month', '0 0 13 * *', undefined, ['13']],
    ['only the day of week', '0 0 * * 5', undefined, ['02', '09', '16', '23', '30']],
    ['a question mark for the other', '0 0 ? * 5', undefined, ['02', '09', '16', '23', '30']],
    ['or with L', '0 0 L * 1', undefined, ['05', '12', '19', '26', '31']],
    ['and with L', '0 0 L * 6', 'and', ['31']],
    ['or with W and #', '0 0 4W * 1#3', undefined, ['05', '19']],
    ['and with a week of days is the second Monday', '0 0 8-14 * 1', 'and', ['12']],
  ] as const)('%s: %s', (_what, expression, dayRule, days) => {
    const january = [...cron(expression, { dayRule }).between(at('2026-01-01'), at('2026-02-01'))]
    expect(january.map((time) => new Date(time).toISOString().slice(8, 10))).toEqual(days)
  })
})
