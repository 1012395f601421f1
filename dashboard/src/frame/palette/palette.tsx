import './palette.css'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { withParameters } from '../../api/ask.ts'
import { useAnswer } from '../../api/questions.ts'
import type { JobView, Page } from '../../api/wire.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { type Entry, entriesFor } from './entries.ts'
import { EntryList } from './entry-list.tsx'
import { idIn, searchOf } from './search-text.ts'
import { paletteTexts } from './texts.ts'

const SHOWN = 8

const STILL_MS = 150

/** Jobs that fit what was typed, asked for once somebody stops typing. What is not understood, as half a token, finds nothing. */
function useJobSearch(typed: string): { readonly jobs: readonly JobView[]; readonly isSearching: boolean } {
  const q = idIn(typed) === null ? searchOf(typed) : ''
  const asked = useSettled(q)
  const found = useAnswer<Page<JobView>>(withParameters('jobs', { q: asked, limit: SHOWN }), {
    isAsked: asked !== '',
    isLive: false,
    keepsLast: true,
  })
  const isSearching = q !== asked || found.isFetching
  if (q === '' || asked === '' || (found.error && !isSearching)) return { jobs: [], isSearching }
  return { jobs: found.data?.items ?? [], isSearching }
}

/** What something is once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), STILL_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

export interface PaletteProps {
  readonly onClose: () => void
}

/** One field that finds pages, jobs and things to do. The focus stays in it: arrows say what is meant. */
export function Palette({ onClose }: PaletteProps) {
  const texts = paletteTexts.value
  const typed = useSignal('')
  // By what it is rather than by its place: jobs that are found meanwhile move it, and it stays meant.
  const meant = useSignal<string | null>(null)
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [, go] = useLocation()
  const { jobs, isSearching } = useJobSearch(typed.value)
  const entries = entriesFor(typed.value, jobs)
  const chosen = Math.max(
    0,
    entries.findIndex(({ key }) => key === meant.value),
  )
  useEffect(() => field.current?.focus(), [])

  const open = ({ to }: Entry) => {
    onClose()
    if (typeof to === 'string') go(to)
    else to()
  }
  const onKeyDown = (event: JSX.TargetedKeyboardEvent<HTMLInputElement>) => {
    const entry = entries[chosen]
    if (event.key === 'Enter' && entry) open(entry)
    else if (event.key in STEPS) meant.value = entries[stepFrom(chosen, event.key, entries.length)]?.key ?? null
    else return
    event.preventDefault()
  }
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <div class="palette">
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={texts.title}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={entries.length === 0 ? undefined : `${listId}-${chosen}`}
          placeholder={texts.placeholder}
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value
            meant.value = null
          }}
          onKeyDown={onKeyDown}
        />
        <EntryList id={listId} entries={entries} chosen={chosen} onOpen={open} />
        <p class="palette-foot muted small">
          <span role="status">{isSearching ? texts.searching : texts.found(entries.length)}</span>
          <span>{texts.hint}</span>
        </p>
      </div>
    </Dialog>
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

/** One step goes round; a larger one stops at the end. */
function stepFrom(chosen: number, key: string, count: number): number {
  const step = STEPS[key] ?? 0
  if (Math.abs(step) === 1) return (chosen + step + count) % count
  return Math.max(0, Math.min(count - 1, chosen + step))
}
