import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'

interface TabsProps<Key extends string> {
  readonly label: string
  readonly tabs: readonly { readonly key: Key; readonly name: string }[]
  readonly chosen: Key
  readonly onChoose: (key: Key) => void
}

/** One of several; arrows go from one to the next. What is chosen is shown below by whoever uses this. */
export function Tabs<Key extends string>({ label, tabs, chosen, onChoose }: TabsProps<Key>) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: JSX.TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = (tabs.findIndex(({ key }) => key === chosen) + step + tabs.length) % tabs.length
    const next = tabs[at]
    if (!next) return
    onChoose(next.key)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[at]?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map(({ key, name }) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={key === chosen}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => onChoose(key)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
