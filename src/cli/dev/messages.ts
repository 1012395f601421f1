import type { Locale } from '../../time/locale.ts'
import type { ModulePattern, ProjectOptions } from '../config/load-project.ts'

/** What the process that runs the user's jobs is to run. */
export interface Assignment extends ProjectOptions {
  readonly directory: string
  /** null: in memory. */
  readonly data: string | null
  /** The language of the demo beside the user's jobs; null: no demo. */
  readonly demo: Locale | null
  readonly port?: number | undefined
}

/** To that process. */
export type Order =
  | { readonly kind: 'load'; readonly assignment: Assignment }
  | { readonly kind: 'open'; readonly port?: number | undefined; readonly isFirst: boolean }
  | { readonly kind: 'stop' }

/** What of an error can be sent. */
export interface SentProblem {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly isInvalidInput: boolean
}

/** What was read, and where more could turn up: whoever waits for a change looks there. */
export interface Sources {
  readonly files: readonly string[]
  readonly patterns: readonly ModulePattern[]
  /** One that was looked for, and is not there. */
  readonly missing: string | null
}

/** From that process. */
export type News =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loaded'; readonly sources: Sources; readonly jobs: readonly string[] }
  | { readonly kind: 'unloadable'; readonly sources: Sources; readonly problem: SentProblem }
  | { readonly kind: 'running'; readonly url: string; readonly dashboardUrl: string | null }
  | { readonly kind: 'failed'; readonly problem: SentProblem }
