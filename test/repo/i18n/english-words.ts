/** Words that stand in nearly every English sentence, and in no Portuguese one. Those that are also names of fields are left out. */
const ENGLISH = new Set(
  (
    'a-the the must is are was were be been of got and or not with has have had there this that these those which who whose it its they them ' +
    'needs need cannot only than more least most such expected required whole number list object field fields invalid unknown nothing already ' +
    'give either too many long characters received an so nobody somebody try again send value option one no-such another without while ' +
    'would could should can may does did done too-big too-small input string array record key keys allowed forbidden missing'
  ).split(' '),
)

/** English words that are left in a text; what is quoted, and names such as `retryCount` or `jobs:read`, are nobody's words. */
export function englishIn(text: string): string[] {
  const own = text
    .replaceAll(/"(?:[^"\\]|\\.)*("|$)/g, ' ')
    .replaceAll(/[A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*|[\w-]+[.:/@_][\w.:/@-]*|[A-Z][\w]*-[\w-]+/g, ' ')
  return (own.toLowerCase().match(/[\p{L}-]+/gu) ?? []).filter((word) => ENGLISH.has(word))
}
