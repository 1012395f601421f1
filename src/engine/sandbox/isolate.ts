import type { CancelTimer, Env } from '../../clock.ts'
import { decodeValue, encodeInput, encodeValue } from '../../durable/codec.ts'
import { quote } from '../../errors.ts'
import { NonRetryableError } from '../../job/execution/failure.ts'
import type { Isolation } from '../../job/type/isolation.ts'
import type { JobContext } from '../../job/type/job-type.ts'
import type { LogFields, Logger } from '../../logger.ts'
import type { Channel, ChannelEvents, IsolateEnd } from './channel.ts'
import { IsolateCrashedError } from './channel.ts'
import { openProcess } from './child-process.ts'
import { Lines } from './lines.ts'
import type { News, Order, OutputStream, RunFacts } from './messages.ts'
import { describeError, rebuildError } from './sent-error.ts'
import { openThread } from './thread.ts'

/** How long a handler may take to end once its signal is aborted. */
const KILL_AFTER_MS = 1_000
/** How long an isolate may take to end by itself. */
const FAREWELL_MS = 1_000
/** How long what a run has printed may be on its way after its end. */
const DRAIN_MS = 1_000

export interface IsolateOptions {
  readonly env: Env
  readonly logger: Logger
  readonly jobType: string
  readonly isolation: Isolation
}

/** The isolate was gone before the run reached it: another one may do it. */
export class NotBegunError extends Error {}

interface Run {
  readonly number: number
  readonly context: JobContext
  readonly resolve: (output: unknown) => void
  readonly reject: (error: unknown) => void
  /** Whether the isolate had its handler when it was given the run. */
  readonly wasReady: boolean
  hasBegun: boolean
  /** Streams whose output is complete. */
  readonly drained: Set<OutputStream>
  /** What is to be said once all output is here. */
  settle: (() => void) | null
}

/** A thread or process that runs the handler of one job type, one run at a time. */
export class Isolate {
  readonly ended: Promise<void>
  readonly #options: IsolateOptions
  readonly #channel: Channel
  readonly #lines: Readonly<Record<OutputStream, Lines>>
  #tellEnded: () => void = () => {}
  #run: Run | null = null
  #runs = 0
  #isReady = false
  #fatal: { readonly error: unknown } | null = null
  #isUsable = true
  #hasEnded = false

