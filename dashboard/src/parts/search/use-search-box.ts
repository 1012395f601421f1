import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type SearchKey, type Suggestion, suggest } from './suggest.ts'

interface SearchBoxOptions {
  /** What is looked for now. */
  readonly value: string
  readonly onSearch: (query: string) => void
  readonly keys: readonly SearchKey[]
}

interface SearchBox {
  readonly input: { readonly current: HTMLInputElement | null }
  readonly text: string
  /** What may be meant, while that is to be seen. */
  readonly options: readonly Suggestion[]
  /** Which of the options the arrows stand at; -1: at none. */
  readonly active: number
  readonly choose: (at: number) => void
  /** Looks for something else at once. */
  readonly change: (query: string) => void
  readonly close: () => void
  readonly onInput: (input: HTMLInputElement) => void
  readonly onCaret: (input: HTMLInputElement) => void
  readonly onKeyDown: (event: JSX.TargetedKeyboardEvent<HTMLInputElement>) => void
}

const TYPING_MS = 300

/** What is typed, what may be meant by it, and when it is looked for: a moment after the last key, or with Enter. What is unfinished waits for Enter. */
export function useSearchBox({ value, onSearch, keys }: SearchBoxOptions): SearchBox {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const text = useSignal(value)
  const caret = useSignal(value.length)
  const isOpen = useSignal(false)
  const active = useSignal(-1)
  useEffect(() => {
    // Somebody else has changed it: a chip, or the browser's way back.
    if (value !== text.peek().trim()) text.value = value
  }, [value, text])
  useEffect(() => () => clearTimeout(timer.current), [])

  const found = suggest(text.value, caret.value, keys)
  const options = isOpen.value ? found.options : []

  const close = () => {
    isOpen.value = false
    active.value = -1
  }
  const search = (query: string) => {
    clearTimeout(timer.current)
    if (query.trim() !== value) onSearch(query.trim())
  }
  const change = (query: string) => {
    text.value = query
    close()
    search(query)
  }
  const type = (query: string, at: number) => {
    text.value = query
    caret.value = at
    isOpen.value = true
    active.value = -1
    clearTimeout(timer.current)
    if (!suggest(query, at, keys).isUnfinished) timer.current = setTimeout(() => search(query), TYPING_MS)
  }
  const choose = (at: number) => {
    const chosen = found.options[at]
    if (!chosen) return
    const end = found.from + chosen.text.length
    const query = `${text.value.slice(0, found.from)}${chosen.text}${text.value.slice(found.to).trimStart()}`
    const box = input.current
    if (box) {
      // At once, so that the next key finds the caret behind what was put in.
      box.value = query
      box.setSelectionRange(end, end)
      box.focus()
    }
    type(query, end)
    // Behind a key come its values; behind a value there may be nothing more to say.
    isOpen.value = chosen.text.endsWith(':')
  }
  const step = (by: 1 | -1) => {
    const count = found.options.length
    const first = by === 1 ? 0 : count - 1
    active.value = active.value === -1 ? first : (active.value + by + count) % count
    isOpen.value = true
  }
  const onKeyDown = (event: JSX.TargetedKeyboardEvent<HTMLInputElement>) => {
    const isChoosing = options.length > 0 && active.value >= 0
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (event.key === 'Escape' && options.length > 0) close()
    else if ((event.key === 'Enter' || event.key === 'Tab') && isChoosing) choose(active.value)
    else if (event.key === 'Enter') change(text.value)
    else return
    event.preventDefault()
  }
  return {
    input,
    text: text.value,
    options,
    active: active.value,
    choose,
    change,
    close,
    onKeyDown,
    onInput: ({ value: typed, selectionStart }) => type(typed, selectionStart ?? typed.length),
    onCaret: ({ selectionStart }) => (caret.value = selectionStart ?? 0),
  }
}
