import type { Principal } from '../../access/principal.ts'
import { permissionsOf } from '../../access/profile.ts'
import type { ExecutionStatus } from '../../job/execution/execution.ts'
import type { Pontual } from '../../pontual.ts'
import type { ServiceApi } from '../../service/api.ts'
import type { JobListItem } from '../../service/job-view.ts'
import type { CalendarJson } from '../../time/calendars/json.ts'
import type { Locale } from '../../time/locale.ts'
import { changedJob, changeOf, operatorsJobs, tagsOf } from './operators-jobs.ts'
import { type DemoTexts, demoTexts, demoTypes, otherDemoTexts } from './texts.ts'

type App = Pick<Pontual, 'executions' | 'cancel'>
type Service = Pick<ServiceApi, 'jobs' | 'administration'>

const UNFINISHED: readonly ExecutionStatus[] = ['QUEUED', 'RUNNING', 'WAITING', 'DIVERGED']

/** Two Admins of the demo's company: the approver approves what the maker has created. */
interface People {
  readonly maker: Principal
  readonly approver: Principal
}

export interface DemoSetUp {
  readonly locale: Locale
  readonly tenant?: string
  /** Whether some of the jobs run at once. Default true. */
  readonly isFirst?: boolean
}

/**
 * Lets two people use the service: they create jobs, tags and a calendar, approve a job and change it afterwards. This happens once per database, so changes
 * and deletions by the user are kept. A demo in another language is replaced. If `isFirst`, some of the jobs run, so that there are executions to see.
 */
export async function setUpDemo(
  app: App,
  service: Service,
  { locale, tenant = 'default', isFirst = true }: DemoSetUp,
): Promise<void> {
  const texts = demoTexts(locale)
  const people = peopleOf(texts, tenant)
  for (const other of otherDemoTexts(locale)) await removeDemo(app, service, people, other)
  if (!(await hasDemo(service, people, texts))) await createDemo(service, people, texts, locale)
  if (!isFirst) return
  const firstRuns = firstRunsOf(texts)
  for (const { id, name, status } of await jobsOf(service, people, texts)) {
    const isReady = status === 'ACTIVE' || status === 'APPROVED'
    if (isReady && firstRuns.has(name)) await service.jobs.execute(people.maker, id, {})
  }
}

function peopleOf({ company: { people } }: DemoTexts, tenant: string): People {
  const [profile, permissions] = ['Admin' as const, permissionsOf('Admin')]
  const person = (userId: string) => ({ tenant, userId, ownerId: null, profile, permissions, source: 'dev' as const })
  return { maker: person(people.maker), approver: person(people.approver) }
}

/** Jobs that run as soon as the demo starts. */
function firstRunsOf(texts: DemoTexts): ReadonlySet<string> {
  const { importInvoices, syncDirectory, reconcilePayments, exportLegacy, processOrder, operators } = texts
  return new Set([
    importInvoices.name,
    syncDirectory.name,
    reconcilePayments.name,
    exportLegacy.name,
    processOrder.name,
    processOrder.largeName,
    operators.atMidnight[0]?.name ?? '',
    operators.ticketReport.name,
  ])
}

async function hasDemo({ administration }: Service, { maker }: People, { businessDays }: DemoTexts): Promise<boolean> {
  return (await administration.calendars(maker)).some(({ name }) => name === businessDays.name)
}

/** Jobs of the job types of the demo. */
async function jobsOf({ jobs }: Service, { maker }: People, texts: DemoTexts): Promise<readonly JobListItem[]> {
  const jobType = demoTypes(texts)
  return (await jobs.list(maker, { limit: 200, sort: 'name', isDescending: false, jobType })).items
}

async function createDemo(service: Service, people: People, texts: DemoTexts, locale: Locale): Promise<void> {
  const { jobs, administration } = service
  const { maker, approver } = people
  await administration.updateSettings(maker, { language: locale }, null)
  const changed = await jobs.create(maker, changedJob(texts))
  await jobs.approve(approver, changed.id, { comment: texts.operators.changed.comment })
  await jobs.execute(approver, changed.id, {})
  await jobs.update(maker, changed.id, changeOf(texts))
  const tagsByName = tagsOf(texts)
  for (const { id, name } of await jobsOf(service, people, texts)) {
    const tags = tagsByName.get(name)
    if (tags) await jobs.update(maker, id, { tags })
  }
  await administration.putCalendar(maker, texts.businessDays.name, businessDays(texts))
  for (const fields of operatorsJobs(texts)) await jobs.create(maker, fields)
}

/** Deletes the jobs and the calendar of a demo in another language, and cancels its executions: no node has their job types. The history is kept. */
async function removeDemo(app: App, service: Service, people: People, texts: DemoTexts): Promise<void> {
  const { jobs, administration } = service
  const { maker } = people
  if (!(await hasDemo(service, people, texts))) return
  for (const { id } of await jobsOf(service, people, texts)) await jobs.remove(maker, id)
  for (const jobType of demoTypes(texts)) {
    const unfinished = await app.executions({ tenant: maker.tenant, jobType, statuses: UNFINISHED, limit: 1_000 })
    // A durable run cannot clean up without its code.
    for (const { id } of unfinished) await app.cancel(id, null, { force: true })
  }
  await administration.removeCalendar(maker, texts.businessDays.name)
}

/** The calendar of the demo's business days: no job fires on weekends, on national holidays, or on holidays that move. */
function businessDays({ company: { timeZone }, businessDays: { dates, days } }: DemoTexts): CalendarJson {
  const weekends: CalendarJson = { type: 'weekly', weekdays: [0, 6], timeZone }
  return { type: 'holiday', dates, timeZone, base: { type: 'annual', days, timeZone, base: weekends } }
}
