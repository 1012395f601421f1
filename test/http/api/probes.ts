import { isFinal } from '../../../src/job/execution/execution.ts'
import type { Route } from '../../../src/server/request/route.ts'
import { nightly, principalOf, type World } from './world.ts'

/** A request that succeeds if whoever sends it may: where to, and with what. */
export interface Probe {
  /** By their names in the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  /** Where it is not the one that the route describes. */
  readonly status?: number
}

/** Somebody of the tenant who has made everything, and does not ask. */
const MAKER = principalOf({ tenant: 'acme', userId: 'zoe', profile: 'Admin' })

export const UNKNOWN_ID = '0190a4b2-0000-7000-8000-00000000000f'

async function makeJob({ service }: World, change: Readonly<Record<string, unknown>> = {}): Promise<{ id: string }> {
  const { id } = await service.jobs.create(MAKER, nightly(change) as never)
  return { id }
}

/** Job types whose executions wait for somebody. */
const LASTING: readonly string[] = ['Demorar', 'Pedido']
const TURNS = 100

async function makeExecution(world: World, jobType: string): Promise<{ id: string; jobId: string }> {
  const job = await makeJob(world, { jobType, ...(jobType === 'Falhar' ? { retryCount: 0 } : {}) })
  const { executionId } = await world.service.jobs.execute(MAKER, job.id, {})
  for (let turn = 0; turn < TURNS; turn += 1) {
    await world.test.settle()
    const { status } = await world.service.executions.get(MAKER, executionId)
    if (isFinal(status) || LASTING.includes(jobType)) break
  }
  return { id: executionId, jobId: job.id }
}

type Prepare = (world: World) => Promise<Probe> | Probe

const ofJob =
  (more: Probe = {}, fields: Readonly<Record<string, unknown>> = {}): Prepare =>
  async (world) => ({ params: await makeJob(world, fields), ...more })

const ofExecution =
  (jobType: string, more: Probe = {}): Prepare =>
  async (world) => ({ params: { id: (await makeExecution(world, jobType)).id }, ...more })

const SENSITIVE = { jobType: 'DeletarDadosObsoletos' }
const HOLIDAYS = { type: 'holiday', dates: ['2026-12-25'] }

let calendars = 0
const calendarName = () => {
  calendars += 1
  return `calendar ${calendars}`
}

