import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Connection } from '../../../src/cli/client/connection.ts'
import { overHttp } from '../../../src/cli/client/over-http.ts'
import { runTop, type TopOptions, watch } from '../../../src/cli/commands/top.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { type Pontual, pontual } from '../../../src/pontual.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { type Served, serve } from '../../../src/server/mount/serve.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { testTerminal } from './test-terminal.ts'

const HOSTILE = 'evil\u001b[2J\u001b]0;owned\u0007\u202e'

/** A service with a job that runs until it is let go, and one that has failed. */
let app: Pontual
let served: Served
let connection: Connection
let release = () => {}
beforeAll(async () => {
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  app = pontual({
    store: memory(),
    logger: 'silent',
    jobs: [
      job('slow', {
        run: async (_input, { progress }) => {
          progress(0.4, HOSTILE)
          await held
        },
      }),
      job('broken', {
        retry: { retries: 0 },
        run: () => {
          throw new Error(HOSTILE)
        },
      }),
    ],
  })
  const api = await createApi(app, { identity: { dev: true }, dashboard: false })
  await app.start()
  served = await serve(api, { port: 0, isLoopbackOnly: true })
  connection = overHttp({ url: served.url, credentials: {} })
  await app.enqueue('slow')
  const { id } = await app.enqueue('broken')
  await app.waitFor(id)
})
afterAll(async () => {
  release()
  await served?.close()
  await app?.stop()
})

const options: TopOptions = { interval: '100ms', once: true, json: false }
const ask = (more: Partial<TopOptions> = {}) => ({ ...options, url: served.url, ...more })

describe('pontual top --once', () => {
  it('shows nodes, what runs and what has failed, and nothing that steers the terminal', async () => {
    const terminal = testTerminal({ columns: 200 })
    await runTop(ask(), {}, terminal)
    const output = terminal.lines.join('')
    expect(output).toContain(`pontual top  ${served.url}`)
    expect(output).toMatch(/executions +1 running/)
    expect(output).toMatch(/\[\|\| +\] +1\/10 +up /)
    expect(output).toMatch(/ slow +40% .+evil\\u\{202e\}/)
    expect(output).toMatch(/1x .+ ago {2}Error: evil/)
    expect(output).not.toMatch(/(?!\n)\p{Cc}|\u202e/u)
  })

  it('prints JSON', async () => {
    const terminal = testTerminal()
    await runTop(ask({ json: true }), {}, terminal)
    expect(JSON.parse(terminal.lines.join(''))).toMatchObject({
      place: served.url,
      running: 1,
      nodes: [{ isAlive: true, slots: 10 }],
      executions: [{ jobType: 'slow', progress: 0.4, attempt: 1 }],
      failures: [{ errorName: 'Error', count: 1 }],
      alerts: [],
      // The failure counts once the minute in which it happened is over.
      rates: { failedPerMinute: expect.any(Number) as number },
    })
  })

  it.each<[Partial<TopOptions>, string]>([
    [{ interval: '1ms' }, '--interval must be at least 100ms'],
    [{ interval: 'often' }, '--interval'],
    [{ url: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1'],
  ])('refuses %j', async (wrong, message) => {
    await expect(runTop(ask(wrong), {}, testTerminal())).rejects.toThrow(message)
  })
})

/** A terminal of 24 lines, whose keys are pressed by the test. */
function pseudoTerminal() {
  const input = Object.assign(new PassThrough(), {
    isTTY: true as const,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      input.isRaw = isRaw
      return input as never
    },
  })
  let written = ''
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 })
  output.on('data', (data) => {
    written += String(data)
  })
  const until = async (isThere: (text: string) => boolean) => {
    while (!isThere(written)) await new Promise((resolve) => output.once('data', resolve))
    return written
  }
  return { streams: { input, output } as never, input, output, until, seen: () => written }
}

describe('pontual top on a terminal', () => {
  it.each(['q', '\u0003'])('is redrawn, and left with %j, which gives the terminal back', async (key) => {
    const { streams, input, until, seen } = pseudoTerminal()
    const listeners = process.listenerCount('exit')
    const watching = watch(connection, { intervalMs: 100, tone: (text) => text, streams })
    const frames = (text: string) => text.split('\u001b[H').length - 1
    await until((text) => frames(text) >= 3)
    expect(input.isRaw).toBe(true)
    expect(seen().startsWith('\u001b[?1049h\u001b[?25l\u001b[?7l')).toBe(true)
    expect(seen()).toContain('q ends')
    input.write(key)
    await watching
    expect(input.isRaw).toBe(false)
    expect(seen().endsWith('\u001b[?7h\u001b[?25h\u001b[?1049l')).toBe(true)
    expect(process.listenerCount('exit')).toBe(listeners)
  })

  it('is redrawn when something happens, long before its time has come', async () => {
    const { streams, input, until } = pseudoTerminal()
    const watching = watch(connection, { intervalMs: 600_000, tone: (text) => text, streams })
    await until((text) => text.includes('1 running'))
    await app.enqueue('slow')
    await until((text) => text.includes('2 running'))
    input.write('q')
    await watching
  })

  it('fits its lines and its page', async () => {
    const { streams, input, output, until, seen } = pseudoTerminal()
    Object.assign(output, { columns: 30, rows: 6 })
    const watching = watch(connection, { intervalMs: 100, tone: (text) => text, streams })
    await until((text) => text.includes('\u001b[J'))
    input.write('q')
    await watching
    const [, frame = ''] = seen().split('\u001b[H')
    const lines = (frame.split('\u001b[J')[0] ?? '').split('\r\n').map((line) => line.replace('\u001b[K', ''))
    expect(lines.length).toBeLessThanOrEqual(6)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(30)
  })

  it('says that nobody answers any more, and goes on', async () => {
    const { streams, input, until } = pseudoTerminal()
    let isAway = false
    const away: Connection = {
      ...connection,
      ask: (...asked) => (isAway ? overHttp({ url: 'http://127.0.0.1:1', credentials: {} }) : connection).ask(...asked),
    }
    const watching = watch(away, { intervalMs: 100, tone: (text) => text, streams })
    await until((text) => text.includes('running'))
    isAway = true
    await until((text) => text.includes('no answer: '))
    input.write('q')
    await watching
  })
})
