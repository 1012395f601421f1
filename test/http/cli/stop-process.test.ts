import { appendFileSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { PONTUAL, RunningProgram } from './command.ts'
import { DevProject } from './dev-project.ts'

/** Real processes, real signals and a real server: starting them takes a while on a busy machine. */
const LIMIT = { timeout: 90_000 }
const SECRET = 'a secret of this test that is long enough to be one'

const LEASE = `
select
  leases.attempt,
  leases.is_unspent,
  nodes.expires_at < now() + interval '2.5 seconds' as is_short
from pontual.leases
join pontual.nodes on nodes.id = leases.node_id
where execution_id = $1::uuid`

/** Each handler appends its execution and its process to a file when it starts, and what it does to the end of its process. */
const JOBS = `
import { appendFileSync } from 'node:fs'
import { job } from 'pontual'

const note = (what, { executionId }) => appendFileSync(process.env.NOTES, what + ' ' + executionId + ' ' + process.pid + '\\n')

export const deaf = job('deaf', {
  run: (_input, context) => {
    note('started', context)
    return new Promise(() => setInterval(() => note('working', context), 100))
  },
})
export const blocking = job('blocking', {
  run: async (_input, context) => {
    note('started', context)
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve))
    for (;;);
  },
})
export const isolated = job('isolated', {
  isolate: 'process',
  run: (_input, { executionId }) => {
    process.getBuiltinModule('node:fs').appendFileSync(process.env.NOTES, 'started ' + executionId + ' ' + process.pid + '\\n')
    return new Promise(() => setInterval(() => {}, 100))
  },
})
export const obedient = job('obedient', {
  run: (_input, context) => {
    note('started', context)
    return new Promise((_resolve, reject) => {
      context.signal.addEventListener('abort', () => reject(context.signal.reason))
    })
  },
})
`

const LIBRARY = `
import { job, pontual } from 'pontual'
import { postgres } from 'pontual/postgres'
import { deaf, obedient } from './jobs.mjs'

const app = pontual({ store: postgres(process.env.DATABASE_URL), jobs: [deaf, obedient], shutdownGrace: '500ms', logger: 'silent' })
await app.start()
await app.enqueue(deaf)
process.once('SIGTERM', async () => {
  const began = performance.now()
  const left = await app.stop()
  console.log('stopped after ' + Math.round(performance.now() - began) + ' ' + JSON.stringify(left))
})
console.log('ready')
`

describe.skipIf(isPostgresSkipped())('a process that is told to stop', () => {
  let database: TestDatabase
  let project: DevProject
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())
  beforeEach(async () => {
    project = await DevProject.open({ 'jobs.mjs': JOBS, 'library.mjs': LIBRARY })
    return () => project[Symbol.asyncDispose]()
  })

  const environment = () => ({
    DATABASE_URL: database.url,
    PONTUAL_JWT_SECRET: SECRET,
    PONTUAL_PORT: '0',
    PONTUAL_LOG: 'warn',
    NOTES: join(project.directory, 'notes'),
  })
  const configured = async (config: object) => {
    const text = `export default ${JSON.stringify({ jobs: ['jobs.mjs'], staleCheckInterval: '500ms', ...config })}`
    await project.write('pontual.config.mjs', text)
  }
  const start = async (more: Record<string, string> = {}) => {
    const program = new RunningProgram([PONTUAL, 'start'], { ...environment(), ...more }, project.directory)
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(await program.until(/listens on/)) ?? []
    return { program, url }
  }
  const run = async (type: string) => {
    const text = `
import { pontual } from 'pontual'
import { postgres } from 'pontual/postgres'
const app = pontual({ store: postgres(process.env.DATABASE_URL), logger: 'silent' })
console.log((await app.enqueue(${JSON.stringify(type)})).id)
await app.stop()
`
    await project.write('enqueue.mjs', text)
    const { output } = await new RunningProgram(
      [join(project.directory, 'enqueue.mjs')],
      environment(),
      project.directory,
    ).ended
    return output.trim()
  }
  const notes = async () => {
    await appendFile(join(project.directory, 'notes'), '')
    return (await readFile(join(project.directory, 'notes'), 'utf8')).split('\n').filter((line) => line !== '')
  }
  const untilStarted = async (id: string, times = 1) => {
    const starts = async () => (await notes()).filter((line) => line.startsWith(`started ${id}`))
    await expect.poll(starts, { timeout: 30_000, interval: 50 }).toHaveLength(times)
    return await starts()
  }
  const stateOf = async (id: string) => {
    const client = new pg.Client(database.url)
    await client.connect()
    try {
      return (await client.query<object>(LEASE, [id])).rows
    } finally {
      await client.end()
    }
  }

  it(
    'with a handler that ignores its signal: ends by itself within grace + 5 s, with its own exit code',
    LIMIT,
    async () => {
      await configured({ shutdownGrace: '1s', server: { shutdownDelay: 0 } })
      const { program } = await start()
      const id = await run('deaf')
      await untilStarted(id)
      const began = performance.now()
      const { code, errors } = await program.stop()
      const tookMs = performance.now() - began
      expect(code).toBe(7)
      expect(errors).toContain(id)
      expect(tookMs).toBeGreaterThan(1_000)
      expect(tookMs).toBeLessThan(6_000)

      // It was not handed back: its lease ends soon, and until then nobody else may run it.
      expect(await stateOf(id)).toMatchObject([{ attempt: 1, is_unspent: true, is_short: true }])
      const { program: next } = await start()
      const [first = '', second = ''] = await untilStarted(id, 2)
      expect(first).not.toBe(second)
      expect(await stateOf(id)).toMatchObject([{ attempt: 1, is_unspent: false }])
      const lines = await notes()
      const firstPid = first.split(' ')[2] ?? ''
      const lastOfFirst = lines.findLastIndex((line) => line.endsWith(` ${firstPid}`))
      expect(lines.indexOf(second)).toBeGreaterThan(lastOfFirst)
      next.child.kill('SIGKILL')
      await next.ended
    },
  )

  it(
    'with a handler that blocks the event loop: is killed at grace + 5 s, and its attempt does not count',
    LIMIT,
    async () => {
      await configured({ shutdownGrace: '1s', server: { shutdownDelay: 0 } })
      const { program } = await start()
      const id = await run('blocking')
      await untilStarted(id)
      const began = performance.now()
      expect(await program.stop()).toMatchObject({ code: null })
      expect(program.child.signalCode).toBe('SIGKILL')
      expect(performance.now() - began).toBeLessThan(6_500)
      expect(await stateOf(id)).toMatchObject([{ attempt: 1, is_unspent: true, is_short: true }])
      const { program: next } = await start()
      await untilStarted(id, 2)
      expect(await stateOf(id)).toMatchObject([{ attempt: 1, is_unspent: false }])
      await next.stop('SIGKILL')
    },
  )

  it.each(['obedient', 'isolated'])(
    'with a handler that is %s: hands back and ends with code 0',
    LIMIT,
    async (type) => {
      await configured({ shutdownGrace: '300ms', server: { shutdownDelay: 0 } })
      const { program } = await start()
      const id = await run(type)
      await untilStarted(id)
      expect(await program.stop()).toMatchObject({ code: 0 })
      expect(await stateOf(id)).toEqual([])
    },
  )

  it('twice: ends at once', LIMIT, async () => {
    await configured({ shutdownGrace: '60s', server: { shutdownDelay: 0 } })
    const { program } = await start()
    const id = await run('obedient')
    await untilStarted(id)
    program.child.kill('SIGTERM')
    await program.until(/Stopping/)
    const began = performance.now()
    expect(await program.stop('SIGTERM')).toMatchObject({ code: 143 })
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  it('is not ready at once, and serves for its delay', LIMIT, async () => {
    await configured({ shutdownGrace: '10s', server: { shutdownDelay: '2s' } })
    const { program, url } = await start()
    const ready = async () => (await fetch(`${url}/readyz`)).status
    expect(await ready()).toBe(200)
    const began = performance.now()
    program.child.kill('SIGTERM')
    await program.until(/Stopping/)
    expect(await ready()).toBe(503)
    expect((await fetch(`${url}/livez`)).status).toBe(200)
    expect((await fetch(`${url}/api/jobs`)).status).toBe(401)
    const late = await run('obedient')
    expect(await program.ended).toMatchObject({ code: 0 })
    const tookMs = performance.now() - began
    expect(tookMs).toBeGreaterThan(1_900)
    expect(tookMs).toBeLessThan(7_000)
    expect((await notes()).filter((line) => line.includes(late))).toEqual([])
  })

  it('as a library: resolves with the handlers that still run, and does not end the process', LIMIT, async () => {
    const program = new RunningProgram([join(project.directory, 'library.mjs')], environment(), project.directory)
    await program.until(/ready/)
    await expect.poll(async () => (await notes()).length, { timeout: 30_000 }).toBeGreaterThan(0)
    program.child.kill('SIGTERM')
    const output = await program.until(/stopped after/)
    const [, tookMs, left] = /stopped after (\d+) (.*)/.exec(output) ?? []
    expect(Number(tookMs)).toBeLessThan(5_500)
    expect(JSON.parse(left ?? '')).toMatchObject([{ jobType: 'deaf', attempt: 1 }])
    const before = (await notes()).length
    appendFileSync(join(project.directory, 'notes'), 'mark\n')
    await expect.poll(async () => (await notes()).length, { timeout: 5_000 }).toBeGreaterThan(before + 1)
    expect(program.child.exitCode).toBeNull()
    program.child.kill('SIGKILL')
    await program.ended
  })
})
