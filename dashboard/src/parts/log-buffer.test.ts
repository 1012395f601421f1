import { describe, expect, it } from 'vitest'
import type { LogLineView } from '../api/wire.ts'
import { LogBuffer, type LogFilter } from './log-buffer.ts'

function line(sequence: number, more: Partial<LogLineView> = {}): LogLineView {
  const at = '2026-03-02T10:00:00.000Z'
  return { sequence, attempt: 1, at, level: 'info', message: `Line ${sequence}`, fields: null, ...more }
}

const LINES = [
  line(1, { level: 'debug' }),
  line(2, { message: 'Imported \u001B[31mINVOICE\u001B[0m 7' }),
  line(3, { level: 'warn', fields: { invoice: 'A-9' } }),
  line(4, { level: 'error', attempt: 2 }),
]

const shown = (buffer: LogBuffer) => buffer.shown.map(({ sequence }) => sequence)

describe('the lines of a log that are shown', () => {
  it.each<[string, LogFilter, number[]]>([
    ['all', {}, [1, 2, 3, 4]],
    ['from a level on', { level: 'warn' }, [3, 4]],
    ['of an attempt', { attempt: 2 }, [4]],
    ['with a text in the message, whatever the case', { text: 'imported invoice' }, [2]],
    ['with a text in the fields', { text: 'a-9' }, [3]],
    ['with all of it', { level: 'warn', attempt: 1, text: 'line' }, [3]],
    ['none', { text: 'nothing like it' }, []],
  ])('%s', (_name, filter, expected) => {
    const before = new LogBuffer()
    before.filter(filter)
    for (const each of LINES) before.add([each])
    const afterwards = new LogBuffer()
    afterwards.add(LINES)
    afterwards.filter(filter)
    expect([shown(before), shown(afterwards)]).toEqual([expected, expected])
  })

  it('are there once, also when a stream tells them again', () => {
    const buffer = new LogBuffer()
    buffer.add(LINES)
    buffer.add([line(3), line(4), line(5)])
    expect([shown(buffer), buffer.last, buffer.count]).toEqual([[1, 2, 3, 4, 5], 5, 5])
  })

  it('are the last ones where there are too many, and the others are counted', () => {
    const buffer = new LogBuffer(3)
    buffer.filter({ level: 'info' })
    buffer.add(LINES)
    buffer.add([line(5)])
    expect([shown(buffer), buffer.forgotten, buffer.count]).toEqual([[3, 4, 5], 2, 5])
  })
})
