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
