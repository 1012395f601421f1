/** Which jobs something is to be done to: some of those that are shown, or all that the search finds. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly isAll: boolean
}

export const NOTHING: Selection = { ids: new Set(), isAll: false }

export function isSelected({ ids, isAll }: Selection, id: string): boolean {
  return isAll || ids.has(id)
}

export function isEmpty({ ids, isAll }: Selection): boolean {
  return !isAll && ids.size === 0
}

/** With one more or one less. Whoever takes one out of all that match means those that he sees. */
export function toggled(selection: Selection, id: string, shown: readonly string[]): Selection {
  const ids = new Set(selection.isAll ? shown : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, isAll: false }
}

/** All that are shown, or none where all of them were. */
export function toggledAll(selection: Selection, shown: readonly string[]): Selection {
  return shownState(selection, shown) === 'all' ? NOTHING : { ids: new Set(shown), isAll: false }
}

export function shownState(selection: Selection, shown: readonly string[]): 'none' | 'some' | 'all' {
  const count = shown.filter((id) => isSelected(selection, id)).length
  if (count === 0) return 'none'
  return count === shown.length ? 'all' : 'some'
}
