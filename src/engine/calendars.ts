import type { AuditDraft } from '../access/audit.ts'
import type { Job } from '../job/job.ts'
import { isSamePayload } from '../job/payload.ts'
import type { Store } from '../store/store.ts'
import type { Calendar } from '../time/calendars/calendar.ts'
import { nextFireTime } from '../time/trigger-state.ts'
import { stateOf } from './fire-job.ts'
import { changeJob, changeOf } from './job-changes.ts'
import type { ScheduleSurroundings } from './schedule-surroundings.ts'

const PAGE = 500

/** Creates or replaces a calendar; the jobs that name it are due when it says so from now on. */
export async function setCalendar(
  around: ScheduleSurroundings,
  tenant: string,
  name: string,
  calendar: Calendar,
  audit?: AuditDraft,
): Promise<void> {
  const { store } = around
  const [known] = await store.calendars.find([{ tenant, name }])
  const definition = calendar.toJSON()
  if (known && isSamePayload(JSON.stringify(known.definition), JSON.stringify(definition))) return
  await store.calendars.put([{ tenant, name, definition }], audit)
  for await (const job of jobsWith(store, tenant, name)) await moveNextFire(around, job, calendar)
}

async function* jobsWith(store: Store, tenant: string, calendar: string): AsyncGenerator<Job> {
  let after: { tenant: string; name: string } | undefined
  for (;;) {
    const page = await store.jobs.list({ tenant, limit: PAGE, after })
    yield* page.filter(({ definition }) => definition.calendar === calendar)
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = { tenant: last.tenant, name: last.name }
  }
}

async function moveNextFire(around: ScheduleSurroundings, { id }: Job, calendar: Calendar): Promise<void> {
  const { store, time } = around
  const read = async () => (await store.jobs.find([id]))[0] ?? null
  if (!(await read())) return
  await changeJob(around, id, read, (job) => {
    if (!job) return null
    const { nextFireAt } = job.schedule
    const now = time.now()
    // What is due already is the scheduler's business.
    if (nextFireAt !== null && nextFireAt <= now) return null
    const moved = nextFireTime(stateOf(job.schedule), now, calendar)
    if (moved === nextFireAt) return null
    const change = changeOf(job, { schedule: { ...job.schedule, nextFireAt: moved } })
    return { change: { ...change, expectedNextFireAt: nextFireAt } }
  })
}
