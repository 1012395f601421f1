import process from 'node:process'
import { stripVTControlCharacters, styleText } from 'node:util'
import { systemClock } from '../clock.ts'

/** How text may stand out, where there is somebody to see it. */
export type Tone = 'good' | 'bad' | 'warn' | 'dim' | 'strong'

/** What a command needs of the world: where it writes, and what time it is. */
export interface Terminal {
  readonly now: number
  /** To standard output: what was asked for. */
  write(text: string): void
  /** To standard error: how far it is, and what else is worth knowing. `--json` stays JSON. */
  note(text: string): void
  /** Whether somebody looks at standard output, who can be shown a line that changes. */
  readonly isInteractive: boolean
  /** The same of standard error. */
  readonly isFollowed: boolean
  /** The text in a colour where standard output shows colours; elsewhere as it is. */
  readonly tone: (text: string, tone: Tone) => string
  /** How many characters fit in a line. */
  readonly columns: number
}

const STYLES = { good: 'green', bad: 'red', warn: 'yellow', dim: 'dim', strong: 'bold' } as const
const USUAL_COLUMNS = 100

/** The terminal of this process. Colours only where a person looks, and NO_COLOR, FORCE_COLOR and TERM=dumb are heard. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process
  const isColoured = stdout.isTTY ? stdout.hasColors() : isForced()
  return {
    now: systemClock.now(),
    write: (text) => void stdout.write(text),
    // Colours are chosen by where standard output goes, and standard error may go elsewhere.
    note: (text) => void stderr.write(stderr.isTTY || isForced() ? text : stripVTControlCharacters(text)),
    isInteractive: stdout.isTTY === true,
    isFollowed: stderr.isTTY === true,
    tone: (text, tone) => (isColoured ? styleText(STYLES[tone], text, { validateStream: false }) : text),
    // Some say 0 where they do not know.
    columns: stdout.columns || USUAL_COLUMNS,
  }
}

function isForced(): boolean {
  const { FORCE_COLOR } = process.env
  return FORCE_COLOR !== undefined && FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
}
