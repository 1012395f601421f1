import { describe, expect, it } from 'vitest'
import type { Failure } from '../../job/execution/execution.ts'
import type { FailureRecord } from '../../store/series.ts'
import { failurePattern, groupFailures } from './failures.ts'

let last = 0
function failed(error: Partial<Failure> | null, change: Partial<FailureRecord> = {}): FailureRecord {
  last += 1
  const whole = error && { name: 'Error', message: '', ...error }
  return { executionId: `e${last}`, jobId: 'j', status: 'FAILED', at: -last, error: whole, ...change }
}

describe('failures', () => {
  it('of nothing are none', () => {
    expect(groupFailures([])).toEqual([])
  })

  it('that differ in what is taken out are one, under what they have in common', () => {
    const first = failed({ message: 'Order 1 not found' }, { jobId: 'a' })
    const groups = groupFailures([
      first,
      failed({ message: 'Order 22 not found' }, { jobId: 'b' }),
      failed({ message: 'Order 3 not found' }, { jobId: 'a' }),
      failed({ message: 'Order 3 not found' }, { jobId: null }),
    ])
    expect(groups).toEqual([
      {
        errorName: 'Error',
        message: 'Order … not found',
        count: 4,
        jobIds: ['a', 'b'],
        lastAt: first.at,
        lastExecutionId: first.executionId,
      },
    ])
  })

  it('that say the same keep their words', () => {
    const message = 'Order 7 of "x" not found'
    expect(groupFailures([failed({ message }), failed({ message })])).toMatchObject([{ message, count: 2 }])
  })

  it('are the most frequent first, and then the latest', () => {
    const all = [
      failed({ message: 'late' }),
      failed({ message: 'often' }),
      failed({ message: 'old' }),
      failed({ message: 'often' }),
    ]
    expect(groupFailures(all).map(({ message }) => message)).toEqual(['often', 'late', 'old'])
  })

  it.each<[string, FailureRecord, object]>([
    [
      'of another name are others',
      failed({ name: 'TypeError', message: 'a' }),
      { errorName: 'TypeError', message: 'a' },
    ],
    ['without an error have the name of their end', failed(null), { errorName: 'Error', message: '' }],
    [
      'that timed out without an error',
      failed(null, { status: 'TIMEOUT' }),
      { errorName: 'TimeoutError', message: '' },
    ],
  ])('%s', (_what, record, expected) => {
    expect(groupFailures([record, failed({ message: 'a' })])[0]).toMatchObject(expected)
  })
})

describe('what is left of an error’s message', () => {
  it.each<[string, string, string]>([
    ['nothing', '', ''],
    ['words alone', 'The file is gone.', 'The file is gone.'],
    ['a number', 'Order 4711 not found', 'Order … not found'],
    ['a number with a fraction', 'took 1,234.56 ms', 'took … ms'],
    ['an address and a port', 'connect ECONNREFUSED 10.0.0.5:5432', 'connect ECONNREFUSED …'],
    ['a number within a word', 'table invoices_42 is locked', 'table invoices_… is locked'],
    ['a UUID', 'execution 0190A4B2-0000-7000-8000-00000000000f is gone', 'execution … is gone'],
    ['a hexadecimal id', 'commit deadbeef01 is unknown', 'commit … is unknown'],
    ['an address in memory', 'segfault at 0x7fff', 'segfault at …'],
    ['an id of letters and digits', 'customer cus_NffrFeUfNV2Hib9x is gone', 'customer … is gone'],
    ['a long word, which is no id', 'counterrevolutionary facade', 'counterrevolutionary facade'],
    ['what is in double quotes', 'no column "a b" in "t"', 'no column … in …'],
    ['what is in single quotes', "reading 'name' of 'x'", 'reading … of …'],
    ['what is in backticks', 'run `npm i` first', 'run … first'],
    ['what is in other quotes', 'não há “a” nem «b»', 'não há … nem …'],
    ['no apostrophe', "can't do it, isn't there", "can't do it, isn't there"],
    ['an instant', 'since 2026-01-31T09:00:00.123Z no answer', 'since … no answer'],
    ['an instant with an offset', 'since 2026-01-31 09:00:00-03:00 no answer', 'since … no answer'],
    ['a date', 'closed on 2026-01-31', 'closed on …'],
    ['what an address asks for', 'GET https://a.example/b?c=d&e=f failed', 'GET https://a.example/b… failed'],
    ['where in a page an address is', 'GET http://a.example/b#c failed', 'GET http://a.example/b… failed'],
    ['several in a row', 'ids 1-2-3, "a" 7', 'ids …, … …'],
    ['lines and spaces', ' a\n\tb  c ', 'a b c'],
  ])('%s', (_what, message, expected) => {
    expect(failurePattern(message)).toBe(expected)
  })

  it('is short, and soon found, whatever the message is', () => {
    for (const part of ['"', "'", 'a', '1', '1.', '1-', 'http://', 'http://a?', 'abcdef', '…-', ' ', '-'] as const) {
      expect(failurePattern(part.repeat(100_000)).length, part).toBeLessThanOrEqual(300)
    }
  })

  it.each(['“', '«', '“«', '"`'])('is soon found where %s are opened and never closed', (quotes) => {
    const before = process.cpuUsage()
    for (let n = 0; n < 400; n += 1) failurePattern(`${quotes.repeat(1_000)}${n}`)
    // Where each of them is followed to the end, it takes more than a second.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(300)
  })
})
