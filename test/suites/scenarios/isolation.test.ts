import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import {
  type EnqueueOptions,
  type ExecutionView,
  type IsolateKind,
  job,
  memory,
  type Pontual,
  pontual,
} from '../../../src/index.ts'
import type { FinalStatus } from '../../../src/job/execution/execution.ts'
import { testPontual } from '../../../src/testing.ts'
import type { Input } from './isolated-handlers.ts'
import { RecordedLog } from './recorded.ts'

const module = new URL('./isolated-handlers.ts', import.meta.url)
const ONCE = { retry: { retries: 0 } }
const AT_ONCE = { retries: 1, intervals: [0], nonRetryable: ['CardRefusedError', 'E_DATA'] }
const input = z
  .looseObject({ what: z.string(), at: z.coerce.date().optional() })
  .transform((given) => (given['how'] === 'function' ? { ...given, call: () => {} } : given))

/** An application with one isolated job type. */
class Isolated {
  readonly log = new RecordedLog()
  readonly app: Pontual
  readonly work: ReturnType<typeof declare>

  constructor(kind: IsolateKind) {
    this.work = declare(kind)
    this.app = pontual({ store: memory(), jobs: [this.work], logger: this.log.logger })
  }

  async begin(what: Input['what'], given: Omit<Input, 'what'> = {}, options: EnqueueOptions = {}): Promise<string> {
    const { id } = await this.app.enqueue(this.work, { ...given, what }, options)
    return id
  }

  async do(what: Input['what'], given: Omit<Input, 'what'> = {}, options?: EnqueueOptions): Promise<ExecutionView> {
    return await this.app.waitFor(await this.begin(what, given, options))
  }

  /** Level, text and fields of each line. */
  async lines(executionId: string): Promise<[string, string, unknown][]> {
    const lines: [string, string, unknown][] = []
    for await (const { level, message, fields } of this.app.logs(executionId)) {
      lines.push([level, message, fields === null ? null : JSON.parse(fields)])
    }
    return lines
  }

  async hasLogged(executionId: string, message: string): Promise<void> {
    for await (const line of this.app.logs(executionId, { follow: true })) if (line.message === message) return
  }
}

function declare(kind: IsolateKind) {
  return job('work', { input, retry: AT_ONCE, isolate: { kind, module, export: 'perform', memoryMb: 64, warm: 1 } })
}

