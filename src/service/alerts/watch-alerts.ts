import type { App } from '../../engine/app/app.ts'
import { Loop } from '../../engine/node/loop.ts'
import { evaluate } from './evaluate.ts'
import { tellAlerts } from './tell-alerts.ts'

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
