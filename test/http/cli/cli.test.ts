import { describe, expect, it } from 'vitest'
import { showOverview } from '../../../src/cli/commands/show-overview.ts'
import { runCommand } from './run-command.ts'
import { testTerminal } from './test-terminal.ts'

const NOW = Date.parse('2026-03-07T00:00:00Z')

/** What a command prints. */
async function run(...args: string[]): Promise<string> {
  return await runCommand(NOW, args)
}

describe('pontual cron explain', () => {
  it('tells the meaning and the next fire times, with the offset of each', async () => {
    expect(await run('cron', 'explain', '30 2 * * *', '--zone', 'America/New_York', '--count', '3')).toBe(
      [
        '30 2 * * *',
        'At 02:30, America/New_York',
        '',
        '  Sat 2026-03-07 02:30:00 -05:00  in 7 h',
        '  Sun 2026-03-08 03:00:00 -04:00  in 1 d',
        '  Mon 2026-03-09 02:30:00 -04:00  in 2 d',
        '',
      ].join('\n'),
    )
  })

  it('speaks Portuguese', async () => {
    const output = await run('cron', 'explain', '0 9 * * 1-5', '--locale', 'pt-BR', '--count', '1')
    expect(output).toContain('Às 09:00, de segunda-feira a sexta-feira')
    expect(output).toContain('seg 2026-03-09')
  })

  it('prints JSON', async () => {
    const output = await run('cron', 'explain', '@daily', '--json', '--count', '1', '--from', '2026-12-31T12:00:00Z')
    expect(JSON.parse(output)).toEqual({
      expression: '@daily',
      meaning: 'At 00:00',
      timeZone: 'UTC',
      isNever: false,
      upcoming: ['2027-01-01T00:00:00.000Z'],
    })
  })

  it('says so when an expression never fires', async () => {
    expect(await run('cron', 'explain', '0 0 30 2 *')).toContain('It never fires')
  })

  it.each([
    [['cron', 'explain', '75 3 * * *'], 'Cron minute must be 0-59, got "75"'],
    [['cron', 'explain', '* * * * *', '--zone', 'Mars/Olympus'], 'Time zone must be an IANA name'],
    [['cron', 'explain', '* * * * *', '--count', 'many'], 'whole number of 1-1000'],
    [['cron', 'explain', '* * * * *', '--from', 'tomorrow'], '--from must be'],
    [['crom'], "unknown command 'crom'"],
    [['cron', 'next', '0 9 * * *'], "unknown command 'next'. Of cron there is: explain."],
    [['jobs', 'Import'], 'Of jobs there is: show, occurrences.'],
    [['frobnicate'], 'pontual --help lists all.'],
  ])('refuses %j', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message)
  })
})

describe('pontual simulate', () => {
  const OUTAGE = ['--outage', '2026-03-02T10:00:30Z/2026-03-02T10:10:30Z']

  it('shows each policy as a picture and in numbers', async () => {
    const output = await run('simulate', '--cron', '* * * * *', ...OUTAGE)
    expect(output).toMatch(/^fireAll +[ |.]+#[ |]+10 runs$/m)
    expect(output).toMatch(/fireOnce +10 +1 +9 +0 +0 +Mon 2026-03-02 10:11:00/)
  })

  it('draws when the outage begins and ends above what was missed', async () => {
    const [times = '', bar = '', first = ''] = (await run('simulate', '--cron', '* * * * *', ...OUTAGE))
      .split('\n')
      .slice(3)
    expect(times).toMatch(/2026-03-02 10:00 +2026-03-02 10:10$/)
    expect(bar.trim()).toMatch(/^\[-+ nothing fires -+\]$/)
    expect(first.indexOf('#')).toBe(bar.indexOf(']'))
  })

  it('takes a duration for an outage that is just over', async () => {
    const output = await run('simulate', '--cron', '0 * * * *', '--outage', '3h', '--json')
    expect(JSON.parse(output)).toMatchObject({
      outage: { from: '2026-03-06T21:00:00.000Z', to: '2026-03-07T00:00:00.000Z' },
    })
  })

  it('prints JSON', async () => {
    const output = await run('simulate', '--cron', '* * * * *', ...OUTAGE, '--policy', 'skipToNext', '--json')
    expect(JSON.parse(output)).toMatchObject({ policies: [{ policy: 'skipToNext', missed: 10, skipped: 10 }] })
  })

  it.each([
    [['--outage', 'yesterday'], '--outage must be two instants'],
    [['--outage', 'a/b/c'], 'or a duration that ends now'],
    [['--outage', '2026-03-02T10:10:30Z/2026-03-02T10:00:30Z'], 'must not be before'],
    [[...OUTAGE, '--policy', 'fireTwice'], 'Misfire policy must be one of'],
  ])('refuses %j', async (args, message) => {
    await expect(run('simulate', '--cron', '* * * * *', ...args)).rejects.toThrow(message)
  })
})

it('without a command, sample jobs and an outage are shown', () => {
  const terminal = testTerminal({ now: NOW })
  showOverview(terminal)
  const output = terminal.lines.join('')
  expect(output).toContain('import-invoices')
  expect(output).toContain('pontual cron explain')
})

it('what is late by less than its threshold was due, and is not missed', () => {
  const terminal = testTerminal({ now: Date.parse('2026-03-07T06:00:00Z') })
  showOverview(terminal)
  const output = terminal.lines.join('')
  expect(output).toMatch(/\nimport-invoices +fireOnce +nothing was missed: /)
  expect(output).toMatch(/\nclose-month +\w+ +nothing was due\n/)
})
