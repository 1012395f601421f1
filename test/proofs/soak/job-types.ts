import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyJobType, activity, cron, job } from '../../../src/index.ts'

const kept: string[] = []
let leakedBytes = 0

/** From now on handlers keep so many bytes of each execution, for ever: what a leak looks like. */
export function leak(bytesOfEach: number): void {
  leakedBytes = bytesOfEach
}

function keepSome(): void {
  if (leakedBytes > 0) kept.push(randomBytes(leakedBytes / 2).toString('hex'))
}

export interface Small {
  readonly n: number
}

export const plain = job('soak.plain', {
  run: ({ n }: Small) => {
    keepSome()
    return { n, text: 'done' }
  },
})

/** Fails once and then succeeds; every fourth fails for good. */
export const failing = job('soak.failing', {
  retry: { retries: 2, intervals: ['500ms'], jitter: 'none' },
  run: ({ n }: Small, { attempt }) => {
    keepSome()
    if (attempt === 1 || n % 4 === 0) throw new Error(`Attempt ${attempt} of ${n} has failed.`)
  },
})

const LINES = 20

/** Tells what it does, and how far it is. */
export const talking = job('soak.talking', {
  run: async ({ n }: Small, { logger, progress }) => {
    keepSome()
    for (let line = 1; line <= LINES; line += 1) {
      logger.info('A line of a log that says where the work is', { n, line })
      if (line % 5 === 0) {
        progress(line / LINES, `line ${line}`)
        await sleep(20)
      }
    }
  },
})

const compute = activity('soak.compute', { run: ({ n }: Small) => ({ square: n * n }) })
const flaky = activity('soak.flaky', {
  retry: { retries: 2, initial: '200ms' },
  run: ({ n }: Small, { attempt }) => {
    if (attempt === 1 && n % 3 === 0) throw new Error('Not yet.')
    return n
  },
})

/** Activities in a row and at once, a timer, a signal that comes or does not, and a child. */
export const order = job('soak.order', {
  durable: true,
  run: async ({ n }: Small, ctx) => {
    keepSome()
    const { square } = await ctx.run(compute, { n })
    await Promise.all([ctx.run(flaky, { n }), ctx.run(compute, { n: square })])
    await ctx.sleep('1s')
    const approval = await ctx.signal('approval', undefined, { timeout: '2s' })
    const child = await ctx.call(plain, { n })
    return { approval, child }
  },
})

/** Its results stand in for runs with an equal input for a while. */
export const cached = job('soak.cached', { cache: '5s', run: ({ n }: Small) => ({ n }) })

/** Few may start in a second. */
export const limited = job('soak.limited', { rateLimit: { limit: 5, per: '1s' }, run: () => {} })

/** Takes its time, so that whoever comes behind it has to wait for a slot. */
export const slow = job('soak.slow', {
  retry: { retries: 3, intervals: [0], jitter: 'none' },
  run: async ({ fails }: { readonly fails: number }, { attempt }) => {
    await sleep(40)
    if (attempt <= fails) throw new Error('It fails, and is tried again at once.')
  },
})

/** Writes, or returns, so many bytes: more than may be kept. */
export const verbose = job('soak.verbose', {
  retry: { retries: 0 },
  run: async ({ logBytes, outputBytes }: { readonly logBytes: number; readonly outputBytes: number }, { logger }) => {
    const line = 'x'.repeat(7_000)
    for (let written = 0; written < logBytes; written += line.length) {
      logger.info(line)
      if (written % (100 * line.length) === 0) await sleep(5)
    }
    return 'x'.repeat(outputBytes)
  },
})

const SCHEDULES = 20

/** Fires by itself: many that fire every second, and one that is left out while the run before it goes on. */
const fired = job('soak.fired', {
  schedule: Array.from({ length: SCHEDULES }, (_, index) => ({
    name: `soak.fired.${index}`,
    trigger: cron('* * * * * *', { timeZone: 'UTC' }),
    overlap: index % 4 === 0 ? ('skip' as const) : ('allow' as const),
    onFaulted: 'continue' as const,
  })),
  run: async (_input: undefined, { scheduledAt }) => {
    keepSome()
    // Now and then one is longer than what is between two of them.
    await sleep(Number(scheduledAt) % 10_000 === 0 ? 1_500 : 5)
  },
})

/** All that runs in the steady load, and what fires by itself. */
export const STEADY_TYPES: readonly AnyJobType[] = [
  plain,
  failing,
  talking,
  order,
  cached,
  limited,
  verbose,
  fired,
] as readonly AnyJobType[]

/** What runs only where somebody asks for it. */
export const PLAIN_TYPES: readonly AnyJobType[] = [plain, slow] as readonly AnyJobType[]