describe.each<IsolateKind>(['thread', 'process'])('a handler in a %s', (kind) => {
  const at = new Isolated(kind)
  beforeAll(() => at.app.start())
  afterAll(() => at.app.stop())

  it('runs beside the node, and the next one in the same place', async () => {
    const [first, second] = [await at.do('where'), await at.do('where')]
    const { pid, threadId } = first.output as { pid: number; threadId: number }
    expect(first.status).toBe('SUCCESS')
    expect(pid === process.pid).toBe(kind === 'thread')
    expect(threadId > 0).toBe(kind === 'thread')
    expect(second.output).toEqual(first.output)
  })

  it('is given what it would be given in the node', async () => {
    const { id, output } = await at.do('context')
    expect(output).toEqual({
      facts: {
        executionId: id,
        jobType: 'work',
        jobId: null,
        tenant: 'default',
        attempt: 1,
        maxAttempts: 2,
        scheduledAt: null,
        misfire: null,
        predecessors: [],
        idempotencyKey: id,
      },
      isCurrent: true,
      isSignal: true,
      kinds: ['function', 'function'],
      mayTalkToParent: 'undefined',
    })
  })

  it('gets what its schema gives out, as data', async () => {
    const { output } = await at.do('date', { at: new Date('2026-05-01') })
    expect(output).toEqual({ isDate: true, year: 2026 })
  })

  it('is given and gives data with its types', async () => {
    const values = {
      at: new Date('2026-05-01'),
      ids: new Map([['a', new Set([1n])]]),
      bytes: new Uint8Array([1, 2]),
      page: new URL('https://example.com/a'),
    }
    const { input, output } = await at.do('echo', values)
    expect([input, output]).toEqual([
      { ...values, what: 'echo' },
      { ...values, what: 'echo' },
    ])
  })

  it('fails once where its schema gives out what cannot be sent', async () => {
    const { status, error, attempts } = await at.do('where', { how: 'function' })
    expect({ status, error }).toMatchObject({
      status: 'FAILED',
      error: {
        name: 'NonRetryableError',
        message: expect.stringMatching(
          /^Input of job type "work" cannot be sent to an isolate. The output of its schema: call is a function; /,
        ) as string,
      },
    })
    expect(attempts).toHaveLength(1)
  })

  it('logs and tells how far it is', async () => {
    const { id, output, progress } = await at.do('say')
    expect(progress).toBe(0.5)
    expect(output).toBe('progress must be a number from 0 to 1, got 2.')
    const told = { name: 'Error', message: 'told', stack: expect.any(String) as string }
    expect(await at.lines(id)).toEqual([
      ['info', 'first', { n: 1, error: told }],
      ['error', 'second', null],
    ])
  })

  it('keeps how far it has come for its next attempt', async () => {
    const { output, attempts } = await at.do('keep')
    expect(output).toEqual([7, true])
    expect(attempts[0]?.error?.message).toMatch(/^undefined, State of checkpoint is a function/)
  })

  it('prints into the log of its execution, line by line', async () => {
    const { id } = await at.do('print')
    const lines = await at.lines(id)
    const of = (stream: string) =>
      lines.filter(([, , fields]) => (fields as { stream?: string } | null)?.stream === stream)
    expect(of('stdout').map(([level, text]) => [level, text])).toEqual([
      ['info', 'one'],
      ['info', 'two'],
      ['info', 'three'],
      ['info', 'né'],
    ])
    expect(of('stderr').map(([level, text]) => [level, text])).toEqual([
      ['warn', 'bad'],
      ['warn', 'half a line'],
    ])
    expect(lines).toHaveLength(6)
  })

  it('may print a line without end', async () => {
    const { id } = await at.do('printLong')
    const lines = await at.lines(id)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.map(([, text]) => text).join('')).toBe('x'.repeat(30_000))
  })

  it.each<[string, string, number, object]>([
    ['an error', 'plain', 2, { name: 'TypeError', message: 'wrong' }],
    ['a class below one that is not tried again', 'subclass', 1, { message: 'stolen', code: 'CARD_REFUSED' }],
    ['a class below NonRetryableError', 'hopeless', 1, { name: 'HopelessError', code: 'execution.non_retryable' }],
    ['text', 'text', 2, { name: 'Error', message: 'just text' }],
    ['data with a code that is not tried again', 'data', 1, { message: '{"code":"E_DATA","at":3}' }],
  ])('throws %s', async (_what, how, attempts, error) => {
    const execution = await at.do('fail', { how })
    expect(execution).toMatchObject({ status: 'FAILED', error })
    expect(execution.attempts).toHaveLength(attempts)
    if (how === 'plain') expect(execution.error?.stack).toContain('isolated-handlers.ts')
  })

  it.each<[string, string, object]>([
    ['nothing', 'nothing', { status: 'SUCCESS', output: undefined }],
    ['data with its types', 'instance', { status: 'SUCCESS', output: { at: new URL('https://example.com/a') } }],
    ['too much, once', 'huge', { status: 'FAILED', error: { code: 'payload.too_large' } }],
    ['what holds itself, once', 'circular', { status: 'FAILED', error: { code: 'payload.unstorable' } }],
  ])('returns %s', async (_what, how, expected) => {
    const execution = await at.do('give', { how })
    expect(execution).toMatchObject(expected)
    expect(execution.attempts).toHaveLength(1)
  })

  it('hears that it is cancelled, and leaves its place to the next one', async () => {
    const { output: before } = await at.do('where')
    const id = await at.begin('untilAborted')
    await at.hasLogged(id, 'waiting')
    await at.app.cancel(id)
    expect(await at.app.waitFor(id)).toMatchObject({ status: 'CANCELLED' })
    // Its last words are the application's only: an execution that has ended takes no more.
    await vi.waitFor(() => expect(at.log.of('aborted: PontualError execution.gone')).toHaveLength(1))
    expect((await at.do('where')).output).toEqual(before)
  })

  it('that ends its isolate by mistake fails alone, and its last words are kept', async () => {
    const neighbour = await at.begin('untilAborted')
    await at.hasLogged(neighbour, 'waiting')
    const { id, status, error } = await at.do('exit', {}, ONCE)
    expect(status).toBe('FAILED')
    expect(error).toMatchObject({
      name: 'IsolateCrashedError',
      code: 'isolate.crashed',
      message: `The ${kind} of job type "work" ended with exit code 3 before its handler did.`,
    })
    const lines = (await at.lines(id)).map(([level, text]) => `${level} ${text}`)
    expect(lines.filter((line) => line.startsWith('info y')).join('').length).toBeGreaterThan(300_000)
    expect(lines).toContain('info last words')
    expect(lines).toContain('warn gone')
    expect(await at.app.execution(neighbour)).toMatchObject({ status: 'RUNNING' })
    await at.app.cancel(neighbour)
  })

  it.each<[string, Input['what'], object]>([
    [
      'fills its memory',
      'fillMemory',
      { code: 'isolate.crashed', message: `The ${kind} of job type "work" ran out of memory, of which it had 64 MiB.` },
    ],
    ['throws where nobody catches', 'uncaught', { message: 'nobody caught it', code: 'CARD_REFUSED' }],
  ])('that %s fails alone', async (_what, what, error) => {
    expect(await at.do(what, {}, ONCE)).toMatchObject({ status: 'FAILED', error })
    expect(await at.do('where')).toMatchObject({ status: 'SUCCESS' })
  })

  it('rejects where nobody waits, and fails', async () => {
    const { status, error } = await at.do('rejected', {}, ONCE)
    expect({ status, error }).toMatchObject({
      status: 'FAILED',
      error: { name: 'TypeError', message: 'nobody waited for it' },
    })
  })

  if (kind === 'process') {
    it('that crashes its process fails alone', async () => {
      const { status, error } = await at.do('segfault', {}, ONCE)
      expect(status).toBe('FAILED')
      expect(error).toMatchObject({
        code: 'isolate.crashed',
        message: 'The process of job type "work" was ended by SIGSEGV.',
      })
    })

    it('that closes its channel fails alone, and is told how it may have ended', async () => {
      const { status, error } = await at.do('disconnect', {}, ONCE)
      expect(status).toBe('FAILED')
      expect(error).toMatchObject({
        code: 'isolate.crashed',
        message:
          'The process of job type "work" was killed by SIGKILL: it has closed its channel to the node, or was killed from outside, as a system that is short of memory does.',
      })
    })
  }

  if (kind === 'thread') {
    it.each<[string, object]>([
      ['a line', { kind: 'log', level: 'info', message: 'x', fields: '{bad' }],
      ['a level', { kind: 'log', level: 'loud', message: 'x', fields: '{}' }],
      ['progress', { kind: 'progress', fraction: 7, note: null }],
      ['an output', { kind: 'done', output: '{bad' }],
      ['an error', { kind: 'failed', error: null }],
      ['an end', { kind: 'fatal' }],
      ['a stream', { kind: 'output', stream: 'x', text: 'x' }],
      ['no text', { kind: 'output', stream: 'stdout' }],
    ])('that interferes with what is said to the node fails alone: %s', async (_what, message) => {
      const messages = Array.from({ length: 100 }, (_, run) => ({ ...message, run }))
      const { status, error } = await at.do('interfere', { messages }, ONCE)
      expect({ status, error }).toMatchObject({
        status: 'FAILED',
        error: {
          code: 'isolate.crashed',
          message: expect.stringMatching(
            /^The thread of job type "work" failed: its message to the node cannot be read: /,
          ) as string,
        },
      })
      expect(await at.do('where')).toMatchObject({ status: 'SUCCESS' })
    })

    it('cannot start a node in its turn', async () => {
      const { status, error } = await at.do('startNode', {}, ONCE)
      expect({ status, error }).toMatchObject({ status: 'FAILED', error: { code: 'isolate.nested' } })
    })
  }

  it('does not fail because of an isolate that ended without work', async () => {
    await at.do('endLater')
    const { status, attempts } = await at.do('where')
    expect({ status, attempts }).toMatchObject({ status: 'SUCCESS', attempts: [{ attempt: 1 }] })
  })
})

