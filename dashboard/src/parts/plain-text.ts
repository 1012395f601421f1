const ESCAPE = String.fromCharCode(27)
const BELL = String.fromCharCode(7)
/** Colours, cursor moves and titles that a terminal would obey. */
const SEQUENCES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)?|[@-Z\\\\^_])`,
  'g',
)
/** What else has no shape, but a tab and the end of a line. Marks that turn the direction of a text around could show another text than there is. */
const SHAPELESS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** A text as it can be read on a page: without what is meant for a terminal. */
export function plainText(text: string): string {
  return text.replace(SEQUENCES, '').replace(SHAPELESS, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s*\n\s*/g, ' ⏎ ')
}
