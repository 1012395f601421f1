import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import type { Company } from './company.ts'
import { type Pace, takeStep } from './pace.ts'
import type { DemoTexts } from './texts.ts'

/** `ClearCache`: removes expired entries. */
export function clearCache({ clearCache: texts }: DemoTexts, company: Company, pace: Pace): AnyJobType {
  return job(texts.name, {
    schedule: { trigger: cron('*/2 * * * *'), misfire: { policy: 'skipToNext' }, overlap: 'skip' },
    run: async (_input: undefined, { signal, logger }) => {
      await takeStep(pace, signal)
      const now = pace.env.now()
      const expired = [...company.cache].filter(([, { expiresAt }]) => expiresAt <= now)
      for (const [key] of expired) company.cache.delete(key)
      const freedBytes = expired.reduce((total, [, { bytes }]) => total + bytes, 0)
      logger.info(texts.cleared, { removed: expired.length, kept: company.cache.size, freedBytes })
      return { removed: expired.length, kept: company.cache.size, freedBytes }
    },
  })
}
