import diagnostics from 'node:diagnostics_channel'
import { openSync, writeSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import v8 from 'node:v8'
import { type JobContext, job, type PontualOptions, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import type { EffectLine } from './effect-line.ts'

/** What a node is started with, beside what every one may be. */
export interface EffectNodeOptions extends Omit<PontualOptions, 'store' | 'jobs'> {
  readonly url: string
  /** The file it tells of its effects. */
  readonly effects: string
  readonly maxConnections?: number
  /** How far its clock is ahead of the machine's. */
  readonly skewMs?: number
}

/** How a handler takes its process with it. */
export type Poison = 'exit' | 'kill' | 'reject' | 'loop' | 'memory'

/** So that to use up all memory does not take long. */
const HEAP_MB = 160
const LOOP_MS = 120_000
const EVENTS = ['node.started', 'node.lost', 'node.stopped', 'execution.refused'] as const

/** A node that writes what its handlers do into a file, and prints a line for what happens to itself. */
export async function startEffectNode(options: EffectNodeOptions, trueNow: () => number): Promise<void> {
  const { url, effects, maxConnections = 4, skewMs: _, ...engine } = options
  v8.setFlagsFromString(`--max-old-space-size=${HEAP_MB}`)
  const file = openSync(effects, 'a')
  const print = (event: string, facts: object = {}) =>
    process.stdout.write(`${JSON.stringify({ at: trueNow(), event, ...facts })}\n`)
  // What was written is in the file, however the process ends; lines of different processes do not mix.
  const note = (event: EffectLine['event'], context: JobContext) => {
    const { jobType, executionId, attempt, jobId, scheduledAt } = context
    const line: EffectLine = {
      at: trueNow(),
      pid: process.pid,
      event,
      jobType,
      executionId,
      attempt,
      jobId,
      scheduledAt,
    }
    writeSync(file, `${JSON.stringify(line)}\n`)
  }
  for (const event of EVENTS) diagnostics.subscribe(`pontual:${event}`, (facts) => print(event, facts as object))

  const work = job('work', {
    run: async ({ ms }: { readonly ms: number }, context) => {
      note('began', context)
      try {
        await sleep(ms, undefined, { signal: context.signal })
      } catch (error) {
        note('aborted', context)
        throw error
      }
      note('ended', context)
    },
  })
  /** Does not hear that it is to end, and writes whatever a handler can. */
  const deaf = job('deaf', {
    run: async ({ ms }: { readonly ms: number }, context) => {
      note('began', context)
      const until = trueNow() + ms
      while (trueNow() < until) await sleep(Math.min(50, ms))
      context.progress(0.9, 'nearly')
      context.logger.info('nearly')
      note('ended', context)
    },
  })
  /** Blocks the event loop, as a handler should not. */
  const block = job('block', {
    run: ({ ms }: { readonly ms: number }, context) => {
      note('began', context)
      const until = trueNow() + ms
      while (trueNow() < until);
      note('ended', context)
    },
  })
  const poison = job('poison', {
    run: async ({ how }: { readonly how: Poison }, context) => {
      note('began', context)
      TAKE_PROCESS[how]()
      await sleep(60_000)
    },
  })
  const app = pontual({
    store: postgres(url, { maxConnections }),
    jobs: [work, deaf, block, poison],
    logger: 'silent',
    ...engine,
  })
  process.on('SIGTERM', () => {
    // Its input must not keep it from ending.
    process.stdin.destroy()
    void app.stop()
  })
  process.stdin.on('end', () => process.exit()).resume()
  await app.start()
  print('ready')
}

const TAKE_PROCESS: Readonly<Record<Poison, () => void>> = {
  exit: () => process.exit(3),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  reject: () => void Promise.reject(new Error('Nobody catches this.')),
  loop: () => {
    // Far longer than anybody waits for it; but it ends, should nobody be left to kill it.
    const until = performance.now() + LOOP_MS
    while (performance.now() < until);
    process.exit(4)
  },
  memory: () => {
    const taken: string[][] = []
    for (;;) taken.push(Array.from({ length: 100_000 }, (_, index) => `${taken.length} ${index}`))
  },
}
