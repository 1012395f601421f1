import { NonRetryableError } from '../../job/execution/failure.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import type { Pontual } from '../../pontual.ts'
import type { SealingPlace } from '../../store/sealing.ts'

const BATCH = 100

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
        left = await sealing.rotate(BATCH)
        context.progress(1 - left / Math.max(left, total), `${Math.max(0, total - left)} of ${total} data keys`)
      }
      let sealed = 0
      if (before.acceptsPlaintext) {
        let from = (await context.lastCheckpoint<SealingPlace | null>()) ?? null
        for (;;) {
          context.signal.throwIfAborted()
          const part = await sealing.sealPlaintext(from, BATCH)
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
