import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ana,
  bia,
  fields,
  openStage,
  refusalOf,
  type Stage,
  somebody,
  stranger,
} from '../../test/http/service/stage.ts'
import { PERMISSIONS, type Permission } from '../access/permission.ts'
import type { Principal } from '../access/principal.ts'
import { PROFILES, permissionsOf } from '../access/profile.ts'
import type { BulkVerb } from './requests.ts'
import type { Service } from './service.ts'

interface Call {
  readonly needs: readonly Permission[]
  /** Only Admins. */
  readonly isAdmins?: true
  /** What the id is of that it takes. */
  readonly of?: 'job' | 'execution' | 'apiKey'
  readonly ask: (service: Service, principal: Principal, id: string) => Promise<unknown>
}

const list = { limit: 10, sort: 'name', isDescending: false } as const
const history = { limit: 10, archived: false }
const outage = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }
const signal = new AbortController().signal
const bulk = { query: { q: 'nothing is called so' }, dryRun: true, reason: null } as const

function bulkOf(verb: BulkVerb): Call['ask'] {
  return ({ jobs }, who) => jobs.bulk(who, { ...bulk, verb, dryRun: false })
}

/** Every question and command, and what it takes to put it. */
const CALLS: Readonly<Record<string, Call>> = {
  'jobs.list': { needs: ['jobs:read'], ask: ({ jobs }, who) => jobs.list(who, list) },
  'jobs.get': { needs: ['jobs:read'], of: 'job', ask: ({ jobs }, who, id) => jobs.get(who, id) },
  'jobs.create': { needs: ['jobs:create'], ask: ({ jobs }, who) => jobs.create(who, fields()) },
  'jobs.create (sensitive)': {
    needs: ['jobs:create', 'jobs:schedule'],
    ask: ({ jobs }, who) => jobs.create(who, fields({ requiresTwoStepExecution: true })),
  },
  'jobs.update': { needs: ['jobs:update'], of: 'job', ask: ({ jobs }, who, id) => jobs.update(who, id, {}) },
  'jobs.remove': { needs: ['jobs:delete'], of: 'job', ask: ({ jobs }, who, id) => jobs.remove(who, id) },
  'jobs.pause': {
    needs: ['jobs:pause'],
    of: 'job',
    ask: ({ jobs }, who, id) => jobs.pause(who, id, { reason: null, until: null }),
  },
  'jobs.resume': { needs: ['jobs:pause'], of: 'job', ask: ({ jobs }, who, id) => jobs.resume(who, id) },
  'jobs.approve': {
    needs: ['jobs:approve', 'jobs:execute'],
    of: 'job',
    ask: ({ jobs }, who, id) => jobs.approve(who, id, { comment: null }),
  },
  'jobs.reject': {
    needs: ['jobs:approve', 'jobs:execute'],
    of: 'job',
    ask: ({ jobs }, who, id) => jobs.reject(who, id, { reason: 'no' }),
  },
  'jobs.bulk': { needs: ['jobs:read'], ask: ({ jobs }, who) => jobs.bulk(who, { ...bulk, verb: 'pause' }) },
  'jobs.bulk (pause)': { needs: ['jobs:read', 'jobs:pause'], ask: bulkOf('pause') },
  'jobs.bulk (resume)': { needs: ['jobs:read', 'jobs:pause'], ask: bulkOf('resume') },
  'jobs.bulk (execute)': { needs: ['jobs:read', 'jobs:execute'], ask: bulkOf('execute') },
  'jobs.bulk (delete)': { needs: ['jobs:read', 'jobs:delete'], ask: bulkOf('delete') },
  'jobs.list by what ran': {
    needs: ['jobs:read', 'jobs:viewHistory'],
    ask: ({ jobs }, who) => jobs.list(who, { ...list, q: 'status:failed' }),
  },
  'jobs.reset': { needs: ['jobs:update'], of: 'job', ask: ({ jobs }, who, id) => jobs.reset(who, id) },
  'jobs.reveal': { needs: [], isAdmins: true, of: 'job', ask: ({ jobs }, who, id) => jobs.reveal(who, id) },
  'jobs.execute': { needs: ['jobs:execute'], of: 'job', ask: ({ jobs }, who, id) => jobs.execute(who, id, {}) },
  'jobs.enqueue': { needs: ['jobs:execute'], of: 'job', ask: ({ jobs }, who, id) => jobs.enqueue(who, { jobId: id }) },
  'jobs.cancel': {
    needs: ['jobs:execute'],
    of: 'job',
    ask: ({ jobs }, who, id) => jobs.cancel(who, id, { executionId: null, reason: null }),
  },
  'jobs.retry': { needs: ['jobs:execute'], of: 'job', ask: ({ jobs }, who, id) => jobs.retry(who, id, null) },
  'jobs.history': {
    needs: ['jobs:viewHistory'],
    of: 'job',
    ask: ({ jobs }, who, id) => jobs.history(who, id, history),
  },
  'jobs.occurrences': {
    needs: ['jobs:viewHistory'],
    of: 'job',
    ask: ({ jobs }, who, id) => jobs.occurrences(who, id, { limit: 10 }),
  },
  'jobs.logs': { needs: ['jobs:viewLogs'], of: 'job', ask: ({ jobs }, who, id) => jobs.logs(who, id, { limit: 10 }) },
  'jobs.nextExecution': { needs: ['jobs:read'], of: 'job', ask: ({ jobs }, who, id) => jobs.nextExecution(who, id) },
  'jobs.approval': { needs: ['jobs:read'], of: 'job', ask: ({ jobs }, who, id) => jobs.approval(who, id) },
  'jobs.types': { needs: ['jobs:read'], ask: ({ jobs }, who) => jobs.types(who) },
  'jobs.validateCron': {
    needs: ['jobs:read'],
    of: 'job',
    ask: ({ jobs }, who, id) => jobs.validateCron(who, id, { cronExpression: '@daily' }),
  },
  'executions.list': { needs: ['jobs:viewHistory'], ask: ({ executions }, who) => executions.list(who, history) },
  'executions.list of a job': {
    needs: ['jobs:viewHistory'],
    of: 'job',
    ask: ({ executions }, who, jobId) => executions.list(who, { ...history, jobId }),
  },
  'executions.get': {
    needs: ['jobs:viewHistory'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.get(who, id),
  },
  'executions.activities': {
    needs: ['jobs:viewHistory'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.activities(who, id),
  },
  'executions.chain': {
    needs: ['jobs:viewHistory'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.chain(who, id),
  },
  'executions.cancel': {
    needs: ['jobs:execute'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.cancel(who, id, null),
  },
  'executions.erase': {
    needs: [],
    isAdmins: true,
    of: 'execution',
    ask: ({ executions }, who, id) => executions.erase(who, id),
  },
  'executions.signal': {
    needs: ['jobs:execute'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.signal(who, id, { name: 'go' }),
  },
  'executions.restart': {
    needs: ['jobs:execute'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.restart(who, id, { sequence: 1 }),
  },
  'executions.logs': {
    needs: ['jobs:viewLogs'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.logs(who, id, { limit: 10 }),
  },
  'executions.logText': {
    needs: ['jobs:viewLogs'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.logText(who, id, {}),
  },
  'executions.followLogs': {
    needs: ['jobs:viewLogs'],
    of: 'execution',
    ask: ({ executions }, who, id) => executions.followLogs(who, id, { signal }),
  },
  'audit.list': { needs: ['jobs:read'], isAdmins: true, ask: ({ audit }, who) => audit.list(who, { limit: 10 }) },
  'audit.verify': { needs: ['jobs:read'], isAdmins: true, ask: ({ audit }, who) => audit.verify(who) },
  'audit.eventsAfter': { needs: ['jobs:read'], ask: ({ audit }, who) => audit.eventsAfter(who, 0, 10) },
  'audit.lastSequence': { needs: ['jobs:read'], ask: ({ audit }, who) => audit.lastSequence(who) },
  'administration.language': { needs: [], ask: ({ administration }, who) => administration.language(who) },
  'administration.hasDashboard': { needs: [], ask: ({ administration }, who) => administration.hasDashboard(who) },
  'administration.settings': { needs: ['jobs:read'], ask: ({ administration }, who) => administration.settings(who) },
  'administration.updateSettings': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) => administration.updateSettings(who, {}, null),
  },
  'administration.approveSettings': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) => administration.approveSettings(who, { comment: null }),
  },
  'administration.rejectSettings': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) => administration.rejectSettings(who, { reason: 'no' }),
  },
  'administration.apiKeys': { needs: ['jobs:read'], ask: ({ administration }, who) => administration.apiKeys(who) },
  'administration.createApiKey': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) =>
      administration.createApiKey(who, { name: 'key', profile: 'Manager', permissions: [] }),
  },
  'administration.revokeApiKey': {
    needs: [],
    isAdmins: true,
    of: 'apiKey',
    ask: ({ administration }, who, id) => administration.revokeApiKey(who, id),
  },
  'administration.flags': { needs: ['jobs:read'], ask: ({ administration }, who) => administration.flags(who, 'en') },
  'administration.switchFlag': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) => administration.switchFlag(who, 'JOB_NOTIFICATIONS', true, 'en'),
  },
  'administration.notifications': {
    needs: ['jobs:read'],
    ask: ({ administration }, who) => administration.notifications(who, { limit: 10 }),
  },
  'administration.sendTestNotification': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) => administration.sendTestNotification(who),
  },
  'administration.calendars': { needs: ['jobs:read'], ask: ({ administration }, who) => administration.calendars(who) },
  'administration.putCalendar': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) => administration.putCalendar(who, 'c', { type: 'weekly', weekdays: [0] }),
  },
  'administration.previewCalendar': {
    needs: ['jobs:read'],
    ask: ({ administration }, who) =>
      administration.previewCalendar(who, 'c', { definition: { type: 'weekly', weekdays: [0] } }),
  },
  'administration.removeCalendar': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) => administration.removeCalendar(who, 'none'),
  },
  'administration.updateAlertRule': {
    needs: [],
    isAdmins: true,
    ask: ({ administration }, who) => administration.updateAlertRule(who, 'queueCongested', { threshold: 250 }),
  },
  'overview.dashboard': { needs: ['jobs:viewDashboard'], ask: ({ overview }, who) => overview.dashboard(who) },
  'overview.kpis': { needs: ['jobs:read'], ask: ({ overview }, who) => overview.kpis(who) },
  'overview.counters': { needs: ['jobs:read'], ask: ({ overview }, who) => overview.counters(who) },
  'overview.series': { needs: ['jobs:viewDashboard'], ask: ({ overview }, who) => overview.series(who) },
  'overview.failures': { needs: ['jobs:viewHistory'], ask: ({ overview }, who) => overview.failures(who) },
  'overview.upcoming': { needs: ['jobs:read'], ask: ({ overview }, who) => overview.upcoming(who) },
  'overview.agenda': { needs: ['jobs:read'], ask: ({ overview }, who) => overview.agenda(who) },
  'overview.agenda of a job': {
    needs: ['jobs:read'],
    of: 'job',
    ask: ({ overview }, who, jobId) => overview.agenda(who, { jobId }),
  },
  'overview.alerts': { needs: ['jobs:read'], ask: ({ overview }, who) => overview.alerts(who, { limit: 10 }) },
  'overview.workers': { needs: ['jobs:read'], ask: ({ overview }, who) => overview.workers(who) },
  'overview.manifest': { needs: ['jobs:read'], ask: ({ overview }, who) => overview.manifest(who) },
  'overview.simulate': { needs: ['jobs:read'], ask: ({ overview }, who) => overview.simulate(who, outage) },
  'overview.simulate of a job': {
    needs: ['jobs:read'],
    of: 'job',
    ask: ({ overview }, who, jobId) => overview.simulate(who, { ...outage, jobId }),
  },
}

