import { spawn } from 'node:child_process'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, threadId } from 'node:worker_threads'
import { currentExecution } from '../../../src/engine/running/current-execution.ts'
import { NonRetryableError } from '../../../src/job/execution/failure.ts'
import type { JobContext } from '../../../src/job/type/job-type.ts'

class CardRefusedError extends Error {
  readonly code = 'CARD_REFUSED'
}
class CardStolenError extends CardRefusedError {}
class HopelessError extends NonRetryableError {}

const errors: Readonly<Record<string, () => unknown>> = {
  plain: () => new TypeError('wrong'),
  subclass: () => new CardStolenError('stolen'),
  hopeless: () => new HopelessError('never'),
  text: () => 'just text',
  data: () => ({ code: 'E_DATA', at: 3 }),
}

const outputs: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  instance: () => ({ at: new URL('https://example.com/a') }),
  huge: () => 'x'.repeat(2_000_000),
  circular: () => {
    const data: Record<string, unknown> = {}
    data['self'] = data
    return data
  },
}

const handlers = {
  where: () => ({ pid: process.pid, threadId }),

  context: (_input: Input, context: JobContext) => {
    const { signal, logger, progress, ...facts } = context
    return {
      facts,
      isCurrent: currentExecution() === context,
      isSignal: signal instanceof AbortSignal,
      kinds: [typeof logger.info, typeof progress],
      mayTalkToParent: typeof process.send,
    }
  },

  echo: (input: Input) => input,

  date: ({ at }: Input) => ({ isDate: at instanceof Date, year: at?.getUTCFullYear() }),

  say: (_input: Input, { logger, progress }: JobContext) => {
    logger.info('first', { n: 1, error: new Error('told') })
    progress(0.5, 'halfway')
    logger.error('second')
    try {
      progress(2)
    } catch (error) {
      return (error as Error).message
    }
  },

  keep: async (_input: Input, { checkpoint, lastCheckpoint, attempt }: JobContext) => {
    const last = await lastCheckpoint<{ row: number; at: Date }>()
    if (attempt === 2) return [last?.row, last?.at instanceof Date]
    await checkpoint({ row: 7, at: new Date(0) })
    const refusal = await checkpoint(() => 1).catch((error: Error) => error.message)
    throw new Error(`${typeof last}, ${String(refusal)}`)
  },

  fail: ({ how = '' }: Input) => {
    throw errors[how]?.()
  },

  give: ({ how = '' }: Input) => outputs[how]?.(),

  print: () => {
    console.log('one\ntwo')
    process.stdout.write('thr')
    process.stdout.write('ee\r\n')
    console.error('bad')
    process.stderr.write('half a line')
    process.stdout.write(Buffer.from('né').subarray(0, 2))
    process.stdout.write(Buffer.from('é').subarray(1))
  },

  printLong: () => {
    process.stdout.write('x'.repeat(30_000))
  },

  exit: () => {
    process.stdout.write(`${'y'.repeat(300_000)}\nlast words`)
    process.stderr.write('gone')
    process.exit(3)
  },

  fillMemory: () => {
    console.log('filling')
    const kept: unknown[] = []
    for (;;) kept.push(Array.from({ length: 1_000 }, () => ({})))
  },

  segfault: () => {
    process.kill(process.pid, 'SIGSEGV')
    return sleep(60_000)
  },

  uncaught: () => {
    setImmediate(() => {
      throw new CardStolenError('nobody caught it')
    })
    return sleep(60_000)
  },

  rejected: () => {
    void Promise.reject(new TypeError('nobody waited for it'))
    return sleep(60_000)
  },

  /** Ends with its isolate, after the run. */
  endLater: () => {
    setImmediate(() => process.exit(7))
  },

  block: (_input: Input, { logger, attempt }: JobContext) => {
    if (attempt > 1) return 'done'
    console.log('printed')
    logger.info('logged')
    for (;;);
  },

  /** Starts a process that would outlive it, and blocks. */
  startAndBlock: (_input: Input, { logger }: JobContext) => {
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
    logger.info('started', { pid })
    for (;;);
  },

  startNode: async () => {
    const { memory, pontual } = await import('../../../src/index.ts')
    await pontual({ store: memory() }).start()
  },

  /** Says to the node what only Pontual says to it, and wrongly. */
  interfere: async ({ messages = [] }: Input) => {
    for (const message of messages) parentPort?.postMessage(message)
    await sleep(60_000)
  },

  disconnect: () => {
    process.disconnect()
    return sleep(60_000)
  },

  untilAborted: async (_input: Input, { signal, logger }: JobContext) => {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
    logger.info('waiting')
    await aborted
    const { name, code } = signal.reason as { name: string; code: string }
    console.log(`aborted: ${name} ${code}`)
  },
}

export interface Input {
  readonly what: keyof typeof handlers
  readonly how?: string | undefined
  readonly at?: Date | undefined
  readonly messages?: readonly object[] | undefined
}

/** What tests do in threads and processes: all in one function, because an isolate takes its time to start. */
export function perform(input: Input, context: JobContext): unknown {
  return handlers[input.what](input, context)
}