  constructor(options: IsolateOptions) {
    this.#options = options
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve
    })
    this.#lines = { stdout: this.#linesOf('stdout'), stderr: this.#linesOf('stderr') }
    this.#channel = this.#open()
    this.#send({ kind: 'load', jobType: options.jobType, handler: options.isolation.handler })
  }

  /** Whether it may be given another run. */
  get isUsable(): boolean {
    return this.#isUsable
  }

  /** Rejects with what the handler throws, or with how the isolate has ended. */
  async run(input: unknown, context: JobContext): Promise<unknown> {
    const { env } = this.#options
    const { signal } = context
    let stopTimer: CancelTimer = () => {}
    const abort = () => {
      this.#send({ kind: 'abort', run: this.#runs, reason: describeError(signal.reason) })
      stopTimer = env.after(KILL_AFTER_MS, () => this.#killDeaf(context))
    }
    try {
      return await new Promise((resolve, reject) => {
        this.#begin(input, { context, resolve, reject })
        if (signal.aborted) abort()
        else signal.addEventListener('abort', abort, { once: true })
      })
    } finally {
      this.#run = null
      stopTimer()
      signal.removeEventListener('abort', abort)
    }
  }

  /** Lets it end by itself, and kills it where it does not. */
  async retire(): Promise<void> {
    this.#isUsable = false
    this.#send({ kind: 'stop' })
    const cancel = this.#options.env.after(FAREWELL_MS, () => this.kill())
    await this.ended
    cancel()
  }

  kill(): void {
    this.#isUsable = false
    if (!this.#hasEnded) this.#channel.kill()
  }

  #open(): Channel {
    const { env, jobType, isolation } = this.#options
    const { kind, memoryMb } = isolation
    const events: ChannelEvents = {
      onNews: (news) => this.#hear(news),
      onOutput: (stream, text) => this.#lines[stream].add(text),
      onEnd: (end) => this.#end(end),
    }
    return kind === 'thread'
      ? openThread({ jobType, memoryMb }, events)
      : openProcess({ jobType, memoryMb }, events, env)
  }

  #begin(input: unknown, { context, resolve, reject }: Pick<Run, 'context' | 'resolve' | 'reject'>): void {
    this.#runs += 1
    const number = this.#runs
    try {
      const text = encodeInput(input, 'The output of its schema', Number.POSITIVE_INFINITY)
      this.#channel.send({ kind: 'run', run: number, input: text, facts: factsOf(context) })
    } catch (error) {
      reject(unsendable(this.#options.jobType, error))
      return
    }
    this.#run = {
      number,
      context,
      resolve,
      reject,
      wasReady: this.#isReady,
      hasBegun: false,
      drained: new Set(),
      settle: null,
    }
  }

  #send(order: Order): void {
    try {
      this.#channel.send(order)
    } catch {
      // One that is gone needs no orders.
    }
  }

  #hear(news: News): void {
    if (news.kind === 'fatal') {
      this.#isUsable = false
      this.#fatal = { error: rebuildError(news.error) }
      this.#options.env.after(FAREWELL_MS, () => this.kill())
      return
    }
    if (news.kind === 'ready') {
      this.#isReady = true
      return
    }
    const run = this.#run
    // What a handler says after its end is not the next one's.
    if (news.kind === 'output' || news.run !== run?.number) return
    switch (news.kind) {
      case 'begun':
        run.hasBegun = true
        break
      case 'log':
        run.context.logger[news.level](news.message, JSON.parse(news.fields) as LogFields)
        break
      case 'progress':
        run.context.progress(news.fraction, news.note ?? undefined)
        break
      case 'checkpoint':
        this.#answer(news, async () => await run.context.checkpoint(decodeValue(news.text)))
        break
      case 'lastCheckpoint':
        this.#answer(news, async () => await run.context.lastCheckpoint())
        break
      case 'done':
        this.#settle(run, 'resolve', decodeValue(news.output))
        break
      case 'failed':
        this.#settle(run, 'reject', rebuildError(news.error))
    }
  }

  #answer({ run, question }: { readonly run: number; readonly question: number }, ask: () => Promise<unknown>): void {
    ask().then(
      (value) => this.#send({ kind: 'answer', run, question, text: encodeValue(value, 'Checkpoint') }),
      (error: unknown) => this.#send({ kind: 'refusal', run, question, reason: describeError(error) }),
    )
  }

  #settle(run: Run, how: 'resolve' | 'reject', value: unknown): void {
    const settle = () => run[how](value)
    if (run.drained.size === 2) {
      settle()
      return
    }
    // A handler may have closed its streams: then nothing is known of what the next one would print.
    const cancel = this.#options.env.after(DRAIN_MS, () => {
      this.#flush()
      settle()
      void this.retire()
    })
    run.settle = () => {
      cancel()
      settle()
    }
  }

  #flush(): void {
    this.#lines.stdout.flush()
    this.#lines.stderr.flush()
  }

  #linesOf(stream: OutputStream): Lines {
    const level = stream === 'stdout' ? 'info' : 'warn'
    return new Lines({
      onLine: (line) => {
        const { logger, jobType } = this.#options
        if (this.#run) this.#run.context.logger[level](line, { stream })
        else logger[level]('An isolate has printed something outside of any run', { jobType, stream, line })
      },
      onEnd: () => {
        this.#run?.drained.add(stream)
        if (this.#run?.drained.size === 2) this.#run.settle?.()
      },
    })
  }

  #killDeaf(context: JobContext): void {
    const { logger, jobType, isolation } = this.#options
    const facts = { jobType, executionId: context.executionId, attempt: context.attempt }
    logger.warn(`An isolated handler does not end although its attempt is over: its ${isolation.kind} is killed`, facts)
    this.kill()
  }

  #end(end: IsolateEnd): void {
    const { jobType, isolation, logger } = this.#options
    const wasUsable = this.#isUsable
    this.#isUsable = false
    this.#hasEnded = true
    this.#flush()
    const error = this.#fatal
      ? this.#fatal.error
      : new IsolateCrashedError(jobType, isolation.kind, end, isolation.memoryMb)
    const run = this.#run
    if (run?.settle) run.settle()
    else if (run) run.reject(run.hasBegun || !run.wasReady ? error : new NotBegunError())
    else if (wasUsable || this.#fatal) logger.warn('An isolate ended while nothing ran in it', { jobType, error })
    this.#tellEnded()
  }
}

/** What the isolate has its own of. */
const NOT_SENT: ReadonlySet<string> = new Set<keyof JobContext>([
  'signal',
  'logger',
  'progress',
  'checkpoint',
  'lastCheckpoint',
])

/** What is plain data in the context of a handler. */
function factsOf(context: JobContext): RunFacts {
  return Object.fromEntries(Object.entries(context).filter(([name]) => !NOT_SENT.has(name))) as unknown as RunFacts
}

function unsendable(jobType: string, cause: unknown): NonRetryableError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `Input of job type ${quote(jobType)} cannot be sent to an isolate. ${reason}`
  return new NonRetryableError(message, { cause })
}
