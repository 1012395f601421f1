import type { HandlerSource } from '../../job/type/isolation.ts'
import type { JobContext } from '../../job/type/job-type.ts'
import type { LogLevel } from '../../logger.ts'
import type { SentError } from './sent-error.ts'

/** What a handler is told about its run, as far as it is plain data. */
export type RunFacts = Omit<JobContext, 'signal' | 'logger' | 'progress' | 'checkpoint' | 'lastCheckpoint'>

/** What the node tells an isolate. Runs are numbered, and never overlap. */
export type Order =
  | { readonly kind: 'load'; readonly jobType: string; readonly handler: HandlerSource }
  /** Inputs, outputs and the texts of answers are as the durable codec has them. */
  | { readonly kind: 'run'; readonly run: number; readonly input: string | null; readonly facts: RunFacts }
  | { readonly kind: 'abort'; readonly run: number; readonly reason: SentError }
  /** To a question of its run. */
  | { readonly kind: 'answer'; readonly run: number; readonly question: number; readonly text: string | null }
  | { readonly kind: 'refusal'; readonly run: number; readonly question: number; readonly reason: SentError }
  | { readonly kind: 'stop' }

export type OutputStream = 'stdout' | 'stderr'

/** What an isolate tells the node. */
export type News =
  /** Its handler is loaded. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun'; readonly run: number }
  | { readonly kind: 'done'; readonly run: number; readonly output: string | null }
  | { readonly kind: 'failed'; readonly run: number; readonly error: SentError }
  /** It cannot go on, and ends. */
  | { readonly kind: 'fatal'; readonly error: SentError }
  /** `fields` is JSON text. */
  | {
      readonly kind: 'log'
      readonly run: number
      readonly level: LogLevel
      readonly message: string
      readonly fields: string
    }
  | { readonly kind: 'progress'; readonly run: number; readonly fraction: number; readonly note: string | null }
  /** Questions of a run are numbered. */
  | { readonly kind: 'checkpoint'; readonly run: number; readonly question: number; readonly text: string | null }
  | { readonly kind: 'lastCheckpoint'; readonly run: number; readonly question: number }
  /** What a thread prints; a process has pipes for it. */
  | { readonly kind: 'output'; readonly stream: OutputStream; readonly text: string }

/**
 * Ends what a run prints, on both streams. Pipes and messages overtake each other: what was printed is complete when its mark has come, not when
 * the handler has ended.
 */
export const END_OF_OUTPUT = '\u0000pontual:end\n'

/** How much a thread may have said that the node has not heard yet, in characters: as much as a pipe holds. */
export const MAX_UNHEARD = 65_536
const NEWS_WEIGHT = 64

/** How much of that a piece of news takes. */
export function weightOf(news: News): number {
  if (news.kind === 'output') return NEWS_WEIGHT + news.text.length
  if (news.kind === 'checkpoint') return NEWS_WEIGHT + (news.text?.length ?? 0)
  if (news.kind === 'log') return NEWS_WEIGHT + news.message.length + news.fields.length
  return NEWS_WEIGHT
}

/** What a thread is given to begin with. */
export interface ThreadData {
  /** The weight of what it has said and nobody has heard yet. */
  readonly unheard: Int32Array
  /** Modules to load before its handler. */
  readonly preloads: readonly string[]
}

/** The way from an isolate to its node. */
export interface NodePort {
  send(news: News): void
  hear(listener: (order: Order) => void): void
  /** Marks both streams: what a run has printed is complete. */
  endOutput(): void
  /** Sends the last news, if there are any, and ends the isolate. */
  leave(exitCode: number, news?: News): void
}
