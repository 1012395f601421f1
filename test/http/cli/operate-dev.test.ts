import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PONTUAL, RunningProgram } from './command.ts'

const run = (...args: string[]) => new RunningProgram([PONTUAL, ...args]).ended

it('the `pontual dev` of a directory is found there', { timeout: 120_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pontual-operate-'))
  const data = join(directory, 'kept')
  try {
    await using dev = new RunningProgram([PONTUAL, 'dev', '--demo', '--data', data, '--port', '0'])
    await dev.until(/Ctrl\+C ends it/)
    const ran = await run('run', 'ClearCache', '--wait', '--json', '--data', data)
    expect(JSON.parse(ran.output)).toMatchObject({ jobName: 'ClearCache', status: 'SUCCESS', executedBy: 'dev' })
    expect(ran).toMatchObject({ code: 0, errors: '' })
    const examined = await run('doctor', '--data', data)
    expect(examined).toMatchObject({ code: 0, errors: '' })
    expect(examined.output).toMatch(/\n- +database +pontual dev \(process \d+\) has it open/)
    expect(examined.output).toMatch(/\nok +service +answers at http:\/\/127\.0\.0\.1:\d+\nok +nodes +1 alive/)
    expect(examined.output).not.toContain('remove')
    await dev.stop('SIGKILL')
    const away = await run('jobs', '--data', data)
    expect(away).toMatchObject({ code: 3, errors: expect.stringContaining('There is no service to ask') as string })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
})

describe('what went wrong', () => {
  it.each<[string[], number, object]>([
    [['jobs', '--statuz', 'x'], 2, { code: 'usage.unknown_option' }],
    [['jobs', '--url', 'http://127.0.0.1:9'], 3, { code: 'client.unreachable' }],
  ])('is told as JSON where that is asked for: %j', async (args, code, error) => {
    const ended = await run(...args, '--json')
    expect(JSON.parse(ended.errors)).toMatchObject({ error })
    expect(ended).toMatchObject({ code, output: '' })
  })
})
