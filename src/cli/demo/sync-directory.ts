import { PontualError } from '../../errors.ts'
import type { ActivityContext } from '../../job/activity.ts'
import type { DurableContext } from '../../job/durable-context.ts'
import { type AnyJobType, job } from '../../job/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import type { Company } from './company.ts'
import { type DirectoryUser, directoryPage } from './made-up-data.ts'
import { type Pace, takeStep } from './pace.ts'

const PAGES = 4
const DAY_MS = 86_400_000

/** `SincronizarAzureAD`: brings the company's users in line with its directory. Durable: page by page, and after a crash it goes on with the page it was at. */
export function syncDirectory(company: Company, pace: Pace): AnyJobType {
  const readPage = async (page: number, day: number, context: ActivityContext): Promise<readonly DirectoryUser[]> => {
    await takeStep(pace, context.signal)
    // A directory that is asked too often says so; the activity is tried again.
    if (page === 2 && context.attempt === 1)
      throw new PontualError('demo.throttled', 'The directory asks to be asked later.')
    const users = directoryPage(day, page)
    context.logger.info('Read a page of the directory', { page, users: users.length })
    return users
  }
  return job('SincronizarAzureAD', {
    durable: true,
    schedule: { trigger: cron('*/15 * * * *'), misfire: { policy: 'fireOnce' }, overlap: 'skip' },
    run: async (_input: undefined, context: DurableContext) => {
      const day = Math.floor(context.now() / DAY_MS)
      const found: DirectoryUser[] = []
      for (let page = 1; page <= PAGES; page += 1) {
        found.push(...(await context.run(`read-page-${page}`, (activity) => readPage(page, day, activity))))
      }
      return await context.run('apply', (activity) => apply(company, found, activity))
    },
  })
}

function apply({ users }: Company, found: readonly DirectoryUser[], { logger }: ActivityContext) {
  const logins = new Set(found.map(({ login }) => login))
  const gone = [...users.keys()].filter((login) => !logins.has(login))
  const added = found.filter(({ login }) => !users.has(login))
  for (const login of gone) users.delete(login)
  for (const user of found) users.set(user.login, user)
  logger.info('Brought users in line', { added: added.length, removed: gone.length, users: users.size })
  return { added: added.length, removed: gone.length, users: users.size }
}
