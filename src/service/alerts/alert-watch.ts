import type { App } from '../../engine/app/app.ts'
import { Loop } from '../../engine/node/loop.ts'
import type { AlertFacts } from '../../engine/telemetry/events.ts'
import type { UntoldAlert } from '../../store/alerts.ts'
import type { NotificationEvent } from '../../store/notifications.ts'
import { wireInstant } from '../wire-value.ts'
import { ALERT_FACTS } from './alert-kinds.ts'
import { evaluate } from './evaluate.ts'

const EVERY_MS = 15_000

/** A process that looks a moment early is let through: else every other round would be left out. */
const LEAST_MS = EVERY_MS * 0.9

/** Queues are counted up to here. */
const COUNT_TO = 10_000

/** Looks at everything four times a minute, as one of all processes, opens alerts and closes them, and tells who is to be told. */
export class AlertWatch extends Loop {
  constructor(opened: App) {
    const { env, logger } = opened.deps
    super({
      name: 'alerts',
      env,
      logger,
      everyMs: EVERY_MS,
      step: async () => {
        await watchOnce(opened)
        return 'whenWoken'
      },
    })
  }
}

async function watchOnce(opened: App): Promise<void> {
  const { store, options, deps } = opened
  const figures = await store.alerts.watch(LEAST_MS, COUNT_TO)
  if (!figures) return
  const { tenant: operator } = options
  const auditBytes = await store.archive.auditBytes()
  const newId = () => deps.env.uuid(figures.now)
  const changes = evaluate(figures, { operator, newId, auditBytes })
  if (changes.length > 0) await store.alerts.record(changes)
  await tellAlerts(opened)
}

/** The job of Pontual's own that moves what is old, or too much, to the archive. */
const ARCHIVE_JOB = 'pontual.archive'

/** Runs the archive job now. Where it was not made, or cannot run, its own schedule and the alert have to do. */
async function beginArchive({ jobs, options, deps }: App): Promise<void> {
  const { tenant } = options
  try {
    if ((await jobs.find({ tenant, name: ARCHIVE_JOB })) === null) return
    await jobs.runNow({ tenant, name: ARCHIVE_JOB })
  } catch (error) {
    deps.logger.warn('The audit log is full, and the archive cannot begin', { job: ARCHIVE_JOB, tenant, error })
  }
}

const BATCH = 100

/**
 * Tells of alerts that have opened or closed: people, whoever listens, and the log. What was told is noted afterwards: who dies in between leaves it to the
 * next, whose notifications have the same ids and are sent once.
 */
async function tellAlerts(opened: App): Promise<void> {
  const { store } = opened
  for (;;) {
    const untold = await store.alerts.untold(BATCH)
    if (untold.length === 0) return
    await store.notifications.post(untold.flatMap(eventsOf))
    for (const each of untold) tellOne(opened, each)
    if (untold.some(({ alert, news }) => alert.kind === 'auditFull' && news === 'opened')) await beginArchive(opened)
    await store.alerts.tell(untold.map(({ alert, news }) => ({ id: alert.id, news })))
    if (untold.length < BATCH && untold.every(({ alert, news }) => news === 'closed' || alert.closedAt === null)) return
  }
}

function tellOne({ deps: { telemetry } }: App, untold: UntoldAlert): void {
  if (untold.news === 'closed') telemetry.tell('alert.closed', factsOf(untold))
  else telemetry.tell('alert.opened', factsOf(untold), ALERT_FACTS[untold.alert.kind].level)
}

function factsOf({ alert, jobName }: UntoldAlert): AlertFacts {
  const { id, tenant, scope, kind, jobId, executionId, value, threshold, openedAt, closedAt } = alert
  return {
    alertId: id,
    tenant,
    scope,
    kind,
    jobId,
    job: jobName,
    executionId,
    value,
    threshold,
    openedAt: wireInstant(openedAt),
    closedAt: wireInstant(closedAt),
  }
}

/** The failure of a job was told with the failure itself. That nobody works is told as such, so that it can be sent to who is on call. */
function eventsOf(untold: UntoldAlert): NotificationEvent[] {
  const { alert, news } = untold
  if (alert.kind === 'jobFailed') return []
  const { tenant, kind, ...facts } = factsOf(untold)
  const opening = alert.kind === 'schedulerUnavailable' ? 'scheduler.unavailable' : 'alert.opened'
  return [
    {
      id: `${alert.id}.${news}`,
      tenant,
      kind: news === 'closed' ? 'alert.closed' : opening,
      at: news === 'closed' ? (alert.closedAt ?? alert.openedAt) : alert.openedAt,
      facts: { ...facts, alert: kind, level: ALERT_FACTS[alert.kind].level, outcome: alert.outcome },
    },
  ]
}
