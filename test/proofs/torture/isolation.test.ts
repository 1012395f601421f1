import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { type IsolateKind, job, memory, type Pontual, pontual } from '../../../src/index.ts'
import type { Input } from '../../suites/scenarios/isolated-handlers.ts'
import { RecordedLog } from '../../suites/scenarios/recorded.ts'

const module = new URL('../../suites/scenarios/isolated-handlers.ts', import.meta.url)
/** A process that is gone is there until somebody asks how it went. */
const PATIENCE = { timeout: 10_000, interval: 100 }
const KILLED = /^An isolated handler does not end although its attempt is over: its (thread|process) is killed$/

/** A node with one slot, and an isolate that is warm. */
async function start(kind: IsolateKind, warm = 1) {
  const log = new RecordedLog()
  const work = job<Input>('work', {
    retry: { retries: 1, intervals: [0] },
    isolate: { kind, module, export: 'perform', warm },
  })
  const app = pontual({
    store: memory(),
    jobs: [work],
    logger: log.logger,
    node: { slots: 1 },
    shutdownGrace: 0,
  })
  await app.start()
  const { id } = await app.enqueue(work, { what: 'where' })
  const { output } = await app.waitFor(id)
  const { pid } = output as { pid: number }
  return { app, work, log, pid }
}

async function hasLogged(app: Pontual, executionId: string, message: string): Promise<void> {
  for await (const line of app.logs(executionId, { follow: true })) if (line.message === message) return
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.each<IsolateKind>(['thread', 'process'])('a loop that blocks its %s', (kind) => {
  it('is killed at its timeout, and the only slot goes to the next attempt', async () => {
    const { app, work, log, pid } = await start(kind, 2)
    const { id } = await app.enqueue(work, { what: 'block' }, { timeout: '1s' })
    const { status, output, attempts } = await app.waitFor(id)
    expect({ status, output, attempts }).toMatchObject({
      status: 'SUCCESS',
      output: 'done',
      attempts: [{ status: 'TIMEOUT', error: { code: 'execution.timeout' } }, { status: 'SUCCESS' }],
    })
    const said: string[] = []
    for await (const { message } of app.logs(id)) said.push(message)
    expect(said.toSorted()).toEqual(['logged', 'printed'])
    await vi.waitFor(() => expect(log.at('warn').filter((line) => KILLED.test(line))).toHaveLength(1), PATIENCE)
    await app.stop()
    expect(log.at('error')).toEqual([])
    if (kind === 'process') expect(isAlive(pid)).toBe(false)
  })

  it.concurrent('is killed when it is cancelled', async () => {
    const { app, work, log, pid } = await start(kind)
    const { id } = await app.enqueue(work, { what: 'block' })
    await hasLogged(app, id, 'logged')
    await app.cancel(id)
    expect(await app.waitFor(id)).toMatchObject({ status: 'CANCELLED' })
    const next = await app.enqueue(work, { what: 'where' })
    expect(await app.waitFor(next.id)).toMatchObject({ status: 'SUCCESS' })
    await vi.waitFor(() => expect(log.at('warn').filter((line) => KILLED.test(line))).toHaveLength(1), PATIENCE)
    await app.stop()
    if (kind === 'process') expect(isAlive(pid)).toBe(false)
  })

  it.concurrent('is killed when the node stops, and its execution given back', async () => {
    const { app, work, log, pid } = await start(kind)
    const released: unknown[] = []
    app.on('execution.released', ({ executionId }) => released.push(executionId))
    const { id } = await app.enqueue(work, { what: 'block' })
    await hasLogged(app, id, 'logged')
    await app.stop()
    expect(released).toEqual([id])
    expect(log.at('error')).toEqual([])
    if (kind === 'process') expect(isAlive(pid)).toBe(false)
  })
})

it('what a process has started is killed with it', async () => {
  const { app, work } = await start('process')
  const { id } = await app.enqueue(work, { what: 'startAndBlock' }, { timeout: '1s', retry: { retries: 0 } })
  expect(await app.waitFor(id)).toMatchObject({ status: 'TIMEOUT' })
  const fields: unknown[] = []
  for await (const line of app.logs(id)) fields.push(JSON.parse(line.fields ?? '{}'))
  const [{ pid }] = fields as [{ pid: number }]
  expect(isAlive(pid)).toBe(true)
  await app.stop()
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE)
})

it('a process whose loop is blocked ends when its node is killed', async () => {
  const program = fileURLToPath(new URL('./isolating-process.ts', import.meta.url))
  const node = spawn(process.execPath, [...process.execArgv, program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(node.stdout.setEncoding('utf8'), 'data')) as [string]
  const pid = Number(line)
  expect(isAlive(pid)).toBe(true)
  node.kill('SIGKILL')
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE)
})
