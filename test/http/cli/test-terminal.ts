import type { Terminal } from '../../../src/cli/terminal.ts'

export interface TestTerminal extends Terminal {
  /** What was written to standard output. */
  readonly lines: string[]
  /** What was written to standard error. */
  readonly notes: string[]
}

/** A terminal without colours that keeps what is written. */
export function testTerminal(
  options: Partial<Pick<Terminal, 'now' | 'isInteractive' | 'isFollowed' | 'columns'>> = {},
): TestTerminal {
  const lines: string[] = []
  const notes: string[] = []
  return {
    now: 0,
    isInteractive: false,
    isFollowed: false,
    columns: 100,
    ...options,
    lines,
    notes,
    write: (text) => void lines.push(text),
    note: (text) => void notes.push(text),
    tone: (text) => text,
  }
}
