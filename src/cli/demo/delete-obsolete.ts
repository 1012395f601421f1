import { z } from 'zod'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import type { Company } from './company.ts'
import { type Pace, takeStep } from './pace.ts'
import type { DemoTexts } from './texts.ts'

/** `DeleteObsoleteData`: removes records past their legal retention. Sensitive: it runs only after a second person has approved this definition. */
export function deleteObsolete(
  { deleteObsolete: texts, company: { timeZone } }: DemoTexts,
  company: Company,
  pace: Pace,
): AnyJobType {
  return job(texts.name, {
    sensitive: true,
    input: z
      .strictObject({
        olderThanDays: z.int().min(365).max(36_500).default(1_825),
        isDryRun: z.boolean().default(false),
      })
      .prefault({}),
    schedule: { trigger: cron('0 3 * * 0', { timeZone }), misfire: { policy: 'skipToNext' } },
    run: async ({ olderThanDays, isDryRun }, { signal, logger, progress }) => {
      const obsolete = [...company.records.values()].filter(({ ageDays }) => ageDays > olderThanDays)
      const tables = [...new Set(obsolete.map(({ table }) => table))].sort((a, b) => a.localeCompare(b))
      for (const [index, table] of tables.entries()) {
        await takeStep(pace, signal)
        const records = obsolete.filter((record) => record.table === table)
        if (!isDryRun) for (const { id } of records) company.records.delete(id)
        logger.info(isDryRun ? texts.wouldRemove : texts.removed, { table, records: records.length })
        progress((index + 1) / tables.length, table)
      }
      return { removed: isDryRun ? 0 : obsolete.length, found: obsolete.length, kept: company.records.size }
    },
  })
}