/** How each route is tried. */
const PROBES: Readonly<Record<string, Prepare>> = {
  listJobs: () => ({}),
  createJob: () => ({ body: nightly() }),
  getJob: ofJob(),
  updateJob: ofJob({ body: { description: 'changed' } }),
  deleteJob: ofJob(),
  executeJob: ofJob({ body: { priority: 'HIGH' } }),
  enqueue: async (world) => ({ body: { jobId: (await makeJob(world)).id, delayMs: 60_000 } }),
  bulkJobs: () => ({ body: { verb: 'pause', query: { q: 'status:active' }, dryRun: true } }),
  retryExecution: async (world) => ({ params: { id: (await makeExecution(world, 'Falhar')).jobId } }),
  cancelJobExecutions: ofJob({ body: { reason: 'enough' } }),
  pauseJob: ofJob({ body: { reason: 'holidays', until: '2026-02-01T00:00:00Z' } }),
  resumeJob: async (world) => {
    const { id } = await makeJob(world)
    await world.service.jobs.pause(MAKER, id, { reason: null, until: null })
    return { params: { id } }
  },
  approveJob: ofJob({ body: { comment: 'fine' } }, SENSITIVE),
  rejectJob: ofJob({ body: { reason: 'too much' } }, SENSITIVE),
  resetJob: async ({ service }) => {
    const [job] = (
      await service.jobs.list(MAKER, { limit: 1, jobType: ['LimparCache'], sort: 'name', isDescending: false })
    ).items
    await service.jobs.update(MAKER, job?.id ?? '', { priority: job?.priority === 'LOW' ? 'HIGH' : 'LOW' })
    return { params: { id: job?.id ?? '' } }
  },
  listJobExecutions: ofJob(),
  readJobLogs: ofJob(),
  getNextExecution: ofJob(),
  getApproval: ofJob({}, SENSITIVE),
  listOccurrences: ofJob({}),
  listJobTypes: () => ({}),
  revealPayload: ofJob(),
  validateCron: ofJob({ body: { cronExpression: '0 2 * * *' } }),
  listExecutions: () => ({}),
  getExecution: ofExecution('ImportarFaturas'),
  listActivities: ofExecution('Resumo'),
  getChain: ofExecution('Resumo'),
  cancelExecution: ofExecution('Demorar'),
  eraseExecution: ofExecution('ImportarFaturas'),
  signalExecution: ofExecution('Pedido', { body: { name: 'go', payload: 1 } }),
  restartExecution: ofExecution('Resumo', { body: { sequence: 1 } }),
  getDashboard: () => ({}),
  getKpis: () => ({ query: '?windowHours=6' }),
  getSeries: () => ({ query: '?hours=6' }),
  listFailures: () => ({ query: '?hours=6&limit=5' }),
  listUpcoming: () => ({ query: '?limit=5' }),
  getAgenda: () => ({ query: '?from=2026-01-05T00:00:00Z&to=2026-01-06T00:00:00Z&bucketMinutes=30' }),
  getWorkers: () => ({}),
  getManifest: () => ({}),
  simulateOutage: () => ({ body: { from: '2026-01-05T00:00:00Z', to: '2026-01-06T00:00:00Z' } }),
  getOpenApi: () => ({}),
  followEvents: () => ({}),
  followLogs: ofExecution('Demorar'),
  readLogs: ofExecution('ImportarFaturas', { query: '?level=info&attempt=1' }),
  downloadLogs: ofExecution('ImportarFaturas'),
  listAuditEntries: () => ({}),
  exportAuditEntries: () => ({}),
  verifyAuditLog: () => ({}),
  getSettings: () => ({}),
  updateSettings: () => ({ body: { language: 'en' } }),
  approveSettings: async (world) => ({ ...(await requestedRule(world)), body: { comment: 'fine' } }),
  rejectSettings: async (world) => ({ ...(await requestedRule(world)), body: { reason: 'too much' } }),
  listApiKeys: () => ({}),
  createApiKey: () => ({ body: { name: 'robot', profile: 'Manager' } }),
  revokeApiKey: async ({ service }) => ({
    params: { id: (await service.administration.createApiKey(MAKER, { name: 'old', profile: 'Manager' })).id },
  }),
  listFlags: () => ({}),
  switchFlag: () => ({ params: { key: 'JOB_NOTIFICATIONS' }, body: { habilitado: true } }),
  listAlerts: () => ({ query: '?isOpen=true' }),
  updateAlertRule: () => ({ params: { kind: 'queueCongested' }, body: { threshold: 250 } }),
  listNotifications: () => ({ query: '?event=job.failed' }),
  sendTestNotification: () => ({}),
  listCalendars: () => ({}),
  putCalendar: () => ({ params: { name: calendarName() }, body: { definition: HOLIDAYS } }),
  previewCalendar: () => ({ params: { name: calendarName() }, body: { definition: HOLIDAYS, days: 5 } }),
  deleteCalendar: async ({ service }) => {
    const name = calendarName()
    await service.administration.putCalendar(MAKER, name, HOLIDAYS)
    return { params: { name } }
  },
  getSession: () => ({}),
  openSession: () => ({}),
  closeSession: () => ({}),
}

/** A looser approval rule that waits for a second Admin. */
async function requestedRule({ service }: World): Promise<object> {
  await service.administration.updateSettings(MAKER, { allowsSelfApproval: false }, null)
  await service.administration.updateSettings(MAKER, { allowsSelfApproval: true }, null)
  return {}
}

export async function probeOf(world: World, { name }: Route): Promise<Probe> {
  const prepare = PROBES[name]
  if (!prepare) throw new Error(`Nobody has written how to try ${name}`)
  return await prepare(world)
}

/** A path with what it names put in. */
export function fill(path: string, { params = {}, query = '' }: Probe): string {
  return path.replaceAll(/:([^/]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '')) + query
}

/** The status of success that a route describes. */
export function successOf({ answers }: Route): number {
  return Number(Object.keys(answers)[0])
}
