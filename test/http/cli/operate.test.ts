import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { tellChanges } from '../../../src/cli/follow/await-execution.ts'
import type { ExecutionDetailView } from '../../../src/service/execution-view.ts'
import { HOSTILE, type Operated, OperatedService, operate, tokenOf } from './operated-service.ts'
import { testTerminal } from './test-terminal.ts'

let service: OperatedService
beforeAll(async () => {
  service = await new OperatedService().start()
})
afterAll(() => service?.stop())

/** What somebody of the service's tenant sees. */
const as =
  (user: string, profile?: string) =>
  (args: readonly string[], around: { columns?: number; isInteractive?: boolean } = {}) =>
    operate([...args, '--zone', 'UTC'], {
      ...around,
      environment: { PONTUAL_URL: service.url, PONTUAL_TOKEN: tokenOf(user, profile) },
    })
const ana = as('ana')
const json = ({ output }: Operated) => JSON.parse(output) as Record<string, never>
const idIn = ({ output }: Operated) => output.trim()
const STEERING = /(?!\n)\p{Cc}|\u202e/u

describe('pontual jobs', () => {
  it('shows status, schedule, when a job fires next and how it went last', async () => {
    for (const name of ['Two words', 'Break']) await ana(['run', name, '--wait'])
    const { output, exitCode } = await ana(['jobs'])
    expect(exitCode).toBe(0)
    expect(output).toMatch(/^JOB +STATUS +SCHEDULE +NEXT +NEXT AT +LAST +TYPE\n/)
    expect(output).toMatch(/\nBreak +FAULTED +0 0 1 1 \* UTC +- +- +FAILED .* +break\n/)
    expect(output).toMatch(
      /\nTwo words +ACTIVE +0 0 1 1 \* UTC +in \d+ d +\w{3} \d{4}-01-01 00:00:00 \+00:00 +SUCCESS .* +import\n/,
    )
  })

  it('fits the terminal, and leaves out first what is missed least', async () => {
    for (const columns of [120, 80, 50]) {
      const { output } = await ana(['jobs'], { columns, isInteractive: true })
      for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
      expect(output).toContain('STATUS')
    }
  })

  it.each<[string[], string[]]>([
    [['--status', 'paused,active', '--search', 'Two'], ['Two words']],
    [['--type', 'break'], ['Break']],
    [['--sort', '-name', '--limit', '1'], ['Wait']],
    [['--priority', 'high'], []],
  ])('takes %j', async (args, names) => {
    const { items } = json(await ana(['jobs', '--json', ...args])) as unknown as { items: { name: string }[] }
    expect(items.map(({ name }) => name)).toEqual(names)
  })

  it('shows one, by its name in either case or its id', async () => {
    const shown = await ana(['jobs', 'show', 'two words'])
    expect(shown.output).toContain('0 0 1 1 *, UTC: At 00:00')
    const { id } = json(await ana(['jobs', 'show', 'Two words', '--json']))
    expect(json(await ana(['jobs', 'show', String(id), '--json']))).toMatchObject({ name: 'Two words' })
  })

  it.each([
    ['imports', 6, 'Several jobs are called "imports", but for the case of letters: '],
    ['Impor', 5, 'There is no job "Impor". There is "IMPORTS", "Import", "Imports".'],
    ['Braek', 5, 'There is no job "Braek". Did you mean "Break"?'],
    ['say "so"', 5, 'There is no job "say \\"so\\""'],
    ['01890000-0000-7000-8000-000000000000', 5, 'There is no job "01890000-0000-7000-8000-000000000000".'],
  ])('does not guess what %j is', async (name, exitCode, message) => {
    expect(await ana(['jobs', 'show', name])).toMatchObject({
      exitCode,
      error: expect.stringContaining(message) as string,
    })
  })
})

