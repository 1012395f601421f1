import { describe, expect, it, vi } from 'vitest'
import { RecordedLog } from '../../../test/suites/scenarios/recorded.ts'
import { systemClock } from '../../clock.ts'
import { PontualError } from '../../errors.ts'
import { job } from '../../job/type/job-type.ts'
import type { Logger } from '../../logger.ts'
import { memory } from '../../store/memory/memory.ts'
import { weeklyCalendar } from '../../time/calendars/days.ts'
import { checkPontualOptions, type PontualOptions } from './options.ts'

const store = memory()
const work = job('work', { queue: 'reports', run: () => 1 })
const check = (options: object) => checkPontualOptions({ store, ...options }, systemClock)

describe('the options of an application', () => {
  it('need nothing but a store', () => {
    expect(check({})).toMatchObject({
      source: store,
      application: null,
      tenant: 'default',
      scheduleDefaults: { misfireThresholdMs: 60_000, retry: { retries: 3 } },
      overrides: {},
      settings: { slots: 10, queues: ['default'] },
    })
    expect(check({}).types.size).toBe(0)
    expect(check({}).calendars.size).toBe(0)
  })

  it('bring job types by their id, and their queues', () => {
    const { types, settings } = check({ jobs: [work] })
    expect([...types]).toEqual([['work', work]])
    expect(settings.queues).toEqual(['default', 'reports'])
  })

  it('are what they are given', () => {
    const weekends = weeklyCalendar()
    const checked = check({ application: 'billing', tenant: 'acme', misfireThreshold: '5m', calendars: { weekends } })
    expect(checked).toMatchObject({
      application: 'billing',
      tenant: 'acme',
      scheduleDefaults: { misfireThresholdMs: 300_000 },
    })
    expect(checked.calendars.get('weekends')).toBe(weekends)
  })

  it.each<[string, object, string]>([
    ['a misspelt one', { job: [] }, 'Pontual options has no field "job"'],
    ['a misspelt one, with a hint', { shutdwonGrace: '1s' }, 'Did you mean "shutdownGrace"?'],
    ['no store', { store: undefined }, 'store must be memory(), postgres(url) or pglite(directory), got nothing.'],
    ['a store that is an address', { store: 'postgres://x' }, 'got "postgres://x"'],
    ['jobs that are no list', { jobs: work }, 'jobs must be a list'],
    ['a job type that is none', { jobs: [{ id: 'x' }] }, 'jobs must hold what job(…) gives'],
    ['a job type that is nothing', { jobs: [undefined] }, 'jobs must hold what job(…) gives, got nothing.'],
    ['a job type twice', { jobs: [work, work] }, 'Job type "work" stands in jobs twice.'],
    ['an empty tenant', { tenant: '' }, 'tenant must be text'],
    ['an empty application', { application: '' }, 'application must be text'],
    ['a calendar that is none', { calendars: { x: {} } }, 'calendar "x"'],
    ['a calendar without a name', { calendars: { '': weeklyCalendar() } }, 'Calendar name must be text'],
    ['a threshold that is none', { misfireThreshold: 'soon' }, 'misfireThreshold must be'],
    ['a misspelt override', { overrides: { files: 'x' } }, 'Did you mean "file"?'],
    ['an unknown level', { logger: 'loud' }, 'logger must be'],
    ['a logger that lacks a level', { logger: { info: () => {} } }, 'an object with a function for each level'],
    ['a logger that is a number', { logger: 5 }, 'logger must be "silent", one of debug'],
  ])('are not %s', (_what, options, message) => {
    expect(() => check(options)).toThrow(PontualError)
    expect(() => check(options)).toThrow(message)
  })
})

describe('a logger', () => {
  /** What is written to standard error meanwhile. */
  function written(write: (logger: Logger) => void, logger: PontualOptions['logger']): string[] {
    const lines: string[] = []
    const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0)
    try {
      write(check({ logger }).logger)
    } finally {
      spy.mockRestore()
    }
    return lines
  }

  const everything = (logger: Logger) => {
    logger.debug('a')
    logger.info('b')
    logger.warn('c', { rows: 3 })
    logger.error('d', { error: new Error('bad') })
  }

  it.each([
    [undefined, ['c', 'd']],
    ['debug', ['a', 'b', 'c', 'd']],
    ['error', ['d']],
    ['silent', []],
  ] as const)('%s writes %j', (logger, expected) => {
    const messages = written(everything, logger).map((line) => (JSON.parse(line) as { message: string }).message)
    expect(messages).toEqual(expected)
  })

  it('writes a line of JSON with time, level, message and fields', () => {
    const [line] = written((logger) => logger.warn('c', { rows: 3 }), 'warn')
    expect(line).toMatch(/^\{"time":"\d{4}-.+Z","level":"warn","message":"c","rows":3\}\n$/)
  })

  it('may be one’s own', () => {
    const log = new RecordedLog()
    everything(check({ logger: log.logger }).logger)
    expect(log.lines.map(({ message }) => message).join('')).toBe('abcd')
    expect(log.of('c')).toEqual([{ level: 'warn', message: 'c', fields: { rows: 3 } }])
  })
})
