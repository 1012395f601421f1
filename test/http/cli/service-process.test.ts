import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { PONTUAL, RunningProgram } from './command.ts'

const SECRET = 'a secret of this test that is long enough to be one'
/** Processes start slowly where many of them do. */
const LIMIT = { timeout: 60_000 }

const pontual = (args: readonly string[], environment: Record<string, string> = {}) =>
  new RunningProgram([PONTUAL, ...args], environment)

describe('pontual dev, in a process of its own', () => {
  it('serves until Ctrl+C, ends with code 0, and prints lines that can be pasted', LIMIT, async () => {
    await using running = pontual(['dev', '--memory', '--port', '0'])
    const greeting = await running.until(/Ctrl\+C ends it/)
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(greeting) ?? ['']
    const answer = await fetch(`${url}/api/jobs?status=PENDING_APPROVAL`)
    expect(await answer.json()).toMatchObject({
      items: [{ name: 'Block overdue accounts' }, { name: 'DeleteObsoleteData' }],
    })
    const stopping: unknown = expect.stringContaining('Stopping')
    expect(await running.stop('SIGINT')).toMatchObject({ code: 0, output: stopping })

    const lines = greeting.split('\n').filter((line) => line.startsWith('  '))
    expect(lines.length).toBeGreaterThan(4)
    // Whatever is no command is a comment.
    for (const line of lines) expect(line).toMatch(/^ {2,4}(curl .*|-H .*)\\$|^ {2,4}(curl|-d) .* # [a-z]/)
  })

  it.each<[string, readonly string[], Record<string, string>, string]>([
    ['with a Portuguese locale', [], { LANG: 'pt_BR.UTF-8' }, 'DeletarDadosObsoletos'],
    [
      'with --locale, which precedes the environment',
      ['--locale', 'en'],
      { LANG: 'pt_BR.UTF-8' },
      'DeleteObsoleteData',
    ],
  ])('%s, the demo is in that language', LIMIT, async (_name, options, environment, job) => {
    await using running = pontual(['dev', '--memory', '--port', '0', ...options], environment)
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(await running.until(/Ctrl\+C ends it/)) ?? ['']
    const answer = await fetch(`${url}/api/jobs?status=PENDING_APPROVAL`)
    expect(await answer.json()).toMatchObject({ items: [expect.anything(), { name: job }] })
    expect(await running.stop('SIGINT')).toMatchObject({ code: 0 })
  })
})

describe('pontual, told too little or wrongly', () => {
  it.each<[string, readonly string[], Record<string, string>, number, string]>([
    ['start without a secret', ['start'], { DATABASE_URL: 'postgres://db/x' }, 2, 'openssl rand -base64 48'],
    [
      'start where nothing listens',
      ['start'],
      { DATABASE_URL: 'postgres://127.0.0.1:1/x', PONTUAL_JWT_SECRET: SECRET },
      3,
      'cannot be reached',
    ],
    ['audit verify without a database', ['audit', 'verify'], {}, 2, 'is DATABASE_URL set?'],
  ])('%s: says so, and ends', LIMIT, async (_what, args, environment, code, message) => {
    const ended = await pontual(args, environment).ended
    expect(ended).toMatchObject({ code, errors: expect.stringContaining(message) as unknown })
    expect(ended.errors).not.toMatch(/^ +at /m)
  })
})

describe.skipIf(isPostgresSkipped())('pontual start and audit verify, in processes of their own', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  it('serves until SIGTERM; then its audit log is verified, and a tenant without one is not', LIMIT, async () => {
    const { url: DATABASE_URL } = database
    await using running = pontual(['start'], {
      DATABASE_URL,
      PONTUAL_JWT_SECRET: SECRET,
      PONTUAL_PORT: '0',
      PONTUAL_LOG: 'silent',
    })
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(await running.until(/listens on/)) ?? ['']
    expect((await fetch(`${url}/api/jobs`)).status).toBe(401)
    expect(await running.stop()).toMatchObject({ code: 0, errors: '' })

    expect(await pontual(['audit', 'verify'], { DATABASE_URL }).ended).toMatchObject({
      code: 0,
      // Pontual's own jobs were made.
      output: expect.stringMatching(/^default +2 {2}intact/m) as unknown,
    })
    expect(await pontual(['audit', 'verify', '--tenant', 'acmee'], { DATABASE_URL }).ended).toMatchObject({
      code: 1,
      errors: 'There is no audit log of tenant "acmee".\n',
    })
  })
})