describe.each<IsolateKind>(['thread', 'process'])('a %s that is still to be started', (kind) => {
  /** Where handlers leave a trace. */
  const folder = mkdtempSync(join(tmpdir(), 'pontual-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const run = (file: string) => process.getBuiltinModule('node:fs').writeFileSync(file, 'began')

  it.each<[string, EnqueueOptions, FinalStatus]>([
    ['timed out', { timeout: 1 }, 'TIMEOUT'],
    ['was cancelled', {}, 'CANCELLED'],
  ])('does not begin what %s', async (_how, options, status) => {
    const slow = job('slow', { isolate: kind, retry: { retries: 0 }, run })
    const file = join(folder, status)
    await using app = pontual({ store: memory(), jobs: [slow], logger: 'silent' })
    await app.start()
    const claimed = new Promise((resolve) => app.on('execution.claimed', resolve))
    const { id } = await app.enqueue(slow, file, options)
    await claimed
    if (status === 'CANCELLED') expect(await app.cancel(id)).toBe('cancelled')
    expect(await app.waitFor(id)).toMatchObject({ status })
    // A stop waits until the isolate is through with what it was given.
    await app.stop()
    expect(existsSync(file)).toBe(false)
  })
})

describe('an inline function', () => {
  const rate = 3
  const jobs = {
    arrow: job('arrow', { isolate: 'thread', run: (given: { n: number }) => given.n * 2 }),
    method: job('method', {
      isolate: { kind: 'thread' },
      async run(given: { n: number }) {
        return await Promise.resolve(given.n * 3)
      },
    }),
    outer: job('outer', { isolate: 'thread', run: (given: { n: number }) => given.n * rate }),
    missing: job<{ n: number }>('missing', { isolate: { kind: 'thread', module, export: 'performs' } }),
  }

  it.each<[string, keyof typeof jobs, object]>([
    ['runs in an isolate', 'arrow', { status: 'SUCCESS', output: 14 }],
    ['may be a method', 'method', { status: 'SUCCESS', output: 21 }],
    [
      'that uses what is around it fails once, and is told so',
      'outer',
      {
        status: 'FAILED',
        attempts: [{ attempt: 1 }],
        error: {
          code: 'isolate.outer_variable',
          message:
            'Job type "outer": its inline function runs in an isolate and cannot see "rate", nor anything else around it. Import what it needs inside of it with await import(), or put it into a module and name that in isolate.module.',
        },
      },
    ],
    [
      'that a module does not export fails once, and is told so',
      'missing',
      {
        status: 'FAILED',
        attempts: [{ attempt: 1 }],
        error: {
          code: 'isolate.export_missing',
          message: expect.stringMatching(
            /^Job type "missing": file:.*isolated-handlers\.ts must export a function "performs", and exports "perform"\.$/,
          ) as string,
        },
      },
    ],
  ])('%s', async (_fact, name, expected) => {
    await using app = pontual({ store: memory(), jobs: Object.values(jobs), logger: 'silent' })
    await app.start()
    const { id } = await app.enqueue(jobs[name], { n: 7 })
    expect(await app.waitFor(id)).toMatchObject(expected)
  })

  it('sees what is around it in a test, where it runs in the process of the test', async () => {
    await using t = await testPontual({ jobs: [jobs.outer] })
    const { id } = await t.app.enqueue(jobs.outer, { n: 7 })
    await t.settle()
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS', output: 21 })
  })
})

describe('a node with isolated handlers', () => {
  it('does not start without their modules', async () => {
    const lost = job('lost', { isolate: { kind: 'thread', module: new URL('./nowhere.ts', import.meta.url) } })
    const app = pontual({ store: memory(), jobs: [lost], logger: 'silent' })
    await expect(app.start()).rejects.toMatchObject({ code: 'isolate.module_missing' })
    await app.stop()
  })

  it('leaves none behind when it stops', async () => {
    const at = new Isolated('process')
    await at.app.start()
    const { output } = await at.do('where')
    const { pid } = output as { pid: number }
    expect(process.kill(pid, 0)).toBe(true)
    await at.app.stop()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})
