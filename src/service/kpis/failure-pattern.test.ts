import { describe, expect, it } from 'vitest'
import { failurePattern } from './failure-pattern.ts'

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
