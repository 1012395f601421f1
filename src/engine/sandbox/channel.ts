import { PontualError, quote } from '../../errors.ts'
import type { IsolateKind } from '../../job/type/isolation.ts'
import type { News, Order, OutputStream } from './messages.ts'

/** A thread or a process, from outside. */
export interface Channel {
  /** Throws where the data cannot be sent. */
  send(order: Order): void
  /** Ends it, whatever it does. */
  kill(): void
}

export interface ChannelEvents {
  onNews(news: News): void
  onOutput(stream: OutputStream, text: string): void
  /** It is gone, and all it has said was heard. */
  onEnd(end: IsolateEnd): void
}

/** How a thread or a process has ended. */
export interface IsolateEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly isOutOfMemory: boolean
  /** Why it could not even be started, where that is so. */
  readonly cause: unknown
}

export interface ChannelOptions {
  readonly jobType: string
  readonly memoryMb: number | null
}

const KINDS: ReadonlySet<unknown> = new Set<News['kind']>([
  'ready',
  'begun',
  'done',
  'failed',
  'fatal',
  'log',
  'progress',
  'checkpoint',
  'lastCheckpoint',
  'output',
])

/** Whether a message is one of ours: what runs in an isolate may find its way to the channel. */
export function isNews(message: unknown): message is News {
  return typeof message === 'object' && message !== null && KINDS.has(Reflect.get(message, 'kind'))
}

/** What has ended an isolate that has said what the node cannot read: it was not Pontual that said it. */
export function unreadable(cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
  return new Error(`its message to the node cannot be read: ${reason}`, { cause })
}

/** The thread or process of an isolated handler ended before the handler did. Only that attempt has failed, and it is tried again. */
export class IsolateCrashedError extends PontualError {
  /** @internal */
  constructor(jobType: string, kind: IsolateKind, end: IsolateEnd, memoryMb: number | null) {
    const { exitCode, signal, isOutOfMemory, cause } = end
    super(
      'isolate.crashed',
      `The ${kind} of job type ${quote(jobType)} ${describeEnd(end, memoryMb)}.`,
      { kind, exitCode, signal, isOutOfMemory },
      cause === null ? undefined : { cause },
    )
  }
}

/** One whose channel is closed ends itself and all it has started, which looks the same from here. */
const KILLED =
  'was killed by SIGKILL: it has closed its channel to the node, or was killed from outside, as a system that is short of memory does'

function describeEnd({ exitCode, signal, isOutOfMemory, cause }: IsolateEnd, memoryMb: number | null): string {
  if (isOutOfMemory) return `ran out of memory${memoryMb === null ? '' : `, of which it had ${memoryMb} MiB`}`
  if (cause !== null) return `failed: ${cause instanceof Error ? cause.message : quote(cause)}`
  if (signal === 'SIGKILL') return KILLED
  if (signal !== null) return `was ended by ${signal}`
  return `ended with exit code ${exitCode} before its handler did`
}
