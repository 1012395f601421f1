import { shownLine } from './shown-text.ts'

/** A word as it can be pasted behind a command: quoted where a shell would take it for anything else than one word. */
export function shellWord(text: string): string {
  const shown = shownLine(text)
  return /^[\p{L}\p{N}._:@/+-]+$/u.test(shown) && !shown.startsWith('-') ? shown : `'${shown.replaceAll("'", `'\\''`)}'`
}
