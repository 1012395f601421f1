import { Link } from 'wouter-preact'
import { useAnswer, usePages } from '../../api/questions.ts'
import type { AlertsPage, AlertView } from '../../api/wire.ts'
import { Answer, Empty } from '../../parts/answer.tsx'
import { More } from '../../parts/more.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Badge } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Elapsed, Time } from '../../parts/time.tsx'
import { alertFigure } from './alert-figure.ts'
import { AlertRules } from './alert-rules.tsx'
import './alerts.css'
import { alertTexts } from './texts.ts'

const AT_ONCE = 50

/** What is wrong now, what was, and by which rules that is told. */
export function Alerts() {
  const texts = alertTexts.value
  const open = useAnswer<AlertsPage>(`jobs/alerts?isOpen=true&limit=${AT_ONCE}`)
  const past = usePages<AlertView>('jobs/alerts', { isOpen: false, limit: AT_ONCE })
  return (
    <Page title={texts.title}>
      <Section title={texts.open}>
        <Answer query={open}>
          {({ items }) =>
            items.length === 0 ? <Empty icon="check" title={texts.allWell} /> : <OpenAlerts alerts={items} />
          }
        </Answer>
      </Section>
      <Section title={texts.past}>
        <Answer query={past}>
          {() =>
            past.items.length === 0 ? (
              <p class="muted">{texts.noPast}</p>
            ) : (
              <Table label={texts.past} columns={pastColumns()} rows={past.items} rowKey={({ id }) => id} />
            )
          }
        </Answer>
        <More pages={past} />
      </Section>
      <Section title={texts.rules}>
        <Answer query={open}>{({ rules }) => <AlertRules rules={rules} />}</Answer>
      </Section>
    </Page>
  )
}

/** Where an alert leads: the execution that failed, or its job. */
export function AlertLinks({ alert }: { readonly alert: AlertView }) {
  const texts = alertTexts.value
  return (
    <>
      {alert.executionId !== null && <Link href={`/executions/${alert.executionId}`}>{texts.execution}</Link>}
      {alert.jobId !== null && <Link href={`/${alert.jobId}`}>{texts.job}</Link>}
    </>
  )
}

function OpenAlerts({ alerts }: { readonly alerts: readonly AlertView[] }) {
  const texts = alertTexts.value
  return (
    <ul class="alerts">
      {alerts.map((alert) => (
        <li key={alert.id} class={`alert ${alert.level}`}>
          <h3>
            <Badge tone={toneOf(alert)}>{texts.levels[alert.level]}</Badge> {alert.name}
            {alert.jobName !== null && `: ${alert.jobName}`}
          </h3>
          <p>{alert.description}</p>
          {alert.value !== null && alert.threshold !== null && (
            <p class="muted">
              {texts.measured(alertFigure(alert.kind, alert.value), alertFigure(alert.kind, alert.threshold))}
            </p>
          )}
          <p>
            <strong>{texts.todo}:</strong> {alert.action}
          </p>
          <p class="row small">
            <span class="muted">
              {texts.since} <Time at={alert.since} as="both" hasSeconds={false} />
            </span>
            <AlertLinks alert={alert} />
          </p>
        </li>
      ))}
    </ul>
  )
}

function toneOf({ level }: Pick<AlertView, 'level'>): 'bad' | 'warn' {
  return level === 'error' ? 'bad' : 'warn'
}

function pastColumns(): readonly Column<AlertView>[] {
  const texts = alertTexts.value
  return [
    { key: 'name', title: texts.alert, cell: ({ name, jobName }) => (jobName === null ? name : `${name}: ${jobName}`) },
    {
      key: 'level',
      title: texts.level,
      cell: (alert) => <Badge tone={toneOf(alert)}>{texts.levels[alert.level]}</Badge>,
    },
    { key: 'since', title: texts.since, cell: ({ since }) => <Time at={since} hasSeconds={false} /> },
    {
      key: 'lasted',
      title: texts.lasted,
      isNumber: true,
      cell: ({ since, closedAt }) => <Elapsed from={since} to={closedAt} />,
    },
    { key: 'outcome', title: texts.outcome, cell: ({ outcome }) => (outcome === null ? '–' : texts.outcomes[outcome]) },
    {
      key: 'links',
      title: texts.job,
      cell: (alert) => (
        <span class="row">
          <AlertLinks alert={alert} />
        </span>
      ),
    },
  ]
}
