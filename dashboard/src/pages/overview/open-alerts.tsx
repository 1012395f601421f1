import { Link } from 'wouter-preact'
import type { AlertView } from '../../api/wire.ts'
import { Section } from '../../parts/page.tsx'
import { Badge } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { may } from '../../session/session.ts'
import { overviewTexts } from './texts.ts'

const SHOWN = 5

/** What is wrong, what to do about it, and the way there; errors before warnings. */
export function OpenAlerts({ alerts }: { readonly alerts: readonly AlertView[] }) {
  const texts = overviewTexts.value
  if (alerts.length === 0) return null
  const gravest = alerts.toSorted((a, b) => Number(b.level === 'error') - Number(a.level === 'error')).slice(0, SHOWN)
  return (
    <Section title={texts.alerts} actions={<Link href="/alerts">{texts.allAlerts}</Link>}>
      <ul>
        {gravest.map((alert) => (
          <OpenAlert key={alert.id} alert={alert} />
        ))}
      </ul>
    </Section>
  )
}

function OpenAlert({ alert }: { readonly alert: AlertView }) {
  const texts = overviewTexts.value
  return (
    <li class="overview-note">
      <p class="row">
        <Badge tone={alert.level === 'error' ? 'bad' : 'warn'}>{texts.level[alert.level]}</Badge>
        <strong>
          {alert.name}
          {alert.jobName !== null && `: ${alert.jobName}`}
        </strong>
        <span class="muted small">
          {texts.alertSince} <Time at={alert.since} as="both" hasSeconds={false} />
        </span>
      </p>
      <p>{alert.description}</p>
      <p>
        <strong>{texts.whatToDo}</strong> {alert.action}
      </p>
      <p class="row">
        {alert.executionId !== null && may('jobs:viewHistory') && (
          <Link href={`/executions/${alert.executionId}`}>{texts.execution}</Link>
        )}
        {alert.jobId !== null && <Link href={`/${alert.jobId}`}>{texts.job}</Link>}
      </p>
    </li>
  )
}
