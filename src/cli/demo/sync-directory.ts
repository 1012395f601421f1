import { DAY_MS } from '../../duration.ts'
import { PontualError } from '../../errors.ts'
import type { ActivityContext } from '../../job/activity/activity.ts'
import type { DurableContext } from '../../job/activity/durable-context.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import type { Company } from './company.ts'
import { type DirectoryUser, directoryPage } from './made-up-data.ts'
import { type Pace, takeStep } from './pace.ts'
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
