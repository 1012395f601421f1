import { Link } from 'wouter-preact'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { usePages } from '../../api/questions.ts'
import type { NotificationView } from '../../api/wire.ts'
import { Answer, Empty } from '../../parts/answer.tsx'
import { Button } from '../../parts/button.tsx'
import { More } from '../../parts/more.tsx'
import { Section } from '../../parts/page.tsx'
import { Badge, type Tone } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { isAdmin } from '../../session/session.ts'
import { settingsTexts } from './texts.ts'

const TONES: Readonly<Record<NotificationView['status'], Tone>> = {
  WAITING: 'info',
  SENT: 'good',
  UNDELIVERED: 'bad',
  SUPPRESSED: 'muted',
}

const AT_ONCE = 50

/** What people were told, and what went wrong with it. */
export function Notifications() {
  const texts = settingsTexts.value
  const notifications = usePages<NotificationView>('jobs/notifications', { limit: AT_ONCE })
  const test = useCommand({
    run: () =>
      ask<{ readonly addresses: number; readonly webhooks: number }>('jobs/notifications/test', { method: 'POST' }),
    done: ({ addresses, webhooks }) => texts.testSent(addresses, webhooks),
  })
  return (
    <Section
      title={texts.tabs.notifications}
      actions={
        isAdmin() && (
          <Button isBusy={test.isPending} onClick={() => test.mutate()}>
            {texts.sendTest}
          </Button>
        )
      }
    >
      <Answer query={notifications}>
        {() =>
          notifications.items.length === 0 ? (
            <Empty icon="alerts" title={texts.noNotifications} />
          ) : (
            <Table
              label={texts.tabs.notifications}
              columns={columns()}
              rows={notifications.items}
              rowKey={({ id }) => id}
            />
          )
        }
      </Answer>
      <More pages={notifications} />
    </Section>
  )
}

function columns(): readonly Column<NotificationView>[] {
  const texts = settingsTexts.value
  return [
    { key: 'at', title: texts.when, cell: ({ at }) => <Time at={at} /> },
    { key: 'event', title: texts.event, cell: ({ event }) => texts.events[event] },
    { key: 'about', title: texts.about, cell: (notification) => <About notification={notification} /> },
    {
      key: 'status',
      title: texts.status,
      cell: ({ status, suppression }) => (
        <>
          <Badge tone={TONES[status]}>{texts.statuses[status]}</Badge>
          {suppression !== null && <span class="muted small"> {texts.suppressions[suppression]}</span>}
        </>
      ),
    },
    {
      key: 'deliveries',
      title: texts.deliveries,
      isMinor: true,
      cell: ({ deliveries }) => (
        <ul class="small">
          {deliveries.map(({ channel, webhookId, status, attempts, lastError }) => (
            <li key={`${channel} ${webhookId}`}>
              {texts.channels[channel]}: {texts.statuses[status]} ({attempts}×) {lastError}
            </li>
          ))}
        </ul>
      ),
    },
  ]
}

/** The job it is about, where there is one. */
function About({ notification: { facts } }: { readonly notification: NotificationView }) {
  const name = facts['jobName'] ?? facts['name'] ?? facts['kind'] ?? '–'
  const jobId = facts['jobId']
  if (typeof jobId === 'string') return <Link href={`/${jobId}`}>{String(name)}</Link>
  return <>{String(name)}</>
}
