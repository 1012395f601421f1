import { createServer, type Server, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import type { Connection } from '../../../src/cli/client/connection.ts'
import { overHttp } from '../../../src/cli/client/over-http.ts'
import { watch } from '../../../src/cli/commands/top.ts'
import { followExecution } from '../../../src/cli/follow/follow-execution.ts'
import { type Env, systemEnv } from '../../../src/clock.ts'
import { operate } from './operated-service.ts'

let server: Server
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

/** The address of something that listens and does not do what is expected of it. */
async function listening(answer: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

const MUTE = () => {}
const HALF = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"items":['
const PAGE = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<html></html>'
/** Every deadline is over at once. */
const impatient: Env = { ...systemEnv, after: (_ms, call) => systemEnv.after(50, call) }

describe('something that listens and is no service', () => {
  it.each<[string, (socket: Socket) => void, number, string]>([
    [
      'breaks off in its answer',
      (socket) => socket.write(HALF, () => socket.destroy()),
      3,
      'has broken off in the middle of its answer',
    ],
    ['speaks another language', (socket) => socket.end('SSH-2.0-x\r\n'), 3, 'No service answers at http://127.0.0.1:'],
    ['shows a page', (socket) => socket.end(PAGE), 1, 'is no Pontual'],
  ])('%s: that is said', async (_, answer, exitCode, message) => {
    const url = await listening(answer)
    expect(await operate(['jobs', '--url', url, '--json'])).toMatchObject({
      exitCode,
      error: expect.stringContaining(message) as string,
      output: '',
    })
  })

  it('never answers: a deadline ends it', async () => {
    const connection = overHttp({ url: await listening(MUTE), credentials: {}, env: impatient })
    await expect(connection.ask('GET', '')).rejects.toMatchObject({ code: 'client.timeout' })
  })

  it('never answers: who has had enough need not wait for the deadline', async () => {
    const connection = overHttp({ url: await listening(MUTE), credentials: {} })
    const enough = new AbortController()
    const following = followExecution(connection, 'x', { signal: enough.signal, onLine: () => {} })
    enough.abort()
    await expect(following).rejects.toBe(enough.signal.reason)
  })

  it('falls silent under top: q ends it all the same', async () => {
    const mute = overHttp({ url: await listening(MUTE), credentials: {} })
    let isMute = false
    const connection: Connection = {
      ...mute,
      ask: (method, path, body, options) =>
        isMute ? mute.ask(method, path, body, options) : Promise.resolve(answerTo(path) as never),
    }
    const input = Object.assign(new PassThrough(), { isTTY: true as const, setRawMode: () => input as never })
    const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 })
    output.resume()
    const asked = new Promise<void>((resolve) => server.once('connection', () => resolve()))
    const watching = watch(connection, { intervalMs: 1, tone: (text) => text, streams: { input, output } as never })
    isMute = true
    await asked
    input.write('q')
    await watching
  })
})

function answerTo(path: string): object | null {
  const nothing = { running: 0, queued: 0, cap: null, nodes: [], queues: [], items: [] }
  if (path.startsWith('/series')) return { buckets: [], bucketMinutes: 5 }
  return path.startsWith('/dashboard') ? { waiting: 0, queue: { oldestWaitMs: null }, alerts: [] } : nothing
}
