import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Env, eventLoopTurn, systemEnv } from '../../clock.ts'
import type { ExecutionView } from '../../engine/app/executions.ts'
import { validate } from '../../job/type/standard-schema.ts'
import { type Pontual, pontual } from '../../pontual.ts'
import { memory } from '../../store/memory/memory.ts'
import { type CommandRunOptions, commandRun } from './command-run.ts'

const NODE = process.execPath
let directory = ''

beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'pontual-command-')))
  // Starts another one that hears no request to end, tells both ids, and waits.
  const child = `process.on('SIGTERM', () => {}); console.log('child', process.pid); setInterval(() => {}, 1000)`
  await writeFile(
    join(directory, 'stubborn.mjs'),
    `import { spawn } from 'node:child_process'
     process.on('SIGTERM', () => console.log('asked to end'))
     spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })
     console.log('parent', process.pid)`,
  )
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function withApp<Answer>(
  options: Partial<CommandRunOptions>,
  use: (app: Pontual, run: (input: unknown) => Promise<string>) => Promise<Answer>,
): Promise<Answer> {
  const type = commandRun({ programs: [NODE], directory, ...options })
  await using app = pontual({ store: memory(), jobs: [type], defaultRetry: { retries: 0 }, logger: 'silent' })
  await app.start()
  return await use(app, async (input) => (await app.enqueue(type, input)).id)
}

/** How one execution ends, and what it printed. */
async function run(
  input: unknown,
  options: Partial<CommandRunOptions> = {},
): Promise<ExecutionView & { lines: string[] }> {
  return await withApp(options, async (app, start) => {
    const execution = await app.waitFor(await start(input))
    const lines: string[] = []
    for await (const { level, message } of app.logs(execution.id)) lines.push(`${level} ${message}`)
    return { ...execution, lines: lines.sort((a, b) => a.localeCompare(b)) }
  })
}

const node = (script: string, ...rest: string[]) => ({ program: NODE, arguments: ['-e', script, ...rest] })

describe('command.run', () => {
  it('runs a program and keeps what it prints', async () => {
    const script = `console.log('\\x1b[31mr\\x1b]8;;http://e\\x07e\\x00d\\x1b[0m'); console.error('bad'); console.log(process.cwd())`
    expect(await run(node(script))).toMatchObject({
      status: 'SUCCESS',
      output: { exitCode: 0, lines: 3 },
      lines: [`info ${directory}`, 'info red', 'warn bad'].sort((a, b) => a.localeCompare(b)),
    })
  })

  it('hands on arguments as they are: there is no shell', async () => {
    const hostile = ['$(id)', '; rm -rf /', '`id`', '| cat', '*', '']
    const { lines } = await run(node('console.log(JSON.stringify(process.argv.slice(1)))', ...hostile))
    expect(lines).toEqual([`info ${JSON.stringify(hostile)}`])
  })

  it('gives it nothing of our environment', async () => {
    const { lines } = await run(node('console.log(Object.keys(process.env).sort().join())'))
    expect(lines).toEqual(['info LANG,PATH'])
    const own = await run(node('console.log(process.env.A)'), { environment: { A: 'given' } })
    expect(own.lines).toEqual(['info given'])
  })

  it('fails with the code of the program', async () => {
    expect(await run(node('process.exit(3)'))).toMatchObject({
      status: 'FAILED',
      error: { code: 'command.failed', message: `${NODE} ended with code 3.` },
    })
  })

  it('tells that a program is not there, and does not try again', async () => {
    const program = join(directory, 'none')
    expect(await run({ program }, { programs: [program] })).toMatchObject({
      error: { name: 'NonRetryableError', message: `${program} could not be started: ENOENT.` },
    })
  })

  it('is only for the tenants it is meant for', async () => {
    expect(await run(node(''), { tenants: ['another'] })).toMatchObject({
      error: { message: 'This tenant may not run programs.' },
    })
  })
})

describe('a program that is cancelled', () => {
  it('is asked to end, then killed with all that it has started', async () => {
    const graces: (() => void)[] = []
    const env: Env = {
      ...systemEnv,
      after: (delayMs, call) => {
        if (delayMs !== 5_000) return systemEnv.after(delayMs, call)
        graces.push(call)
        return () => {}
      },
    }
    await withApp({ env }, async (app, start) => {
      const id = await start({ program: NODE, arguments: ['stubborn.mjs'] })
      const pids: number[] = []
      for await (const { message } of app.logs(id, { follow: true })) {
        pids.push(Number(message.split(' ')[1]))
        if (pids.length === 2) break
      }
      await app.cancel(id, 'enough')
      while (graces.length === 0) await eventLoopTurn()
      expect(pids.map(isAlive)).toEqual([true, true])
      for (const end of graces) end()
      while (pids.some(isAlive)) await eventLoopTurn()
      expect(await app.waitFor(id)).toMatchObject({ status: 'CANCELLED' })
    })
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('what is refused', () => {
  it.each([
    ['/bin/other', 'program_forbidden'],
    ['node', 'program_forbidden'],
    [`${NODE} -e 1`, 'program_forbidden'],
    [`${NODE}/../sh`, 'program_forbidden'],
  ])('when a job is created: the program %s', async (program, code) => {
    const { schema } = commandRun({ programs: [NODE] })
    await expect(validate(schema!, { program }, 'payload')).rejects.toMatchObject({ details: { issues: [{ code }] } })
  })

  it.each([
    { program: NODE, arguments: 'text' },
    { program: NODE, arguments: ['a\0b'] },
    { program: NODE, shell: true },
    { program: NODE, environment: { LD_PRELOAD: 'x' } },
  ])('when a job is created: %j', async (input) => {
    await expect(validate(commandRun({ programs: [NODE] }).schema!, input, 'payload')).rejects.toThrow('is invalid')
  })

  it.each(['/bin/sh', '/usr/bin/bash', '/usr/bin/env', 'ls', './ls', '/usr/bin/../bin/ls', '/usr/bin/sudo'])(
    'when it is enabled: the program %s',
    (program) => {
      expect(() => commandRun({ programs: [program] })).toThrow(/^programs must/)
    },
  )
})
