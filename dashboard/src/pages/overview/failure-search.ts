const LONGEST = 120

/** How executions with an error are searched for: by the longest part that all messages share, as text that is never taken for a token. `…` stands where they differ. */
export function failureSearch(message: string): string {
  const parts = message.split(/[…"\n]/u).map((part) => part.trim())
  const longest = parts.reduce((found, part) => (part.length > found.length ? part : found), '')
  const failed = 'status:failed,timeout'
  return longest === '' ? failed : `${failed} "${longest.slice(0, LONGEST).trim()}"`
}
