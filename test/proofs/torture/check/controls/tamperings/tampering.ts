import type { SyntheticHistory } from '../synthetic-history.ts'

/** Something that is wrong in a history, and the invariant that it breaks: this one, and no other. */
export interface Tampering {
  readonly name: string
  readonly invariant: string
  readonly tamper: (history: SyntheticHistory) => void
}

/** Takes out the first that fits. */
export function removeOne<Thing>(things: Thing[], fits: (thing: Thing) => boolean): void {
  const index = things.findIndex(fits)
  if (index < 0) throw new Error('Nothing fits that was to be removed.')
  things.splice(index, 1)
}
