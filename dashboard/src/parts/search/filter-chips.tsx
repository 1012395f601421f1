import { Icon } from '../icon.tsx'
import { type Filter, filtersOf, withoutFilter } from './filters.ts'
import type { SearchKey } from './suggest.ts'
import { searchTexts } from './texts.ts'

interface FilterChipsProps {
  readonly query: string
  readonly keys: readonly SearchKey[]
  readonly onChange: (query: string) => void
}

/** What a search is narrowed down to, each to be taken away. */
export function FilterChips({ query, keys, onChange }: FilterChipsProps) {
  const filters = filtersOf(query)
  if (filters.length === 0) return null
  return (
    <ul class="chips" aria-label={searchTexts.value.filters}>
      {filters.map((filter) => (
        <li key={`${filter.key}:${filter.value}`}>
          <button
            type="button"
            class="chip"
            aria-label={searchTexts.value.remove(toldFilter(filter, keys))}
            onClick={() => onChange(withoutFilter(query, filter))}
          >
            {toldFilter(filter, keys)}
            <Icon name="close" size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function toldFilter({ key, value }: Filter, keys: readonly SearchKey[]): string {
  const known = keys.find((each) => each.key === key)
  const name = known?.values.find((each) => each.value.toLowerCase() === value.toLowerCase())?.name
  return `${known?.name ?? key}: ${name ?? value}`
}
