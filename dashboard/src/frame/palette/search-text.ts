const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id that somebody has pasted, in letters of the usual size; null where it is something else. */
export function idIn(typed: string): string | null {
  const text = typed.trim()
  return UUID.test(text) ? text.toLowerCase() : null
}

/** The keys of tokens with which jobs are searched. */
const TOKEN = /(?:^|\s)(?:status|tag|type|priority|after|before):\S/i

/** What is asked of the server: tokens where somebody uses them, else text as it stands, in quotes so that no part of it is taken for a token. */
export function searchOf(typed: string): string {
  const text = typed.trim()
  if (text === '' || TOKEN.test(text)) return text
  const words = text.replaceAll('"', ' ').trim()
  return words === '' ? '' : `"${words}"`
}

/** Whether every word that was typed occurs in a name; letters with and without accents are the same. */
export function isNamed(name: string, typed: string): boolean {
  const plain = withoutAccents(name)
  return withoutAccents(typed)
    .split(/\s+/)
    .every((word) => plain.includes(word))
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}