const UNKNOWN = '01999999-0000-7000-8000-00000000dead'

let stage: Stage
let ids: Record<'job' | 'execution' | 'apiKey', string>
beforeAll(async () => {
  stage = await openStage()
  ids = await things(ana)
})
afterAll(async () => await stage[Symbol.asyncDispose]())

async function things(who: Principal): Promise<typeof ids> {
  const { jobs, administration } = stage.service
  const { id: job } = await jobs.create(who, fields())
  const { executionId: execution } = await jobs.execute(who, job, {})
  const { id: apiKey } = await administration.createApiKey(who, { name: 'key', profile: 'Developer' })
  return { job, execution, apiKey }
}

const isForbidden = (refusal: unknown) => String(refusal).startsWith('ForbiddenError')

it('every call of the service stands in the table', () => {
  const { jobs, executions, audit, administration, overview } = stage.service
  const parts = { jobs, executions, audit, administration, overview }
  const calls = Object.entries(parts).flatMap(([part, api]) => Object.keys(api).map((verb) => `${part}.${verb}`))
  const told = new Set(Object.keys(CALLS).map((name) => name.split(' ')[0]))
  expect(told).toEqual(new Set(calls))
})

describe.each(Object.entries(CALLS))('%s', (_, { needs, isAdmins, of, ask }) => {
  const idOf = () => (of === undefined ? '' : ids[of])

  it.each(PROFILES)('is for %s as the table of profiles says', async (profile) => {
    // Who only rejects what he may not even ask leaves everything as it is; what Admins do is done to things of their own.
    const own = profile === 'Admin' ? await things(ana) : ids
    const id = of === undefined ? '' : own[of]
    const may =
      needs.every((permission) => permissionsOf(profile).has(permission)) && (!isAdmins || profile === 'Admin')
    expect(isForbidden(await refusalOf(ask(stage.service, somebody('zoe', profile), id)))).toBe(!may)
  })

  it.each(needs)('is refused without %s', async (missing) => {
    const permissions = new Set(PERMISSIONS.filter((permission) => permission !== missing))
    const refusal = await refusalOf(ask(stage.service, somebody('zoe', 'Admin', { permissions }), idOf()))
    expect(refusal).toBe('ForbiddenError access.permission_missing')
  })

  if (of === undefined) return

  it('of another tenant is forbidden', async () => {
    expect(await refusalOf(ask(stage.service, stranger, idOf()))).toBe('ForbiddenError forbidden')
  })

  it('of nobody is not found', async () => {
    for (const who of [ana, stranger]) {
      expect(await refusalOf(ask(stage.service, who, UNKNOWN))).toBe('NotFoundError not_found')
    }
  })

  it.each(['', 'x', '../etc', "' or 1=1 --", `${UNKNOWN}0`, '00000000'])(
    'of an id such as %j is invalid',
    async (id) => {
      expect(await refusalOf(ask(stage.service, ana, id))).toBe('InvalidInputError id.invalid')
    },
  )
})

