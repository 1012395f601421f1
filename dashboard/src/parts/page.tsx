import type { ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'

interface PageProps {
  readonly title: string
  /** Beside the title: a status, a count. */
  readonly aside?: ComponentChildren
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

/** A page: what it is called stands at its top and in the browser's tab. */
export function Page({ title, aside, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Pontual`
  }, [title])
  return (
    <>
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>
            {title} {aside}
          </h1>
          {lead && <div class="lead">{lead}</div>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  /** Takes the whole width of a grid. */
  readonly isWide?: boolean
  /** What an address may lead to. */
  readonly id?: string
}

/** A part of a page, in a frame of its own. */
export function Section({ title, actions, children, isWide, id }: SectionProps) {
  const titleId = useId()
  return (
    <section id={id} class={`section ${isWide ? 'wide' : ''}`} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** One figure with its name. */
export function Figure({
  name,
  children,
  note,
  tone,
}: {
  readonly name: string
  readonly children: ComponentChildren
  readonly note?: ComponentChildren
  readonly tone?: 'good' | 'bad' | 'warn'
}) {
  return (
    <div class={`figure ${tone ?? ''}`}>
      <dt>{name}</dt>
      <dd class="figure-value">{children}</dd>
      {note !== undefined && <dd class="figure-note">{note}</dd>}
    </div>
  )
}

/** Names and values, side by side. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
