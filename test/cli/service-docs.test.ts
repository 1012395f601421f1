import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../postgres/database.ts'
import { ON_SOURCES, PONTUAL, RunningProgram } from './command.ts'

const PAGE = new URL('../../docs/service.md', import.meta.url)
const SECRET = 'a secret of this test that is long enough to be one'
const LIMIT = { timeout: 60_000 }

/** Every command has to succeed, and every request to be answered with what was asked for. */
const PRELUDE = `
set -euo pipefail
curl() {
  if [[ " $* " == *" -N "* ]]; then
    # What never ends is read until something has come.
    read -r line < <(command curl -sS "$@" 2> /dev/null)
  else
    command curl -sS --fail-with-body "$@"
  fi
}
npx() { shift; "$NODE" --import "$SOURCES" "$PONTUAL" "$@"; }
`

/** The commands in a section of the page, but those that start a server. */
async function commandsOf(section: string): Promise<string[]> {
  const page = await readFile(PAGE, 'utf8')
  const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, commands = '']) => commands)
    .filter((commands) => !/^npx pontual (dev|start)/m.test(commands))
}

/** Runs commands as somebody would who pastes them. */
async function paste(commands: readonly string[], url: string, environment: Readonly<Record<string, string>> = {}) {
  const script = [PRELUDE, ...commands].join('\n').replaceAll('http://127.0.0.1:3000', url)
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NODE: process.execPath, SOURCES: ON_SOURCES[1] ?? '', PONTUAL, ...environment }
  const shell = spawn('bash', ['-c', script], { cwd: directory, env })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (data) => {
      output += String(data)
    })
  }
  const code = await new Promise((resolve) => shell.once('close', resolve))
  return { code, output }
}

function hasShell(): boolean {
  const isThere = ['bash', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0)
  if (!isThere) process.stderr.write('\nSKIPPED: the commands of docs/service.md, which need bash and curl\n')
  return isThere
}

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pontual-service-docs-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe.skipIf(!hasShell())('the commands of docs/service.md', () => {
  it('work against pontual dev, in the order in which they stand there', LIMIT, async () => {
    await using running = new RunningProgram([PONTUAL, 'dev', '--memory', '--port', '0'])
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await running.until(/Ctrl\+C ends it/)) ?? []
    const commands = [...(await commandsOf('Try it')), ...(await commandsOf('How it answers'))]
    expect(commands.length).toBeGreaterThanOrEqual(5)
    expect(await paste(commands, url)).toMatchObject({ code: 0 })
    expect(await paste(['curl http://127.0.0.1:3000/api/jobs/nobody'], url)).toMatchObject({ code: 22 })
    await running.stop()
  })

  describe.skipIf(isPostgresSkipped())('on PostgreSQL', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase()
    })
    afterAll(() => database?.drop())

    it('work against pontual start: a token, a key, the audit log', LIMIT, async () => {
      const environment = { DATABASE_URL: database.url, PONTUAL_JWT_SECRET: SECRET }
      await using running = new RunningProgram([PONTUAL, 'start'], {
        ...environment,
        PONTUAL_PORT: '0',
        PONTUAL_LOG: 'silent',
      })
      const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await running.until(/listens on/)) ?? []
      const commands = [...(await commandsOf('Who asks, and what he may do')), ...(await commandsOf('The audit log'))]
      expect(commands.length).toBeGreaterThanOrEqual(3)
      expect(await paste(commands, url, environment)).toMatchObject({
        code: 0,
        output: expect.stringMatching(/"secret":"pk_.*acme +1 {2}intact/s) as unknown,
      })
      await running.stop()
    })
  })
})
