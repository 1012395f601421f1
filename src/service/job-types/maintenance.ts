import { z } from 'zod'
import { DAY_MS } from '../../duration.ts'
import { NonRetryableError } from '../../job/execution/failure.ts'
import { type AnyJobType, type JobContext, job } from '../../job/type/job-type.ts'
import type { Pontual } from '../../pontual.ts'
import type { SealingPlace } from '../../store/sealing.ts'
import { verifyAudit } from '../audit/verify.ts'

/** What is younger is history that people look at. */
const MIN_RETENTION_DAYS = 90

/** Five years, leap days included. */
const DEFAULT_RETENTION_DAYS = 1_827
const BATCH = 1_000

/** Job types that keep the service in shape. Each looks only at the tenant whose job it is. */
export function maintenanceTypes(app: () => Pontual): readonly AnyJobType[] {
  return [purgeExecutions(app), clearCache(app), verifyChain(app)]
}

/** `maintenance.purge-executions`: removes executions that ended long ago. What it removes is gone: a second person says yes to it. */
function purgeExecutions(app: () => Pontual): AnyJobType {
  return job('maintenance.purge-executions', {
    sensitive: true,
    input: z
      .strictObject({ retentionDays: z.int().min(MIN_RETENTION_DAYS).max(36_500).default(DEFAULT_RETENTION_DAYS) })
      .prefault({}),
    run: async ({ retentionDays }, context) => {
      const { store } = await app().opened()
      const { now } = await store.pulse()
      const { executions } = store.forTenant(context.tenant)
      const removed = await untilNone(context, () => executions.purge(now - retentionDays * DAY_MS, BATCH))
      context.progress(1, `${removed} removed`)
      context.logger.info('Removed executions', { removed, retentionDays })
      return { removed }
    },
  })
}

/** `maintenance.clear-cache`: forgets the kept results of a job type, so that the next run of each input runs. */
function clearCache(app: () => Pontual): AnyJobType {
  return job('maintenance.clear-cache', {
    input: z.strictObject({ jobType: z.string().min(1).max(100) }),
    run: async ({ jobType }, { tenant, logger }) => {
      const removed = await app().clearCache(jobType, { tenant })
      logger.info('Forgot kept results', { jobType, removed })
      return { removed }
    },
  })
}

/** `maintenance.verify-audit`: reckons the tenant's audit chain anew, and fails where it does not hold. */
function verifyChain(app: () => Pontual): AnyJobType {
  return job('maintenance.verify-audit', {
    run: async (_input: undefined, { tenant, logger }) => {
      const { store } = await app().opened()
      const verdict = await verifyAudit(store.audit, tenant)
      if (!verdict.isIntact) {
        throw new NonRetryableError(`The audit log is broken at entry ${verdict.sequence}: ${verdict.reason}`)
      }
      logger.info('The audit log is intact', { entries: verdict.entries, hash: verdict.hash })
      return verdict
    },
  })
}

/** Removes batch by batch, for as long as there is something and the execution may go on. */
async function untilNone({ signal, progress }: JobContext, remove: () => Promise<number>): Promise<number> {
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const removed = await remove()
    count += removed
    // How many there are in all nobody has counted: it is on its way for as long as there are more.
    progress(count / (count + BATCH), `${count} removed`)
    if (removed < BATCH) return count
  }
}

const KEY_BATCH = 100

/**
 * `pontual.rotate-keys`: wraps all data keys with the current key of the ring, and seals what was stored before there was encryption, while everything runs. It
 * goes on where an earlier attempt ended.
 */
export function rotateKeys(app: () => Pontual): AnyJobType {
  return job('pontual.rotate-keys', {
    run: async (_input: undefined, context) => {
      const { store, options } = await app().opened()
      if (context.tenant !== options.tenant) {
        throw new NonRetryableError(
          'Keys are of all tenants: they are rotated by a job of the tenant of the application.',
        )
      }
      const { sealing } = store
      if (!sealing) throw new NonRetryableError('The store is not encrypted.')
      const before = await sealing.status()
      const total = before.keys.reduce((sum, { isCurrent, dataKeys }) => sum + (isCurrent ? 0 : dataKeys), 0)
      for (let left = total; left > 0; ) {
        context.signal.throwIfAborted()
        left = await sealing.rotate(KEY_BATCH)
        context.progress(1 - left / Math.max(left, total), `${Math.max(0, total - left)} of ${total} data keys`)
      }
      let sealed = 0
      if (before.acceptsPlaintext) {
        let from = (await context.lastCheckpoint<SealingPlace | null>()) ?? null
        for (;;) {
          context.signal.throwIfAborted()
          const part = await sealing.sealPlaintext(from, KEY_BATCH)
          sealed += part.sealed
          if (part.next === null) break
          from = part.next
          await context.checkpoint(from)
          context.progress(1, `${sealed} sealed that were not`)
        }
      }
      context.logger.info('Rotated keys', { keyId: before.currentKeyId, dataKeys: total, sealed })
      return { keyId: before.currentKeyId, dataKeys: total, sealed }
    },
  })
}
