import type { Principal } from '../../access/principal.ts'
import { permissionsOf } from '../../access/profile.ts'
import type { ServiceApi } from '../../service/api.ts'
import type { JobView } from '../../service/job-view.ts'
import { BUSINESS_DAYS, businessDays } from './business-days.ts'
import { CHANGE, CHANGED_JOB, OPERATORS_JOBS, TAGS } from './operators-jobs.ts'

type Asked = Pick<ServiceApi, 'jobs' | 'administration'>

/** What runs as soon as the demo is there, so that there is something to see. */
const FIRST_RUNS: ReadonlySet<string> = new Set([
  'ImportarFaturas',
  'SincronizarAzureAD',
  'ConciliarPagamentos',
  'ExportarLegado',
  'ProcessarPedido',
  'ProcessarPedidoGrande',
  'Fechamento diário',
  'Relatório de chamados',
])

/** Two people of the demo's company: what one of them decides the other approves. */
class People {
  readonly carla: Principal
  readonly bruno: Principal

  constructor(tenant: string) {
    const [profile, permissions] = ['Admin' as const, permissionsOf('Admin')]
    const person = (userId: string) => ({ tenant, userId, ownerId: null, profile, permissions, source: 'dev' as const })
    ;[this.carla, this.bruno] = [person('carla'), person('bruno')]
  }
}

/**
 * Lets two people make of the demo what people make of such a service: jobs beside those in the code, tags, a calendar, an approval and a change after it. Once:
 * what whoever tries it out changes or deletes stays as it is. Then some of the jobs run, where `isFirst` says so; nothing is made up that has not happened.
 */
export async function setUpDemo(
  service: Asked,
  { tenant = 'default', isFirst = true }: { readonly tenant?: string; readonly isFirst?: boolean } = {},
): Promise<void> {
  const people = new People(tenant)
  if (await isNew(service, people)) await makeJobs(service, people)
  if (!isFirst) return
  for (const { id, name, status } of await allJobs(service, people)) {
    const isReady = status === 'ACTIVE' || status === 'APPROVED'
    if (isReady && FIRST_RUNS.has(name)) await service.jobs.execute(people.carla, id, {})
  }
}

async function isNew({ administration }: Asked, { carla }: People): Promise<boolean> {
  return (await administration.calendars(carla)).every(({ name }) => name !== BUSINESS_DAYS)
}

async function allJobs({ jobs }: Asked, { carla }: People): Promise<readonly JobView[]> {
  return (await jobs.list(carla, { limit: 200, sort: 'name', isDescending: false })).items
}

async function makeJobs(service: Asked, people: People): Promise<void> {
  const { jobs, administration } = service
  const { carla, bruno } = people
  const changed = await jobs.create(carla, CHANGED_JOB)
  await jobs.approve(bruno, changed.id, { comment: 'Conferido com o financeiro.' })
  await jobs.execute(bruno, changed.id, {})
  await jobs.update(carla, changed.id, CHANGE)
  for (const { id, name } of await allJobs(service, people)) {
    const tags = TAGS[name]
    if (tags) await jobs.update(carla, id, { tags })
  }
  await administration.putCalendar(carla, BUSINESS_DAYS, businessDays)
  for (const fields of OPERATORS_JOBS) await jobs.create(carla, fields)
}