describe('a tenant', () => {
  it('sees nothing of another', async () => {
    const { jobs, executions, audit, administration, overview } = stage.service
    const alone = somebody('nina', 'Admin', { tenant: 'initech' })
    expect((await jobs.list(alone, list)).items).toEqual([])
    expect((await jobs.list(alone, { ...list, status: ['DELETED', 'ACTIVE'] })).items).toEqual([])
    expect((await executions.list(alone, { ...history, archived: true })).items).toEqual([])
    expect((await audit.list(alone, { limit: 10 })).items).toEqual([])
    expect(await audit.eventsAfter(alone, 0, 10)).toEqual([])
    expect(await administration.apiKeys(alone)).toEqual([])
    expect(await administration.calendars(alone)).toEqual([])
    expect(await overview.dashboard(alone)).toMatchObject({
      running: 0,
      queued: 0,
      jobs: {},
      workers: { used: 0, maximum: 10 },
    })
    expect((await overview.simulate(alone, outage)).jobs).toEqual([])
  })

  it('may give a job the name that another’s has', async () => {
    const asked = fields()
    await stage.service.jobs.create(ana, asked)
    expect(await refusalOf(stage.service.jobs.create(stranger, asked))).toBe('accepted')
    expect(await refusalOf(stage.service.jobs.enqueue(stranger, { jobName: asked.name }))).toBe('accepted')
    expect(
      await refusalOf(
        stage.service.jobs.enqueue(somebody('nina', 'Admin', { tenant: 'initech' }), { jobName: asked.name }),
      ),
    ).toBe('NotFoundError not_found')
  })

  it('cannot use a foreign execution in a request about its own job', async () => {
    const own = await things(stranger)
    const { jobs } = stage.service
    const executionId = ids.execution
    const forbidden = 'ForbiddenError forbidden'
    expect(await refusalOf(jobs.cancel(stranger, own.job, { executionId, reason: null }))).toBe(forbidden)
    expect(await refusalOf(jobs.retry(stranger, own.job, executionId))).toBe(forbidden)
    expect(await refusalOf(jobs.logs(stranger, own.job, { executionId, limit: 10 }))).toBe(forbidden)
    const other = await things(stranger)
    expect(await refusalOf(jobs.logs(stranger, own.job, { executionId: other.execution, limit: 10 }))).toBe(
      'NotFoundError not_found',
    )
  })

  it.each(['\0', 'a\uD800', 'x'.repeat(1_001)])('cannot look for what could not be stored (%j)', async (text) => {
    const { jobs, executions } = stage.service
    expect(await refusalOf(jobs.list(ana, { ...list, q: text }))).toEqual({ '/q': 'format_invalid' })
    expect(await refusalOf(jobs.list(ana, { ...list, tag: text }))).toEqual({ '/tag': 'format_invalid' })
    expect(await refusalOf(jobs.list(ana, { ...list, jobType: [text] }))).toEqual({ '/jobType': 'format_invalid' })
    expect(await refusalOf(executions.list(ana, { ...history, jobType: text }))).toEqual({
      '/jobType': 'format_invalid',
    })
  })

  it('cannot go on with a cursor of another, or of another query', async () => {
    const { jobs, executions } = stage.service
    for (const who of [ana, ana, stranger, stranger]) await jobs.create(who, fields())
    const { nextCursor } = await jobs.list(ana, { ...list, limit: 1 })
    const cursor = nextCursor ?? ''
    const invalid = 'InvalidInputError invalid_cursor'
    expect(await refusalOf(jobs.list(ana, { ...list, limit: 3, cursor }))).toBe('accepted')
    expect(await refusalOf(jobs.list(bia, { ...list, cursor }))).toBe('accepted')
    expect(await refusalOf(jobs.list(stranger, { ...list, cursor }))).toBe(invalid)
    expect(await refusalOf(jobs.list(ana, { ...list, isDescending: true, cursor }))).toBe(invalid)
    expect(await refusalOf(jobs.list(ana, { ...list, q: 'x', cursor }))).toBe(invalid)
    expect(await refusalOf(executions.list(ana, { ...history, cursor }))).toBe(invalid)
  })
})
