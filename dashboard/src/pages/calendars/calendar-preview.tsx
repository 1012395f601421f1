import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { CalendarJson } from '../../../../src/time/calendars/json.ts'
import { ask } from '../../api/ask.ts'
import type { CalendarPreviewView } from '../../api/wire.ts'
import { dateTime } from '../../language/format.ts'
import { ProblemBox } from '../../parts/answer.tsx'
import { calendarTexts } from './texts.ts'

const SETTLE_MS = 400
const SHOWN = 8

/** Which fires would change, before anything is saved. */
export function CalendarPreview({ name, definition }: { readonly name: string; readonly definition: CalendarJson }) {
  const texts = calendarTexts.value
  const text = useSettled(JSON.stringify(definition))
  const preview = useQuery<CalendarPreviewView, Error>({
    queryKey: ['calendar preview', name, text],
    queryFn: ({ signal }) =>
      ask<CalendarPreviewView>(`jobs/calendars/${encodeURIComponent(name)}/preview`, {
        method: 'POST',
        signal,
        body: { definition: JSON.parse(text) as unknown },
      }),
    retry: false,
    meta: { isLive: false },
  })
  return (
    <section aria-label={texts.preview} class="stack" aria-live="polite">
      <h3>{texts.preview}</h3>
      {preview.error ? (
        <ProblemBox error={preview.error} />
      ) : preview.data === undefined ? (
        <p class="muted">{texts.previewing}</p>
      ) : (
        <>
          <Changes preview={preview.data} />
          <Approvals jobs={preview.data.approvals} />
        </>
      )}
    </section>
  )
}

function Changes({ preview: { jobs, isPartial } }: { readonly preview: CalendarPreviewView }) {
  const texts = calendarTexts.value
  const changed = jobs.filter(({ addedCount, removedCount }) => addedCount + removedCount > 0)
  if (changed.length === 0) return <p class="muted">{texts.noChange}</p>
  return (
    <>
      <ul class="stack">
        {changed.map((job) => (
          <li key={job.jobId}>
            <Link href={`/${job.jobId}`}>{job.name}</Link>
            <Instants title={texts.removed(job.removedCount)} instants={job.removed} tone="removed" />
            <Instants title={texts.added(job.addedCount)} instants={job.added} tone="added" />
          </li>
        ))}
      </ul>
      {isPartial && <p class="muted">{texts.partial}</p>}
    </>
  )
}

/** The jobs that wait for a new approval once the calendar is saved. */
function Approvals({ jobs }: { readonly jobs: CalendarPreviewView['approvals'] }) {
  if (jobs.length === 0) return null
  return (
    <div>
      <p>
        <strong>{calendarTexts.value.approvals}</strong>
      </p>
      <ul>
        {jobs.map(({ jobId, name }) => (
          <li key={jobId}>
            <Link href={`/${jobId}`}>{name}</Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface InstantsProps {
  readonly title: string
  readonly instants: readonly string[]
  readonly tone: 'removed' | 'added'
}

function Instants({ title, instants, tone }: InstantsProps) {
  if (instants.length === 0) return null
  const shown = instants.slice(0, SHOWN).map((at) => dateTime(at, { hasSeconds: false }))
  return (
    <p class={`changed ${tone}`}>
      <strong>{title}:</strong> {shown.join(' · ')}
      {instants.length > SHOWN && ' …'}
    </p>
  )
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
