import { QuotaError } from '../../errors.ts'
import type { Scope } from '../../scope.ts'

/** Refuses another execution where as many of the tenant wait as may: a queue that grows without end helps nobody, and its rows are everybody's. */
export async function requireRoomInQueue({ store, tenant, rules, rooms, around }: Scope): Promise<void> {
  const maximum = rules.queuedPerTenant
  const count = await rooms.queued.take({
    tenant,
    maximum,
    now: around.env.monotonic(),
    count: async () => (await store.executions.count(tenant)).QUEUED,
  })
  if (count < maximum) return
  const message = `There are ${count} executions in the queue, and there may be ${maximum}; try again once some have run.`
  throw new QuotaError('quota_exceeded', message, { kind: 'queued', count, maximum })
}
