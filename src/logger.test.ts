import { describe, expect, it } from 'vitest'
import { isAtLeast, LOG_LEVELS, loggerTo, silentLogger, toJsonLine } from './logger.ts'

describe('a logger from one function', () => {
  it('hands on level, message and fields', () => {
    const lines: unknown[] = []
    const logger = loggerTo((...line) => lines.push(line))
    for (const level of LOG_LEVELS) logger[level](`at ${level}`, { level })
    logger.info('bare')
    expect(lines).toEqual([...LOG_LEVELS.map((level) => [level, `at ${level}`, { level }]), ['info', 'bare', {}]])
  })

  it('may be silent', () => {
    expect(() => silentLogger.error('nobody hears')).not.toThrow()
  })
})

describe('a level', () => {
  it.each([
    ['debug', 'debug', true],
    ['debug', 'info', false],
    ['info', 'info', true],
    ['warn', 'info', true],
    ['error', 'debug', true],
    ['warn', 'error', false],
  ] as const)('%s where %s is the lowest: %s', (level, lowest, expected) => {
    expect(isAtLeast(level, lowest)).toBe(expected)
  })
})

describe('data as one line', () => {
  const circular: Record<string, unknown> = {}
  circular['self'] = circular

  it.each<[string, object, unknown]>([
    ['plain data', { a: 1, b: ['x', null] }, { a: 1, b: ['x', null] }],
    ['a line break', { a: 'x\ny' }, { a: 'x\ny' }],
    ['a big integer', { n: 12n }, { n: '12' }],
    ['what is left out', { a: undefined, f: () => 1 }, {}],
    ['what holds itself', circular, { unreadable: 'data that JSON cannot hold' }],
  ])('%s', (_what, data, expected) => {
    const line = toJsonLine(data)
    expect(line).not.toContain('\n')
    expect(JSON.parse(line)).toEqual(expected)
  })

  it('shows an error with its name, message and stack', () => {
    const parsed = JSON.parse(toJsonLine({ error: new TypeError('bad') })) as { error: object }
    expect(parsed.error).toMatchObject({ name: 'TypeError', message: 'bad', stack: expect.any(String) as string })
  })

  it('is a line also where the data say they are nothing', () => {
    expect(toJsonLine({ toJSON: () => undefined })).toEqual(expect.any(String))
  })
})
