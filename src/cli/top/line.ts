import { cutToWidth, textWidth } from '../print/text-width.ts'
import type { Terminal, Tone } from '../terminal.ts'

/** A piece of a line: as it is, or in a tone. */
type Piece = string | readonly [string, (Tone | undefined)?]

export type Line = readonly Piece[]

/** A line that is no longer than a terminal is wide, in colours where it has any. */
export function renderLine(
  line: Line,
  { columns, tone }: { readonly columns: number; readonly tone: Terminal['tone'] },
): string {
  let left = columns
  let rendered = ''
  for (const piece of line) {
    const [text, colour] = typeof piece === 'string' ? [piece] : piece
    if (left <= 0) break
    const shown = cutToWidth(text, left)
    left -= textWidth(shown)
    rendered += colour === undefined || shown.trim() === '' ? shown : tone(shown, colour)
  }
  return rendered.trimEnd()
}
