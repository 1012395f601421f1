import './search.css'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Button } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { type Filter, filtersOf, withoutFilter } from './filters.ts'
import { SearchHelp } from './search-help.tsx'
import type { SearchKey } from './suggest.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { searchTexts } from './texts.ts'
import { useSearchBox } from './use-search-box.ts'

interface SearchBarProps {
  /** What is looked for, to the eye and to the ear. */
  readonly label: string
  /** What is looked for now. */
  readonly value: string
  readonly onSearch: (query: string) => void
  readonly keys: readonly SearchKey[]
  /** A search as an example, for the help. */
  readonly example: string
  /** Why the server does not understand it. */
  readonly problem?: string | undefined
  /** Told when somebody goes into it, so that values can be fetched to suggest. */
  readonly onEnter?: () => void
}

/** Text and keys to look for, with what may be meant as it is typed, and what it is narrowed down to below. */
export function SearchBar({ label, value, onSearch, keys, example, problem, onEnter }: SearchBarProps) {
  const id = useId()
  const isHelpOpen = useSignal(false)
  const box = useSearchBox({ value, onSearch, keys })
  const isShown = box.options.length > 0
  return (
    <search class={`search field ${problem === undefined ? '' : 'invalid'}`}>
      <div class="search-box">
        <Icon name="search" />
        <input
          ref={box.input}
          id={id}
          type="text"
          role="combobox"
          aria-label={label}
          placeholder={label}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={255}
          value={box.text}
          aria-expanded={isShown}
          aria-controls={`${id}-options`}
          aria-autocomplete="list"
          aria-activedescendant={isShown && box.active >= 0 ? `${id}-${box.active}` : undefined}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onInput={({ currentTarget }) => box.onInput(currentTarget)}
          onClick={({ currentTarget }) => box.onCaret(currentTarget)}
          onKeyDown={box.onKeyDown}
          onFocus={onEnter}
          onBlur={box.close}
        />
        {box.text !== '' && (
          <Button isSmall tone="quiet" icon="close" label={searchTexts.value.clear} onClick={() => box.change('')} />
        )}
        <Button
          isSmall
          tone="quiet"
          icon="whatIf"
          label={searchTexts.value.help}
          onClick={() => (isHelpOpen.value = true)}
        />
        <SuggestionList id={id} options={box.options} active={box.active} onChoose={box.choose} />
      </div>
      {problem !== undefined && (
        <div class="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </div>
      )}
      <FilterChips query={value} keys={keys} onChange={box.change} />
      {isHelpOpen.value && <SearchHelp keys={keys} example={example} onClose={() => (isHelpOpen.value = false)} />}
    </search>
  )
}

interface FilterChipsProps {
  readonly query: string
  readonly keys: readonly SearchKey[]
  readonly onChange: (query: string) => void
}

/** What a search is narrowed down to, each to be taken away. */
function FilterChips({ query, keys, onChange }: FilterChipsProps) {
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