describe('pontual run', () => {
  it('prints the id of the execution', async () => {
    const { output, notes } = await ana(['run', 'Import'])
    expect(output).toMatch(/^[0-9a-f-]{36}\n$/)
    expect(notes).toContain('Import is asked to run')
  })

  it('waits, shows the log, and ends as the execution does', async () => {
    const done = await ana(['run', 'Import', '--input', '{"month":3}', '--wait'])
    expect(done).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(
        /INFO +importing \{"input":\{"month":3\}\}\n[\s\S]*SUCCESS after \d+ ms\n$/,
      ) as string,
    })
    const failed = await ana(['run', 'Break', '--wait'])
    expect(failed).toMatchObject({ exitCode: 1, error: expect.stringContaining('Break is FAILED: bad news') as string })
  })

  it('prints one document with --wait, and a line for each line of the log with --follow', async () => {
    expect(json(await ana(['run', 'Import', '--wait', '--json']))).toMatchObject({
      status: 'SUCCESS',
      output: { invoices: 3 },
    })
    const { output } = await ana(['run', 'Import', '--follow', '--json'])
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toMatchObject([
      { line: { message: 'importing' } },
      { line: { message: HOSTILE } },
      { execution: { status: 'SUCCESS' } },
    ])
  })

  it('tells whoever waits why an attempt has failed', async () => {
    const id = idIn(await ana(['run', 'Flaky']))
    const execution = await vi.waitFor(async () => {
      const shown = json(await ana(['executions', 'show', id, '--json'])) as unknown as ExecutionDetailView
      expect(shown.nextRetryAt).not.toBeNull()
      return shown
    }, 10_000)
    const terminal = testTerminal()
    tellChanges(terminal)(execution)
    expect(terminal.notes).toEqual(['Attempt 1 failed: The mail server does not answer. It is tried again.\n'])
  })

  it('gives the same execution for the same key', async () => {
    const first = await ana(['run', 'Import', '--key', 'once'])
    const second = await ana(['run', 'Import', '--key', 'once'])
    expect(idIn(second)).toBe(idIn(first))
  })

  it('waits for somebody who may not see logs', async () => {
    const token = tokenOf('eva', 'Admin', ['jobs:read', 'jobs:execute', 'jobs:viewHistory'])
    const environment = { PONTUAL_URL: service.url, PONTUAL_TOKEN: token }
    const { output, exitCode } = await operate(['run', 'Import', '--wait'], { environment })
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/^SUCCESS after \d+ ms\n$/)])
  })

  it('runs a job type without a job', async () => {
    const done = await ana(['run', '--type', 'report', '--input', '{"year":2026}', '--wait'])
    expect(done).toMatchObject({ exitCode: 0, output: expect.stringMatching(/SUCCESS after \d+ ms\n$/) as string })
    expect(done.notes).toContain('report is asked to run')
    const failed = await ana(['run', '--type', 'crash', '--wait'])
    expect(failed).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining('crash is FAILED: out of paper') as string,
    })
    const id = idIn(await ana(['run', '--type', 'report', '--input', '{"year":2027}']))
    expect(json(await ana(['executions', 'show', id, '--json']))).toMatchObject({ jobId: null, jobType: 'report' })
    expect(await ana(['retry', id])).toMatchObject({
      error: expect.stringContaining("has no job, so it can't be retried") as string,
    })
  })

  it.each([
    [['--type', 'reprot'], 2, 'Did you mean "report"?'],
    [['--type', 'import'], 4, 'Job type "import" is not declared enqueueable'],
    [['--type', 'delete'], 4, 'Job type "delete" is sensitive'],
    [['--type', 'report'], 2, '\n  --input: '],
    [['--type', 'report', '--input', '{"year":"x"}'], 2, '\n  --input/year: '],
    [['Import', '--type', 'report'], 2, 'got both'],
    [[], 2, 'got neither'],
  ])('does not run %j', async (args, exitCode, message) => {
    expect(await ana(['run', ...args])).toMatchObject({
      exitCode,
      error: expect.stringContaining(message) as string,
    })
  })

  it.each([
    [['--input', '{bad'], 2, '--input must be JSON'],
    [['--input', '@/no/such/file'], 2, '--input: "/no/such/file" cannot be read'],
    [['--at', 'soon'], 2, '--at must be a duration'],
    [['--priority', 'hihg'], 2, 'Did you mean HIGH?'],
    [['--input', '{"invoice":1,"x":1}'], 2, '\n  --input: Unrecognized key: "x"'],
    [['--input', '{"invoice":"1"}'], 2, '\n  --input/invoice: '],
  ])('refuses %j', async (args, exitCode, message) => {
    expect(await ana(['run', 'Send', ...args])).toMatchObject({
      exitCode,
      error: expect.stringContaining(message) as string,
    })
  })
})

