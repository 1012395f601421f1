import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROFILES, type Profile, permissionsOf } from '../../../src/access/profile.ts'
import { exchange, statusesIn } from '../api/raw-http.ts'
import { type Headers, jobFields, openSecured, type Secured } from './world.ts'

let world: Secured
let admin: Headers
let operations: readonly Operation[]
beforeAll(async () => {
  world = await openSecured()
  admin = await world.bearer()
  const { body } = await world.ask(admin, 'GET', '/api/jobs/openapi.json')
  operations = operationsOf(body['paths'] as Paths)
})
afterAll(() => world[Symbol.asyncDispose]())

interface Rule {
  readonly permissions?: readonly string[]
  readonly profile?: string
}
type Described = Readonly<Record<string, unknown>> & {
  readonly 'x-access'?: Rule | string
  readonly security?: unknown
}
type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>
interface Operation {
  readonly method: string
  readonly path: string
  readonly described: Described
}

function operationsOf(paths: Paths): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ['get', 'post', 'put', 'delete'].includes(method))
      .map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
  )
}

const UNKNOWN = '0190a4b2-0000-7000-8000-00000000000f'
const pathOf = ({ path }: Operation) => path.replaceAll('{id}', UNKNOWN).replaceAll(/\{\w+\}/g, 'x')

/** Said once more: what only Admins do, by method and path. */
const ADMINS: readonly RegExp[] = [
  /^DELETE \/api\/jobs\/\{id\}$/,
  /^POST \/api\/jobs\/\{id\}\/(approve|aprovar|reject|rejeitar|reveal)$/,
  /^GET \/api\/jobs\/audit-log/,
  /^(PUT|POST|DELETE) \/api\/jobs\/(settings|api-keys|calendars|flags|alerts|notifications)(?!.*\/preview$)/,
  /^POST \/api\/jobs\/executions\/\{id\}\/erase$/,
]
/** And what Managers may: nothing but look. */
const MANAGERS_MAY_NOT = /\/logs|\/dashboard|\/series|\/audit-log/
/** Of many jobs at once anybody who may look may ask how many they are; each verb takes its own permission (src/service/access.test.ts). */
const LOOKS: readonly RegExp[] = [
  /^GET /,
  /validate-cron$/,
  /\/simulate$/,
  /\/preview$/,
  /\/jobs\/bulk$/,
  / \/api\/session$/,
]

describe('S9 each profile at each endpoint', () => {
  it('every route of the description says what it takes', () => {
    expect(operations.length).toBeGreaterThan(50)
    for (const { method, path, described } of operations) {
      expect(JSON.stringify(described), `${method} ${path}`).toMatch(/jobs:\w+|Admin|credentials|session/i)
    }
  })

  it('nobody without credentials gets anywhere', async () => {
    for (const operation of operations) {
      const { status } = await world.ask({}, operation.method, pathOf(operation))
      expect([operation.path, status]).toEqual([operation.path, 401])
    }
  })

  it.each<Profile>(['Developer', 'Manager'])(
    '%s is refused what is not his, before what he sends is read',
    async (profile) => {
      const headers = await world.bearer({ profile, sub: profile })
      for (const operation of operations) {
        const place = `${operation.method} ${operation.path}`
        const isForAdmins = ADMINS.some((rule) => rule.test(place))
        const mayLook = LOOKS.some((rule) => rule.test(place)) && !MANAGERS_MAY_NOT.test(operation.path)
        const isAllowed = !isForAdmins && (profile === 'Developer' || mayLook)
        const raw = operation.method === 'GET' || operation.method === 'DELETE' ? {} : { raw: '['.repeat(1_000) }
        const { status, text } = await world.ask(headers, operation.method, pathOf(operation), raw)
        if (place.endsWith('/api/session')) continue
        expect([place, isAllowed ? status !== 403 : status === 403], text).toEqual([place, true])
      }
    },
  )

  it('profiles hold what the contract gives them', () => {
    expect(PROFILES.map((profile) => permissionsOf(profile).size)).toEqual([11, 2, 9])
  })

  it.each([
    ['X-HTTP-Method-Override', 'DELETE'],
    ['X-HTTP-Method', 'DELETE'],
    ['X-Method-Override', 'PUT'],
  ])('%s changes nothing', async (name, method) => {
    const id = await world.job(admin)
    const headers = await world.bearer({ profile: 'Manager', sub: 'mara' })
    expect((await world.ask({ ...headers, [name]: method }, 'GET', `/api/jobs/${id}`)).status).toBe(200)
    expect((await world.ask({ ...admin, [name]: method }, 'POST', `/api/jobs/${id}/pause`)).status).toBe(200)
    expect((await world.ask(admin, 'GET', `/api/jobs/${id}`)).body['status']).toBe('PAUSED')
  })

  it.each([
    '/api/jobs/audit-log/',
    '/api//jobs/audit-log',
    '//api/jobs/audit-log',
    '/api/jobs/%61udit-log',
    '/api/jobs/./audit-log',
    '/api/jobs/x/../audit-log',
    '/api/jobs/%2e/audit-log',
    '/api/jobs/x/%2e%2e/audit-log',
    '/API/JOBS/AUDIT-LOG',
    '/api/jobs/audit-log;x=1',
    '/api/jobs/audit-log%00',
    '/api/jobs/audit-log#x',
    '/api/jobs/audit-log%3f',
  ])('%s is no way around it', async (path) => {
    const { authorization = '' } = await world.bearer({ profile: 'Developer', sub: 'davi' })
    const head = `Host: 127.0.0.1\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`
    const [status] = statusesIn(await exchange(world.url, `GET ${path} HTTP/1.1\r\n${head}`))
    expect([400, 403, 404]).toContain(status)
  })

  it('a method that is not there is told which are', async () => {
    for (const { path } of operations) {
      const { status, headers, body } = await world.ask(admin, 'PATCH', pathOf({ path, method: '', described: {} }))
      expect([path, status, body.code]).toEqual([path, 405, 'method_not_allowed'])
      expect(headers.get('allow')).toMatch(/OPTIONS$/)
    }
  })

  it('HEAD needs what GET needs', async () => {
    const developer = await world.bearer({ profile: 'Developer', sub: 'davi' })
    expect((await world.ask(developer, 'HEAD', '/api/jobs/audit-log')).status).toBe(403)
    expect((await world.ask({}, 'HEAD', '/api/jobs')).status).toBe(401)
    expect((await world.ask(admin, 'HEAD', '/api/jobs')).text).toBe('')
  })
})

