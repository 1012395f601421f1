import { Link } from 'wouter-preact'
import { withParameters } from '../../api/ask.ts'
import type { FailureGroupView, FailuresView } from '../../api/wire.ts'
import { Answer } from '../../parts/answer.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useFailures } from './asked.ts'
import { failureSearch } from './failure-search.ts'
import { overviewTexts } from './texts.ts'

/** What fails, by error: how often, whose, and the way to it. */
export function FailureGroups({ failed }: { readonly failed: number | undefined }) {
  const texts = overviewTexts.value
  const failures = useFailures(failed)
  return (
    <Section title={texts.failures}>
      <Answer query={failures}>{(answer) => <Groups failures={answer} />}</Answer>
    </Section>
  )
}

function Groups({ failures: { items, isPartial } }: { readonly failures: FailuresView }) {
  const texts = overviewTexts.value
  if (items.length === 0) return <p class="muted">{texts.noFailures}</p>
  return (
    <>
      <ul>
        {items.map((group) => (
          <Group key={`${group.errorName} ${group.message}`} group={group} />
        ))}
      </ul>
      {isPartial && <p class="muted small">{texts.failuresPartial}</p>}
    </>
  )
}

function Group({ group }: { readonly group: FailureGroupView }) {
  const texts = overviewTexts.value
  const { errorName, message, count, jobCount, jobs, lastAt, lastExecutionId } = group
  return (
    <li class="overview-note">
      <p class="overview-error">
        <code>{errorName}</code> <span>{message === '' ? texts.withoutMessage : message}</span>
      </p>
      <p class="row small">
        <Badge tone="bad">{texts.times(count)}</Badge>
        <span class="muted">
          {texts.lastSeen} <Time at={lastAt} as="relative" />
        </span>
        {jobs.map(({ id, name }) => (
          <Link key={id} href={`/${id}`}>
            {name}
          </Link>
        ))}
        {jobCount > jobs.length && <span class="muted">{texts.moreJobs(jobCount - jobs.length)}</span>}
      </p>
      <p class="row small">
        <Link href={`/executions/${lastExecutionId}`}>{texts.lastExecution}</Link>
        <Link href={withParameters('/executions', { q: failureSearch(message) })}>{texts.searchError}</Link>
      </p>
    </li>
  )
}
