import { signal } from '@preact/signals'

export interface Notice {
  readonly id: number
  readonly tone: 'good' | 'bad' | 'info'
  readonly text: string
}

const SHOWN_MS = 6_000
const LONGEST = 4

export const notices = signal<readonly Notice[]>([])
let last = 0

/** Says something at the edge of the page; what went wrong stays until it is closed. */
export function tell(tone: Notice['tone'], text: string): void {
  const id = ++last
  notices.value = [...notices.value, { id, tone, text }].slice(-LONGEST)
  if (tone !== 'bad') setTimeout(() => closeNotice(id), SHOWN_MS)
}

export function closeNotice(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}
