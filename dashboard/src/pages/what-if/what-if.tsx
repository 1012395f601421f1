import { useInfiniteQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { HOUR_MS } from '../../../../src/duration.ts'
import { ask } from '../../api/ask.ts'
import type { SimulationView } from '../../api/wire.ts'
import { useUrlState } from '../../frame/url-state.ts'
import { instantOf, wallTimeOf } from '../../language/wall-time.ts'
import { viewerZone } from '../../language/zone.ts'
import { Answer, Empty } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { type Outage, STEP_MS, type Window } from './outage.ts'
import { type SimulatedJob, SimulatedJobRow } from './simulated-job.tsx'
import { whatIfTexts } from './texts.ts'
import { Timeline } from './timeline.tsx'
import './what-if.css'

const WINDOW_MS = 48 * HOUR_MS
const LONGEST_MS = 366 * 24 * HOUR_MS
const SETTLE_MS = 250

/** What would become of all jobs if nothing fired for a while. */
export function WhatIf() {
  const texts = whatIfTexts.value
  const [parameters, setParameters] = useUrlState()
  const outage = outageFrom(parameters)
  const window = windowAround(outage)
  const settled = useSettled(outage)
  const simulation = useInfiniteQuery({
    queryKey: ['jobs/simulate', settled.from, settled.to],
    queryFn: ({ pageParam, signal }) =>
      ask<SimulationView>('jobs/simulate', {
        method: 'POST',
        signal,
        body: {
          from: new Date(settled.from).toISOString(),
          to: new Date(settled.to).toISOString(),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
    meta: { isLive: false },
  })
  const jobs = simulation.data?.pages.flatMap((page) => page.jobs) ?? []
  const tooLong = simulation.data?.pages.flatMap((page) => page.tooLong) ?? []
  const put = (next: Outage) => setParameters({ from: wallTimeOf(next.from), to: wallTimeOf(next.to) })
  const shift = (byMs: number) => put({ from: outage.from + byMs, to: outage.to + byMs })
  return (
    <Page title={texts.title} lead={texts.lead}>
      <Section title={texts.timeline}>
        <Timeline window={window} outage={outage} onChange={put} ticks={ticksOf(jobs)} />
        <div class="form-grid">
          <WallField
            label={texts.begin}
            at={outage.from}
            onPut={(from) => put({ from, to: Math.max(outage.to, from + STEP_MS) })}
          />
          <WallField
            label={texts.end}
            at={outage.to}
            onPut={(to) =>
              put({ from: to > outage.from && to - outage.from <= LONGEST_MS ? outage.from : to - HOUR_MS, to })
            }
          />
          <div class="row">
            <Button icon="left" onClick={() => shift(-24 * HOUR_MS)}>
              {texts.earlier}
            </Button>
            <Button icon="right" onClick={() => shift(24 * HOUR_MS)}>
              {texts.later}
            </Button>
          </div>
        </div>
      </Section>
      <Answer query={simulation} lines={8}>
        {() => <Results jobs={jobs} onSaved={() => void simulation.refetch()} />}
      </Answer>
      {tooLong.length > 0 && <p class="muted">{texts.tooLong(tooLong.map(({ name }) => name).join(', '))}</p>}
      {simulation.hasNextPage && (
        <div class="more">
          <Button isBusy={simulation.isFetchingNextPage} onClick={() => void simulation.fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </Page>
  )
}

function Results({ jobs, onSaved }: { readonly jobs: readonly SimulatedJob[]; readonly onSaved: () => void }) {
  const texts = whatIfTexts.value
  const hit = jobs.filter(({ missed }) => missed > 0)
  const missed = hit.reduce((sum, job) => sum + job.missed, 0)
  if (hit.length === 0) return <Empty icon="check" title={texts.nothing} />
  return (
    <>
      <h2 aria-live="polite">{texts.summary(hit.length, missed)}</h2>
      {hit.map((job) => (
        <SimulatedJobRow key={job.jobId} job={job} onSaved={onSaved} />
      ))}
      {jobs.length > hit.length && <p class="muted">{texts.unaffected(jobs.length - hit.length)}</p>}
    </>
  )
}

interface WallFieldProps {
  readonly label: string
  readonly at: number
  readonly onPut: (instant: number) => void
}

function WallField({ label, at, onPut }: WallFieldProps) {
  const put = (text: string) => {
    const instant = instantOf(text)
    if (instant !== null) onPut(Date.parse(instant))
  }
  return (
    <TextField
      label={label}
      hint={whatIfTexts.value.zone(viewerZone.value)}
      type="datetime-local"
      value={wallTimeOf(at)}
      onInput={put}
    />
  )
}

/** As the address says; else the coming night, when nobody watches. */
function outageFrom(parameters: URLSearchParams): Outage {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(instantOf(parameters.get(name) ?? '') ?? ''))
  const isGiven = from !== undefined && to !== undefined && to > from && to - from <= LONGEST_MS
  if (isGiven) return { from, to }
  const midnight = Date.parse(instantOf(wallTimeOf(Date.now() + 24 * HOUR_MS).slice(0, 10)) ?? '')
  return { from: midnight - HOUR_MS, to: midnight + 3 * HOUR_MS }
}

/** Two days from the one on which it begins: whole days, so that the line stands still while something on it is dragged. */
function windowAround({ from, to }: Outage): Window {
  const start = Date.parse(instantOf(wallTimeOf(from).slice(0, 10)) ?? '')
  return { from: start, to: Math.max(start + WINDOW_MS, to + HOUR_MS) }
}

function ticksOf(jobs: readonly SimulatedJob[]): number[] {
  const LIMIT = 300
  return [...new Set(jobs.flatMap(({ missedAt }) => missedAt.map((at) => Date.parse(at))))].slice(0, LIMIT)
}

/** What is asked about once nobody moves it any more. */
function useSettled({ from, to }: Outage): Outage {
  const [settled, setSettled] = useState({ from, to })
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ from, to }), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [from, to])
  return settled
}
