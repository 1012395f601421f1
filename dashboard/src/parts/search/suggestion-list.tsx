import type { Suggestion } from './suggest.ts'
import { searchTexts } from './texts.ts'

interface SuggestionListProps {
  readonly id: string
  readonly options: readonly Suggestion[]
  readonly active: number
  readonly onChoose: (at: number) => void
}

/** What may be meant; the focus stays in the box, the keys are taken there. */
export function SuggestionList({ id, options, active, onChoose }: SuggestionListProps) {
  return (
    <div
      id={`${id}-options`}
      class="suggestions"
      role="listbox"
      tabIndex={-1}
      aria-label={searchTexts.value.suggestions}
      hidden={options.length === 0}
    >
      {options.map(({ text, name, meaning }, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: arrows and Enter are taken by the box.
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box.
        <div
          key={text}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          // Else the box would lose the focus, and the list go away under the pointer.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(at)}
        >
          <code>{name}</code>
          <span class="muted small">{meaning}</span>
        </div>
      ))}
    </div>
  )
}
