import { z } from 'zod'
import { DAY_MS } from '../../duration.ts'
import { PontualError } from '../../errors.ts'
import type { ActivityContext } from '../../job/activity/activity.ts'
import type { DurableContext } from '../../job/activity/durable-context.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import { type Company, type DirectoryUser, directoryPage, type Pace, takeStep } from './data.ts'
import type { DemoTexts } from './texts.ts'

const PAGES = 4

/** `SyncAzureAD`: updates the company's users from its directory. Durable: after a crash it continues with the page at which it stopped. */
export function syncDirectory(demo: DemoTexts, company: Company, pace: Pace): AnyJobType {
  const texts = demo.syncDirectory
  const readPage = async (page: number, day: number, context: ActivityContext): Promise<readonly DirectoryUser[]> => {
    await takeStep(pace, context.signal)
    // The directory throttles; the activity is retried.
    if (page === 2 && context.attempt === 1) throw new PontualError('demo.throttled', texts.throttled)
    const users = directoryPage(day, page, demo)
    context.logger.info(texts.pageRead, { page, users: users.length })
    return users
  }
  return job(texts.name, {
    durable: true,
    schedule: { trigger: cron('*/15 * * * *'), misfire: { policy: 'fireOnce' }, overlap: 'skip' },
    run: async (_input: undefined, context: DurableContext) => {
      const day = Math.floor(context.now() / DAY_MS)
      const found: DirectoryUser[] = []
      for (let page = 1; page <= PAGES; page += 1) {
        found.push(...(await context.run(texts.readPage(page), (activity) => readPage(page, day, activity))))
      }
      return await context.run(texts.apply, (activity) => apply(company, found, texts.applied, activity))
    },
  })
}

function apply({ users }: Company, found: readonly DirectoryUser[], applied: string, { logger }: ActivityContext) {
  const logins = new Set(found.map(({ login }) => login))
  const gone = [...users.keys()].filter((login) => !logins.has(login))
  const added = found.filter(({ login }) => !users.has(login))
  for (const login of gone) users.delete(login)
  for (const user of found) users.set(user.login, user)
  logger.info(applied, { added: added.length, removed: gone.length, users: users.size })
  return { added: added.length, removed: gone.length, users: users.size }
}

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

/** `ExportLegacy`: writes to a server that was switched off. Every run fails, so the job stops firing until an operator resumes it. */
export function exportLegacy({ exportLegacy: texts }: DemoTexts, pace: Pace): AnyJobType {
  return job(texts.name, {
    retry: { retries: 1, intervals: ['3s'] },
    schedule: { trigger: cron('* * * * *'), retry: { retries: 1, intervals: ['3s'] } },
    run: async (_input: undefined, { signal, logger }) => {
      logger.info(texts.connecting)
      await takeStep(pace, signal)
      logger.warn(texts.retrying)
      await takeStep(pace, signal)
      throw new PontualError('demo.server_gone', texts.failed)
    },
  })
}
