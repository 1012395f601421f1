/** What is put where something was taken out. */
const GAP = '…'
const MAX_READ = 1_000
const MAX_LENGTH = 300

type TakeOut = readonly [what: RegExp, rest: (found: string) => string]

const nothing = () => GAP
/** A word of letters alone is no id, however long. */
const unlessWord = (found: string) => (/\d/.test(found) ? GAP : found)

/** What differs from one failure to the next of the same kind, in the order in which it is taken out. None of it looks at a character over and over. */
const TAKEN_OUT: readonly TakeOut[] = [
  // What is asked for at an address.
  [/\bhttps?:\/\/[^\s"'<>]+/g, (url) => url.replace(/[?#].*/, GAP)],
  // Quoted parts, and no apostrophes.
  [/"[^"]*"|`[^`]*`|“[^“”]*”|«[^«»]*»|(?<![\p{L}\d])'[^']*'(?![\p{L}\d])/gu, nothing],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, nothing],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, nothing],
  [/\b0x[0-9a-f]+\b/gi, nothing],
  [/\b[0-9a-f]{8,}\b/gi, unlessWord],
  [/[\w-]{16,}/g, unlessWord],
  // Numbers, addresses and ports among them.
  [/\d(?:[.,:]?\d)*/g, nothing],
]

/** An error's message without what makes it differ from that of another failure of the same kind. */
export function failurePattern(message: string): string {
  let text = message.slice(0, MAX_READ)
  for (const [what, rest] of TAKEN_OUT) text = text.replace(what, rest)
  return text
    .replaceAll(/…(?:[-_./:]?…)+/g, GAP)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
}