describe('pontual executions', () => {
  it('filters by job, status and time', async () => {
    const id = idIn(await ana(['run', 'Break']))
    await service.app.waitFor(id)
    const { output } = await ana(['executions', '--job', 'break', '--status', 'failed', '--since', '2h'])
    expect(output).toMatch(/^EXECUTION +JOB +STATUS +AGE +CREATED +TOOK +TRY +ERROR\n/)
    expect(output).toMatch(new RegExp(`${id} +Break +FAILED`))
    expect(await ana(['executions', '--job', 'Break', '--since', '2h', '--until', '1h'])).toMatchObject({
      output: '',
      notes: 'No executions are found.\n',
    })
    expect(await ana(['executions', '--since', 'monday'])).toMatchObject({ exitCode: 2 })
  })

  it('shows one by its id, or the last one of a job', async () => {
    const id = idIn(await ana(['run', 'Break']))
    await service.app.waitFor(id)
    for (const named of [id, 'Break']) {
      const { output } = await ana(['executions', 'show', named])
      expect(output).toMatch(new RegExp(`execution +${id}`))
      expect(output).toMatch(/\n +1 +FAILED /)
    }
  })
})

describe('what jobs say', () => {
  it.each([
    [['logs', 'Import']],
    [['logs', 'Import', '--json']],
    [['run', 'Import', '--wait']],
    [['executions', '--status', 'FAILED']],
    [['executions', 'show', 'Break']],
    [['executions', 'show', 'Break', '--json']],
    [['jobs', 'show', 'Break']],
    [['run', 'Break', '--wait']],
  ])('does not steer the terminal: %j', async (args) => {
    const { output, notes } = await ana(args)
    expect(output + notes).not.toMatch(STEERING)
  })

  it('does not pass for a line of its own', async () => {
    const { output } = await ana(['logs', 'Import'])
    expect(output).toContain('WARN  bad news\\u{202e}\n    2026-01-01 00:00:00.000 +00:00 INFO  forged\n')
  })
})

describe('pontual logs', () => {
  it('shows from a level on', async () => {
    const { output } = await ana(['logs', 'Import', '--level', 'warn'])
    expect(output).toContain('bad news')
    expect(output).not.toContain('importing')
  })

  it('ends with what went wrong, and where more is told', async () => {
    const id = idIn(await ana(['run', 'Break']))
    await service.app.waitFor(id)
    const { notes } = await ana(['logs', id])
    expect(notes).toMatch(
      new RegExp(`\\nFAILED after .+\\nbad news.+ More about it: pontual executions show ${id}\\n$`),
    )
  })

  it('follows an execution to its end', async () => {
    const id = idIn(await ana(['run', 'Import']))
    const { output, notes } = await ana(['logs', id, '--follow'])
    expect(output).toContain('importing')
    expect(notes).toMatch(/SUCCESS after \d+ ms\n$/)
  })
})

describe('pontual retry and cancel', () => {
  it('who waits for a run that somebody cancels is told so', async () => {
    const waiting = ana(['run', 'Wait', '--wait', '--json'])
    await vi.waitFor(async () => expect((await ana(['cancel', 'Wait'])).exitCode).toBe(0), 10_000)
    const ended = await waiting
    expect([ended.exitCode, json(ended)['status']]).toEqual([1, 'CANCELLED'])
    expect(ended.error).toContain('Wait is CANCELLED')
  })

  it('tries the last failure of a job again', async () => {
    const failed = idIn(await ana(['run', 'Break']))
    await service.app.waitFor(failed)
    const { executionId } = json(await ana(['retry', 'Break', '--json']))
    expect(await service.app.waitFor(String(executionId))).toMatchObject({ options: { retryOf: failed } })
    expect(await ana(['retry', 'Two words'])).toMatchObject({ exitCode: 6 })
  })

  it('promises no more of a durable one than its code undoes', async () => {
    const id = idIn(await ana(['run', 'Sleep']))
    await vi.waitFor(async () => {
      expect(json(await ana(['executions', 'show', id, '--json']))).toMatchObject({ status: 'WAITING' })
    }, 10_000)
    expect((await ana(['cancel', 'Sleep'])).output).toBe(
      `${id} is being cancelled: it ends itself, and undoes what its code has a compensation for.\n`,
    )
    expect(await service.app.waitFor(id)).toMatchObject({ status: 'CANCELLED' })
    const shown = await ana(['executions', 'show', id, '--json'])
    expect(json(shown)).toMatchObject({ recommendedAction: null })
  })

  it('cancels what is meant, and not more', async () => {
    expect(await ana(['cancel', 'Wait'])).toMatchObject({
      exitCode: 6,
      error: expect.stringContaining('nothing to cancel') as string,
    })
    const [one, other] = [idIn(await ana(['run', 'Wait'])), idIn(await ana(['run', 'Wait']))]
    expect(await ana(['cancel', 'Wait'])).toMatchObject({
      exitCode: 6,
      error: expect.stringContaining('2 executions of job "Wait" have not ended') as string,
    })
    expect((await ana(['cancel', one, '--reason', 'no more'])).output).toBe(`${one} is cancelled.\n`)
    expect(json(await ana(['cancel', 'Wait', '--json']))).toEqual({ cancelled: [other], cancelling: [] })
    expect(await ana(['cancel', one])).toMatchObject({ exitCode: 6 })
  })
})

