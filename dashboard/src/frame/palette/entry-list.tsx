import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../parts/icon.tsx'
import type { Entry } from './entries.ts'
import { paletteTexts } from './texts.ts'

interface EntryListProps {
  readonly id: string
  readonly entries: readonly Entry[]
  readonly chosen: number
  readonly onOpen: (entry: Entry) => void
}

/** What can be chosen, by groups; the field says which one is meant. */
export function EntryList({ id, entries, chosen, onOpen }: EntryListProps) {
  const texts = paletteTexts.value
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <div id={id} role="listbox" aria-label={texts.results} class="palette-list" ref={list}>
      {groups.map((group) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <p id={`${id}-${group}`} role="presentation">
            {texts.groups[group]}
          </p>
          {entries.map(
            (entry, index) =>
              entry.group === group && (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
                // biome-ignore lint/a11y/useFocusableInteractive: the field says which one is meant.
                <div
                  key={entry.key}
                  id={`${id}-${index}`}
                  role="option"
                  class="palette-entry"
                  aria-selected={index === chosen}
                  onClick={() => onOpen(entry)}
                >
                  <Icon name={entry.icon} />
                  <span>{entry.name}</span>
                  {entry.note !== undefined && <span class="muted small">{entry.note}</span>}
                </div>
              ),
          )}
        </div>
      ))}
    </div>
  )
}