describe('S10 fields that are nobody’s to set', () => {
  const FORBIDDEN: Readonly<Record<string, unknown>> = {
    id: UNKNOWN,
    clienteId: 'globex',
    tenant: 'globex',
    tenant_id: 'globex',
    status: 'APPROVED',
    state: 'APPROVED',
    epoch: 5,
    createdBy: 'bia',
    created_by: 'bia',
    approvedByUserId: 'bia',
    approved_by: 'bia',
    approval: { by: 'bia' },
    scheduledByUserId: 'bia',
    authors: [],
    isSensitive: false,
    profile: 'Admin',
    role: 'Admin',
    attempts: 0,
    version: 99,
    origin: 'code',
    deletedAt: null,
    __proto__x: 1,
  }

  it.each(Object.keys(FORBIDDEN))('%s in a new job', async (name) => {
    const { status, body } = await world.ask(admin, 'POST', '/api/jobs', {
      body: jobFields({ [name]: FORBIDDEN[name] }),
    })
    expect([status, body.errors[0]?.pointer]).toEqual([400, `/${name}`])
    expect(['unknown_field', 'read_only_field']).toContain(body.code)
  })

  it.each(Object.keys(FORBIDDEN).filter((name) => name !== 'version' && name !== 'deletedAt'))(
    '%s in an update',
    async (name) => {
      const id = await world.job(admin, { jobType: 'Apagar' })
      const { status, text } = await world.ask(admin, 'PUT', `/api/jobs/${id}`, { body: { [name]: FORBIDDEN[name] } })
      expect(status, text).toBe(400)
      expect((await world.ask(admin, 'GET', `/api/jobs/${id}`)).body).toMatchObject({
        status: 'PENDING_APPROVAL',
        approvedByUserId: null,
        clienteId: 'acme',
      })
    },
  )

  it.each<[string, string, object]>([
    ['a key', '/api/jobs/api-keys', { name: 'robot', profile: 'Manager', ownerId: 'bia' }],
    ['a key’s secret', '/api/jobs/api-keys', { name: 'robot', profile: 'Manager', secret: 'mine' }],
    ['an execution', '/api/jobs/enqueue', { jobName: 'x', maxAttempts: 99 }],
  ])('of %s', async (_what, path, body) => {
    expect((await world.ask(admin, 'POST', path, { body })).body.code).toBe('unknown_field')
  })
})

describe('S11 nobody gives himself more', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['a Developer makes a key', { profile: 'Developer' }, { profile: 'Developer' }],
    ['a Manager makes a key', { profile: 'Manager' }, { profile: 'Manager' }],
    ['a narrow Admin makes a wide key', { permissions: 'jobs:read' }, { profile: 'Admin' }],
    [
      'a narrow Admin makes one like himself',
      { permissions: 'jobs:read' },
      { profile: 'Admin', permissions: ['jobs:read'] },
    ],
  ])('%s', async (_what, claims, fields) => {
    const headers = await world.bearer({ ...claims, sub: 'eva' })
    const { status } = await world.ask(headers, 'POST', '/api/jobs/api-keys', { body: { name: 'more', ...fields } })
    expect(status).toBe(403)
  })

  it('a token with several profiles has no permission that it names itself', async () => {
    const headers = await world.bearer({ profile: 'Manager', permissions: ['jobs:delete', 'jobs:read', 'root'] })
    const { body } = await world.ask(headers, 'GET', '/api/session')
    expect(body['permissions']).toEqual(['jobs:read'])
  })

  it('a key does nothing for another tenant, and a session no more than the key', async () => {
    const narrow = await world.key(admin, { profile: 'Developer', permissions: ['jobs:read'] })
    const session = await world.session(narrow.headers)
    for (const headers of [narrow.headers, session]) {
      expect((await world.ask(headers, 'POST', '/api/jobs', { body: jobFields() })).status).toBe(403)
      expect(
        (await world.ask(headers, 'PUT', '/api/jobs/settings', { body: { allowsSelfApproval: true } })).status,
      ).toBe(403)
    }
  })
})
