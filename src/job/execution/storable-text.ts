/** Text as PostgreSQL can hold it: no NUL and no half of a character; cut where it is longer than allowed. */
export function storableText(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return cut.replaceAll('\0', '\u2400').replace(/\p{Surrogate}/gu, '\ufffd')
}
