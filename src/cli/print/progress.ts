import { type Env, systemEnv } from '../../clock.ts'
import type { Terminal } from '../terminal.ts'

/** Tells how far long work is. */
export interface Progress {
  /** How far it is, as a sentence without its end: `12 of 40 entries`. */
  report(text: string): void
  /** What was shown goes: what follows is the answer. */
  end(): void
}

/** A person sees each step, since it overwrites the one before; a log has a line now and then, and none of work that is soon done. */
const REDRAW_MS = 50
const LOG_MS = 5_000

const REWRITE = '\r\x1b[K'

/** Progress goes to standard error. With `--json` there is none. */
export function createProgress(
  terminal: Pick<Terminal, 'note' | 'isFollowed' | 'columns'>,
  { json, env = systemEnv }: { readonly json: boolean; readonly env?: Env },
): Progress {
  if (json) return { report: () => {}, end: () => {} }
  const { isFollowed, columns } = terminal
  const everyMs = isFollowed ? REDRAW_MS : LOG_MS
  let lastAt = env.monotonic() - (isFollowed ? everyMs : 0)
  let isShown = false
  return {
    report(text) {
      if (env.monotonic() - lastAt < everyMs) return
      lastAt = env.monotonic()
      isShown = isFollowed
      // A line that is too long could not be overwritten.
      terminal.note(isFollowed ? `${REWRITE}${text.slice(0, columns - 2)} …` : `${text} …\n`)
    },
    end() {
      if (isShown) terminal.note(REWRITE)
      isShown = false
    },
  }
}
