import diagnostics from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import { job, type PontualOptions, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'

/** A node in a process of its own: runs `work` until it is stopped, and prints a line of JSON for all that happens. */
const { url, ...options } = JSON.parse(process.argv[2] ?? '{}') as { url: string } & Partial<PontualOptions>

const EVENTS = [
  'node.started',
  'node.lost',
  'node.stopped',
  'execution.claimed',
  'execution.succeeded',
  'execution.retried',
  'execution.failed',
  'execution.released',
  'execution.recovered',
  'execution.refused',
]

for (const event of EVENTS) {
  diagnostics.subscribe(`pontual:${event}`, (facts) => print({ event, ...(facts as object) }))
}

const work = job('work', {
  run: async ({ ms }: { ms: number }, { executionId, attempt, signal, logger }) => {
    print({ event: 'handler.started', executionId, attempt })
    logger.info('working', { attempt })
    await sleep(ms, undefined, { signal })
    print({ event: 'handler.ended', executionId, attempt })
    return { attempt }
  },
})

/** Blocks the event loop, as a handler should not. */
const block = job('block', {
  run: ({ ms }: { ms: number }, { executionId, attempt }) => {
    print({ event: 'handler.started', executionId, attempt })
    const until = Date.now() + ms
    while (Date.now() < until);
    print({ event: 'handler.ended', executionId, attempt })
  },
})

/** Takes its process with it. */
const die = job('die', {
  retry: { retries: 2, intervals: [0] },
  run: (_input: undefined, { executionId, attempt }) => {
    print({ event: 'handler.started', executionId, attempt })
    process.kill(process.pid, 'SIGKILL')
  },
})

const app = pontual({ store: postgres(url), jobs: [work, block, die], logger: 'silent', ...options })
process.on('SIGTERM', () => {
  // Its input must not keep it from ending.
  process.stdin.destroy()
  void app.stop()
})
process.stdin.on('end', () => process.exit()).resume()
await app.start()
print({ event: 'ready' })

function print(line: object): void {
  process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`)
}
