import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import type { JobView, SimulationView } from '../../api/wire.ts'
import { dateTime, number } from '../../language/format.ts'
import { policyName } from '../../language/names.ts'
import { Button } from '../../parts/button.tsx'
import { Badge } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { whatIfTexts } from './texts.ts'

export type SimulatedJob = SimulationView['jobs'][number]
type Outcome = SimulatedJob['policies'][string]

/** What one job would do under each policy; one can be chosen and kept. */
export function SimulatedJobRow({ job, onSaved }: { readonly job: SimulatedJob; readonly onSaved: () => void }) {
  const texts = whatIfTexts.value
  const chosen = useSignal<string | null>(null)
  const name = useId()
  const save = useCommand({
    run: async (misfirePolicy: string) => {
      // The version that is there now: the policy is all that is changed.
      const { version } = await ask<JobView>(`jobs/${job.jobId}`)
      return await ask<JobView>(`jobs/${job.jobId}`, { method: 'PUT', version, body: { misfirePolicy } })
    },
    done: texts.saved(job.name),
    onDone: () => {
      chosen.value = null
      onSaved()
    },
  })
  const current = String(job.policy)
  const shown = chosen.value ?? current
  return (
    <article class="simulated">
      <header>
        <h3>
          <Link href={`/${job.jobId}`}>{job.name}</Link>
        </h3>
        <span class="muted">
          {texts.missed}: <strong>{number(job.missed)}</strong>
        </span>
      </header>
      <fieldset class="policies">
        <legend class="visually-hidden">{job.name}</legend>
        {Object.entries(job.policies).map(([policy, outcome]) => (
          <label key={policy} class={`policy ${policy === shown ? 'chosen' : ''}`}>
            <span class="row">
              <input
                type="radio"
                name={name}
                value={policy}
                checked={policy === shown}
                aria-label={texts.use(policyName(policy), job.name)}
                onChange={() => (chosen.value = policy)}
              />
              <strong>{policyName(policy)}</strong>
              {policy === current && <Badge tone="info">{texts.current}</Badge>}
            </span>
            <OutcomeText outcome={outcome} />
          </label>
        ))}
      </fieldset>
      {chosen.value !== null && chosen.value !== current && (
        <div class="row">
          <Button tone="primary" needs="jobs:update" isBusy={save.isPending} onClick={() => save.mutate(shown)}>
            {texts.save}
          </Button>
          <Button tone="quiet" onClick={() => (chosen.value = null)}>
            {texts.undo}
          </Button>
        </div>
      )}
    </article>
  )
}

function OutcomeText({ outcome }: { readonly outcome: Outcome }) {
  const texts = whatIfTexts.value
  const { executions, consolidated, skipped, dropped, scheduledAt, nextExecution } = outcome
  const parts = [
    executions === 0 ? texts.none : texts.runs(number(executions), executions === 1),
    ...(consolidated > 0 ? [texts.consolidated(consolidated)] : []),
    ...(skipped > 0 ? [texts.skipped(skipped)] : []),
    ...(dropped > 0 ? [texts.dropped(dropped)] : []),
  ]
  return (
    <>
      <span>{parts.join(' · ')}</span>
      {scheduledAt.length === 1 && (
        <span class="muted small">
          {texts.standsFor} {dateTime(scheduledAt[0] ?? '', { hasSeconds: false })}
        </span>
      )}
      <span class="muted small">
        {texts.next}: <Time at={nextExecution} hasSeconds={false} />
      </span>
    </>
  )
}
