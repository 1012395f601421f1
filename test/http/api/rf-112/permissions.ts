import { describe, expect, it } from 'vitest'
import type { Permission } from '../../../../src/access/permission.ts'
import { PROFILES, type Profile } from '../../../../src/access/profile.ts'
import { type Company, fieldsOf, type Stage } from './stage.ts'

const ALL = ['Admin', 'Manager', 'Developer'] as const
const WRITERS = ['Admin', 'Developer'] as const
const ADMIN = ['Admin'] as const

/** Section 4.4, as it stands there. */
const HOLDERS: Readonly<Record<Permission, readonly Profile[]>> = {
  'jobs:read': ALL,
  'jobs:create': WRITERS,
  'jobs:update': WRITERS,
  'jobs:delete': ADMIN,
  'jobs:execute': WRITERS,
  'jobs:schedule': WRITERS,
  'jobs:approve': ADMIN,
  'jobs:pause': WRITERS,
  'jobs:viewHistory': ALL,
  'jobs:viewLogs': WRITERS,
  'jobs:viewDashboard': WRITERS,
}

interface Operation {
  readonly what: string
  readonly needs: readonly Permission[]
  readonly profiles: readonly Profile[]
  readonly method: string
  /** What there has to be before it is asked; gives the path. */
  readonly path: (company: Company) => Promise<string> | string
  readonly body?: () => unknown
  readonly status: number
}

const ofJob =
  (verb = '', fields = {}) =>
  async (company: Company) =>
    `/api/jobs/${(await company.makes(fields, company.approver)).id}${verb}`

/** Section 5.1, as it stands there. */
const OPERATIONS: readonly Operation[] = [
  { what: 'list jobs', needs: ['jobs:read'], profiles: ALL, method: 'GET', path: () => '/api/jobs', status: 200 },
  { what: 'see a job', needs: ['jobs:read'], profiles: ALL, method: 'GET', path: ofJob(), status: 200 },
  {
    what: 'create a job',
    needs: ['jobs:create'],
    profiles: WRITERS,
    method: 'POST',
    path: () => '/api/jobs',
    body: () => fieldsOf(),
    status: 201,
  },
  {
    what: 'update a job',
    needs: ['jobs:update'],
    profiles: WRITERS,
    method: 'PUT',
    path: ofJob(),
    body: () => ({ priority: 'LOW' }),
    status: 200,
  },
  { what: 'delete a job', needs: ['jobs:delete'], profiles: ADMIN, method: 'DELETE', path: ofJob(), status: 204 },
  {
    what: 'execute a job now',
    needs: ['jobs:execute'],
    profiles: WRITERS,
    method: 'POST',
    path: ofJob('/executar'),
    status: 202,
  },
  {
    what: 'pause a job',
    needs: ['jobs:pause'],
    profiles: WRITERS,
    method: 'POST',
    path: ofJob('/pausar'),
    status: 200,
  },
  {
    what: 'resume a job',
    needs: ['jobs:pause'],
    profiles: WRITERS,
    method: 'POST',
    async path(company) {
      const { id } = await company.makes()
      await company.developer.post(`/api/jobs/${id}/pausar`)
      return `/api/jobs/${id}/retomar`
    },
    status: 200,
  },
  {
    what: 'approve a sensitive job',
    needs: ['jobs:approve', 'jobs:execute'],
    profiles: ADMIN,
    method: 'POST',
    path: ofJob('/approve', { requiresTwoStepExecution: true }),
    status: 200,
  },
  {
    what: 'see the history',
    needs: ['jobs:viewHistory'],
    profiles: ALL,
    method: 'GET',
    path: ofJob('/historico'),
    status: 200,
  },
  {
    what: 'see the logs',
    needs: ['jobs:viewLogs'],
    profiles: WRITERS,
    method: 'GET',
    path: ofJob('/logs'),
    status: 200,
  },
  {
    what: 'see the dashboard',
    needs: ['jobs:viewDashboard'],
    profiles: WRITERS,
    method: 'GET',
    path: () => '/api/jobs/dashboard',
    status: 200,
  },
]

/** Sections 4.4 and 5: who may do what. */
export function describePermissions(at: () => Stage): void {
  describe('4.4 permissions', () => {
    it.each(PROFILES)('%s has those of the table', async (profile) => {
      const { body } = await at().company().person(profile).get('/api/session')
      const expected = Object.entries(HOLDERS)
        .filter(([, holders]) => holders.includes(profile))
        .map(([name]) => name)
      expect((body['permissions'] as string[]).toSorted()).toEqual(expected.toSorted())
    })

    it('Manager only reads', async () => {
      const { body } = await at().company().manager.get('/api/session')
      expect(body['permissions']).toEqual(['jobs:read', 'jobs:viewHistory'])
    })
  })

  describe('5.1 the matrix', () => {
    const rows = OPERATIONS.flatMap((operation) =>
      PROFILES.map((profile) => [profile, operation.what, operation] as const),
    )

    it.each(
      rows.map(
        ([profile, what, operation]) =>
          [profile, operation.profiles.includes(profile) ? 'may' : 'may not', what, operation] as const,
      ),
    )('%s %s %s', async (profile, may, _what, { method, path, body, status }) => {
      const company = at().company()
      const reply = await company.person(profile).ask(method, await path(company), { body: body?.() })
      if (may === 'may') expect(reply.status, reply.text).toBe(status)
      else expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    })
  })

  describe('5.2 the check of permissions', () => {
    it.each(OPERATIONS.map((operation) => [operation.what, operation.needs.join(' and '), operation] as const))(
      'to %s takes %s, and nothing else',
      async (_what, _names, { needs, method, path, body, status }) => {
        const company = at().company()
        const asks = async (permissions: readonly Permission[]) =>
          await company.person('Admin', permissions).ask(method, await path(company), { body: body?.() })
        const enough = await asks(needs)
        expect(enough.status, enough.text).toBe(status)
        const all = Object.keys(HOLDERS) as Permission[]
        for (const missing of needs) {
          const { status: refused, body: problem } = await asks(all.filter((each) => each !== missing))
          expect([refused, problem.code]).toEqual([403, 'forbidden'])
        }
      },
    )

    it('comes before anything is looked at: what is sent, or whether there is such a job', async () => {
      const { manager } = at().company()
      const unknown = '0190a4b2-0000-7000-8000-00000000000f'
      expect(await manager.post('/api/jobs', { name: 1 })).toMatchObject({ status: 403 })
      expect(await manager.put(`/api/jobs/${unknown}`, {})).toMatchObject({ status: 403 })
      expect(await manager.delete(`/api/jobs/${unknown}`)).toMatchObject({ status: 403 })
    })
  })
}
