import { describe, expect, it } from 'vitest'
import type { LogLine, TenantLogStore } from '../../store/logs.ts'
import { logText } from './read-logs.ts'

const EXECUTION = '0190a4b2-0000-7000-8000-00000000000f'

function line(change: Partial<LogLine> = {}): LogLine {
  const at = Date.UTC(2026, 0, 1)
  return {
    executionId: EXECUTION,
    sequence: 1,
    attempt: 1,
    at,
    level: 'info',
    message: 'started',
    fields: null,
    ...change,
  }
}

/** A log with these lines. */
function logOf(lines: readonly LogLine[]): TenantLogStore {
  return {
    read: ({ limit }) => Promise.resolve(lines.slice(0, limit)),
    size: () => Promise.resolve(0),
  }
}

describe('a log as text', () => {
  it('is empty where there is none', async () => {
    expect(await logText(logOf([]), EXECUTION)).toBe('')
  })

  it('has a line for each, with its time, its level and its fields', async () => {
    const lines = [line(), line({ level: 'warn', message: 'slow', fields: '{"ms":900}' })]
    expect(await logText(logOf(lines), EXECUTION)).toBe(
      '2026-01-01T00:00:00.000Z INFO started\n2026-01-01T00:00:00.000Z WARN slow {"ms":900}\n',
    )
  })

  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b[2J\u001b[1;1Hgone', 'gone'],
    ['\u001b]0;title\u0007text', 'text'],
    ['\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['\u001bcreset', 'creset'],
    ['bell\u0007 back\b\u009b31m', 'bell back31m'],
    ['half \u001b', 'half '],
    ['two\n\tlines', 'two\n    \tlines'],
    ['a\r\n2026-01-01T00:00:00.000Z ERROR forged', 'a\n    2026-01-01T00:00:00.000Z ERROR forged'],
    ['a\u20282026-01-01T00:00:00.000Z ERROR forged', 'a\n    2026-01-01T00:00:00.000Z ERROR forged'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('says %j as %j, so that a terminal does not obey', async (message, shown) => {
    expect(await logText(logOf([line({ message })]), EXECUTION)).toBe(`2026-01-01T00:00:00.000Z INFO ${shown}\n`)
  })

  it('escapes in fields what JSON leaves as it is', async () => {
    const fields = JSON.stringify({ a: '\u009b31m\u007f\u2028b', b: 'é\n' })
    expect(await logText(logOf([line({ fields })]), EXECUTION)).toBe(
      '2026-01-01T00:00:00.000Z INFO started {"a":"\\u009b31m\\u007f\\u2028b","b":"é\\n"}\n',
    )
  })

  it.each<[string, LogLine[], number]>([
    ['lines', Array.from({ length: 1_001 }, () => line()), 1_000],
    ['characters', Array.from({ length: 40 }, () => line({ message: 'x'.repeat(8_000) })), 32],
  ])('of too many %s is cut, and says so', async (_what, lines, kept) => {
    const text = await logText(logOf(lines), EXECUTION)
    expect(text.split('\n')).toHaveLength(kept + 2)
    expect(text.endsWith('… cut here; the rest is in the log.\n')).toBe(true)
  })

  it('of just so many is whole', async () => {
    const text = await logText(logOf(Array.from({ length: 1_000 }, () => line())), EXECUTION)
    expect(text.split('\n')).toHaveLength(1_001)
    expect(text).not.toContain('cut here')
  })
})
