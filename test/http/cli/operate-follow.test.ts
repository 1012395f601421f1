import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { overHttp } from '../../../src/cli/client/over-http.ts'
import { followExecution } from '../../../src/cli/follow/follow-execution.ts'
import { createProgram } from '../../../src/cli/program.ts'
import { type Env, systemEnv } from '../../../src/clock.ts'
import { OperatedService, tokenOf } from './operated-service.ts'
import { testTerminal } from './test-terminal.ts'

let service: OperatedService
beforeAll(async () => {
  service = await new OperatedService().start()
})
afterAll(() => service?.stop())

/** Comes back at once; what guards against silence waits as ever. */
const hasty: Env = { ...systemEnv, after: (ms, call) => systemEnv.after(ms >= 30_000 ? ms : 1, call) }

it('a log is followed on where a service goes away and comes back, without a line lost or doubled', async () => {
  const connection = overHttp({
    url: service.url,
    credentials: { authorization: `Bearer ${tokenOf('ana')}` },
    env: hasty,
  })
  const { executionId } = await connection.ask<{ executionId: string }>('POST', '/enqueue', { jobName: 'Wait' })
  const lines: string[] = []
  const execution = await followExecution(connection, executionId, {
    signal: new AbortController().signal,
    env: hasty,
    onLine: ({ message }) => {
      lines.push(message)
      if (message === 'waiting') void service.restart().then(() => service.release())
    },
  })
  expect(lines).toEqual(['waiting', 'let go'])
  expect(execution).toMatchObject({ status: 'SUCCESS' })
})

it('who has had enough is let go at once', async () => {
  const connection = overHttp({ url: service.url, credentials: { authorization: `Bearer ${tokenOf('ana')}` } })
  const { executionId } = await connection.ask<{ executionId: string }>('POST', '/enqueue', {
    jobName: 'Wait',
    delayMs: 3_600_000,
  })
  const enough = new AbortController()
  const following = followExecution(connection, executionId, {
    signal: enough.signal,
    onLine: () => {},
    onLook: () => enough.abort(),
  })
  await expect(following).rejects.toMatchObject({ name: 'AbortError' })
})

it('a job that runs more often than fits on a page is followed without an execution lost', {
  timeout: 60_000,
}, async () => {
  const RUNS = 210
  const connection = overHttp({ url: service.url, credentials: { authorization: `Bearer ${tokenOf('ana')}` } })
  const run = async () => {
    const asked = await connection.ask<{ executionId: string }>('POST', '/enqueue', { jobName: 'Import' })
    await service.app.waitFor(asked.executionId)
    return asked.executionId
  }
  const ids = [await run()]
  vi.stubEnv('PONTUAL_TOKEN', tokenOf('ana'))
  const terminal = testTerminal()
  const program = createProgram(terminal)
  const following = program.parseAsync(['logs', 'Import', '--follow', '--url', service.url], { from: 'user' })
  const ended = () => terminal.notes.filter((note) => note.startsWith('SUCCESS')).length
  await vi.waitFor(() => expect(ended()).toBe(1), 10_000)
  ids.push(...(await Promise.all(Array.from({ length: RUNS }, run))))
  await vi.waitFor(() => expect(ended()).toBe(ids.length), { timeout: 50_000, interval: 200 })
  process.emit('SIGINT')
  await expect(following).rejects.toMatchObject({ code: 'interrupted' })
  const told = terminal.notes.join('')
  expect(ids.filter((id) => !told.includes(id))).toEqual([])
  vi.unstubAllEnvs()
})
