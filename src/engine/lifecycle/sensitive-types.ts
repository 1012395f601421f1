import type { Logger } from '../../logger.ts'
import { withdrawnJob } from './faulted-job.ts'
import type { LifecycleSurroundings } from './surroundings.ts'

const PAGE = 500

/** Jobs that were made before their job type became sensitive, or by an application that does not know it is, wait for a yes from now on. */
export async function withdrawUnapproved(around: LifecycleSurroundings & { readonly logger: Logger }): Promise<void> {
  const { store, types, logger } = around
  for (const { id: jobType, isSensitive } of types.values()) {
    let after: { tenant: string; name: string } | undefined
    for (;;) {
      if (!isSensitive) break
      const page = await store.jobs.list({ jobType, limit: PAGE, after })
      for (const job of page.filter(({ details }) => !details.isSensitive)) {
        // One that is disabled already, or waits, is asked about when it is to run.
        if (job.status === 'DISABLED' || job.status === 'PENDING_APPROVAL') continue
        const [result] = await store.jobs.put([withdrawnJob(job).change])
        if (result === 'stored')
          logger.warn('A job waits for approval, as its job type is sensitive', { job: job.name })
      }
      const last = page.at(-1)
      if (page.length < PAGE || !last) break
      after = { tenant: last.tenant, name: last.name }
    }
  }
}