describe('pontual pause and resume', () => {
  it('holds a job for a time', async () => {
    expect((await ana(['pause', 'Two words', '--until', '2h', '--reason', 'closed'])).output).toMatch(
      /^Two words is paused, until \w{3} /,
    )
    expect((await ana(['jobs', 'show', 'Two words'])).output).toMatch(/status +PAUSED: closed, until /)
    expect((await ana(['resume', 'Two words'])).output).toMatch(/^Two words is ACTIVE and fires next: /)
  })
})

describe('pontual approve and reject', () => {
  const bia = as('bia')

  it('is for a second person, who says yes to what he has seen', async () => {
    const job = { name: 'Delete', jobType: 'delete', cronExpression: '0 0 1 1 *' }
    await fetch(`${service.url}/api/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf('ana')}`, 'content-type': 'application/json' },
      body: JSON.stringify(job),
    })
    const { output } = await bia(['jobs', 'show', 'Delete'])
    const [, version = ''] = /pontual approve Delete --if-version (\d+)/.exec(output) ?? []
    expect(output).toContain("It waits for a second person's yes, asked for by ana")
    expect(await ana(['approve', 'Delete'])).toMatchObject({ exitCode: 4 })
    expect(await bia(['approve', 'Delete', '--if-version', '99'])).toMatchObject({ exitCode: 6 })
    expect((await bia(['reject', 'Delete', '--comment', 'not yet'])).exitCode).toBe(0)
    expect(await bia(['approve', 'Delete', '--if-version', version])).toMatchObject({ exitCode: 6 })
  })

  it('needs a reason for a no', async () => {
    expect(await bia(['reject', 'Delete'])).toMatchObject({
      exitCode: 2,
      error: expect.stringContaining('--comment') as string,
    })
  })
})

describe('pontual settings', () => {
  const bia = as('bia')

  it('lets a second Admin decide about a looser approval rule', async () => {
    await fetch(`${service.url}/api/jobs/settings`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${tokenOf('ana')}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allowsSelfApproval: true }),
    })
    const { output } = await bia(['settings'])
    expect(output).toMatch(/^Self-approval is forbidden .*\nana requested at /)
    const [, version = ''] = /pontual settings approve --if-version (\d+)/.exec(output) ?? []
    expect(await ana(['settings', 'approve'])).toMatchObject({ exitCode: 4 })
    expect(await bia(['settings', 'approve', '--if-version', '99'])).toMatchObject({ exitCode: 6 })
    expect(await bia(['settings', 'reject'])).toMatchObject({ exitCode: 2 })
    expect((await bia(['settings', 'approve', '--if-version', version])).output).toMatch(/^Self-approval is allowed /)
    expect(await bia(['settings', 'reject', '--comment', 'late'])).toMatchObject({ exitCode: 6 })
  })
})

describe('whoever asks', () => {
  it.each([
    [{ PONTUAL_TOKEN: 'nonsense' }, 4, 'set PONTUAL_TOKEN or PONTUAL_API_KEY'],
    [{}, 4, 'set PONTUAL_TOKEN or PONTUAL_API_KEY'],
    [{ PONTUAL_TOKEN: 'a', PONTUAL_API_KEY: 'b' }, 2, 'are both set'],
    [{ PONTUAL_TOKEN: 'a\nb' }, 2, 'PONTUAL_TOKEN must be letters'],
  ])('has to show it: %j', async (environment: Record<string, string>, exitCode, message) => {
    const asked = await operate(['jobs', '--url', service.url], { environment })
    expect(asked).toMatchObject({ exitCode, error: expect.stringContaining(message) as string })
  })

  it('is told what he may not do', async () => {
    expect(await as('mara', 'Manager')(['run', 'Import'])).toMatchObject({
      exitCode: 4,
      error: expect.stringContaining('jobs:execute') as string,
    })
  })
})
