import './run-strip.css'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ExecutionStatus } from '../api/wire.ts'
import { dateTime, duration } from '../language/format.ts'
import { inBoth } from '../language/language.ts'
import { executionStatusName } from '../language/names.ts'
import { toneOf } from './status.tsx'

/** What of an execution is told by a strip. */
export interface StripRun {
  readonly id: string
  readonly status: ExecutionStatus
  readonly createdAt: string
  readonly durationMs: number | null
  readonly errorMessage: string | null
}

const stripTexts = inBoth({
  'pt-BR': {
    label: (count: number) => `Últimas ${count} execuções, da mais antiga à mais recente`,
    none: 'Nenhuma ainda',
  },
  en: { label: (count: number) => `Last ${count} runs, the oldest first`, none: 'None yet' },
})

/** Each is high enough to be seen. */
const LEAST_SHARE = 0.25

/**
 * The last runs of a job, a bar for each in the colour of how it ended and as high as it took; each leads to its execution. The strip is one stop of the
 * keyboard, arrows go along it.
 */
export function RunStrip({ runs }: { readonly runs: readonly StripRun[] }) {
  const list = useRef<HTMLOListElement>(null)
  const texts = stripTexts.value
  if (runs.length === 0) return <span class="muted small">{texts.none}</span>
  const longest = Math.max(1, ...runs.map(({ durationMs }) => durationMs ?? 0))
  const move = (event: JSX.TargetedKeyboardEvent<HTMLOListElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    links[links.indexOf(document.activeElement as HTMLAnchorElement) + step]?.focus()
  }
  return (
    <ol ref={list} class="run-strip" aria-label={texts.label(runs.length)} onKeyDown={move}>
      {runs.toReversed().map((run, at) => (
        <li key={run.id}>
          <Bar run={run} longest={longest} isStop={at === runs.length - 1} />
        </li>
      ))}
    </ol>
  )
}

function Bar({ run, longest, isStop }: { readonly run: StripRun; readonly longest: number; readonly isStop: boolean }) {
  const told = tellRun(run)
  const share = Math.max(LEAST_SHARE, (run.durationMs ?? longest) / longest)
  return (
    <Link
      href={`/executions/${run.id}`}
      class={`run ${toneOf(run.status)} ${run.status}`}
      aria-label={told}
      title={told}
      tabIndex={isStop ? 0 : -1}
    >
      <span style={{ '--share': share.toFixed(2) }} />
    </Link>
  )
}

function tellRun({ status, createdAt, durationMs, errorMessage }: StripRun): string {
  const parts = [executionStatusName(status), dateTime(createdAt), durationMs === null ? null : duration(durationMs)]
  const told = parts.filter((part) => part !== null).join(' · ')
  return errorMessage === null ? told : `${told}\n${errorMessage}`
}
