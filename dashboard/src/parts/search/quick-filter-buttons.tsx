import { number } from '../../language/format.ts'
import { type Filter, replaceFilters, saysJust } from './filters.ts'

export interface QuickFilter {
  readonly name: string
  readonly filters: readonly Filter[]
  /** How many it finds; null or absent where that is not known. */
  readonly count?: number | null
}

interface QuickFilterButtonsProps {
  readonly label: string
  /** What they have the say about: whatever the search says by other keys stays. */
  readonly keys: readonly string[]
  readonly groups: readonly QuickFilter[]
  readonly query: string
  readonly onChange: (query: string) => void
}

/** Searches that take one click, and another one to take them back. */
export function QuickFilterButtons({ label, keys, groups, query, onChange }: QuickFilterButtonsProps) {
  return (
    <fieldset class="chips quick-filters">
      <legend class="visually-hidden">{label}</legend>
      {groups.map(({ name, filters, count = null }) => {
        const isOn = saysJust(query, keys, filters)
        return (
          <button
            key={name}
            type="button"
            class="chip"
            aria-pressed={isOn}
            onClick={() => onChange(replaceFilters(query, keys, isOn ? [] : filters))}
          >
            {name}
            {count !== null && <span class="muted number">{number(count)}</span>}
          </button>
        )
      })}
    </fieldset>
  )
}
