import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { permissionsPage } from '../../../scripts/reference/permissions.ts'
import { PERMISSIONS, type Permission } from '../../../src/access/permission.ts'
import { PROFILES, type Profile, permissionsOf } from '../../../src/access/profile.ts'
import { requireAccess } from '../../../src/server/request/route.ts'
import { pathsOf, routes } from '../../../src/server/routes/routes.ts'
import { type Asker, nightly, openWorld, type World } from '../../http/api/world.ts'

/** The rows of the tables of a page, by their first cell. */
function rowsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return new Map(
    rows.map((line) => {
      const [first = '', ...cells] = line.split('|').slice(1, -1)
      return [first.trim().replaceAll('`', ''), cells.map((cell) => cell.trim())]
    }),
  )
}

function isAllowed(access: (typeof routes)[number]['access'], profile: Profile): boolean {
  const permissions = permissionsOf(profile)
  const principal = { tenant: 'acme', userId: 'ana', ownerId: null, profile, permissions, source: 'jwt' } as const
  try {
    requireAccess(access, principal)
    return true
  } catch {
    return false
  }
}

describe.each(['en', 'pt'] as const)('the reference of permissions (%s)', (language) => {
  const rows = rowsOf(permissionsPage(language))

  it('has every route, and ticks those profiles that may use it', () => {
    const told = routes.map(({ method, path }) => [`${method} ${path}`, rows.get(`${method} ${path}`)?.slice(1)])
    const marks = routes.map((route) => [
      `${route.method} ${pathsOf(route)[0]}`,
      PROFILES.map((profile) => (isAllowed(route.access, profile) ? '✓' : '')),
    ])
    expect(told).toEqual(marks)
    expect(rows.size).toBe(routes.length + PERMISSIONS.length)
  })

  it('ticks the permissions of each profile', () => {
    for (const permission of PERMISSIONS) {
      const marks = PROFILES.map((profile) => (permissionsOf(profile).has(permission) ? '✓' : ''))
      expect(rows.get(permission)?.slice(1), permission).toEqual(marks)
    }
  })

  it('names every permission in what some route needs', () => {
    const needs = [...rows].filter(([first]) => first.includes('/')).map(([, [need]]) => need)
    for (const permission of PERMISSIONS) expect(needs.join(' '), permission).toContain(`\`${permission}\``)
  })
})

describe('what the page says a route needs beside what it is declared with', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  const allBut = (missing: Permission): Asker => ({
    tenant: 'acme',
    userId: 'a key',
    profile: 'Admin',
    permissions: PERMISSIONS.filter((each) => each !== missing),
  })
  const ALL: Asker = { tenant: 'acme', userId: 'ana', profile: 'Admin' }

  it.each<[needed: Permission, what: string, method: string, path: string, body: object | undefined]>([
    ['jobs:schedule', 'a sensitive job', 'POST', '', nightly({ jobType: 'DeletarDadosObsoletos' })],
    ['jobs:pause', 'to pause many', 'POST', '/bulk', { verb: 'pause', query: {} }],
    ['jobs:execute', 'to execute many', 'POST', '/bulk', { verb: 'execute', query: {} }],
    ['jobs:delete', 'to delete many', 'POST', '/bulk', { verb: 'delete', query: { q: 'none of this name' } }],
    ['jobs:viewHistory', 'to find by what ran', 'GET', '?q=status:failed', undefined],
  ])('%s: %s', async (needed, _what, method, path, body) => {
    const how = body === undefined ? {} : { body }
    const refused = await world.ask(allBut(needed), method, `/api/jobs${path}`, how)
    expect(refused, refused.text).toMatchObject({ status: 403 })
    const allowed = await world.ask(ALL, method, `/api/jobs${path}`, how)
    expect(allowed.status, allowed.text).toBeLessThan(300)
  })

  it.each<[what: string, change: object, status: number]>([
    ['what it would run', { timeoutMinutes: 45 }, 403],
    ['its description', { description: 'another' }, 200],
  ])('jobs:schedule, to change of a sensitive job %s: %j gives %i', async (_what, change, status) => {
    const fields = nightly({ jobType: 'DeletarDadosObsoletos' })
    const { body } = await world.ask(ALL, 'POST', '/api/jobs', { body: fields })
    const answer = await world.ask(allBut('jobs:schedule'), 'PUT', `/api/jobs/${body.id}`, { body: change })
    expect(answer.status, answer.text).toBe(status)
  })

  it('jobs:viewLogs, for the log of an execution', async () => {
    const { body: job } = await world.ask(ALL, 'POST', '/api/jobs', { body: nightly() })
    const { body } = await world.ask(ALL, 'POST', `/api/jobs/${job.id}/executar`, {})
    await world.test.settle()
    const path = `/api/jobs/executions/${body.executionId}`
    expect((await world.ask(allBut('jobs:viewLogs'), 'GET', path)).body['logOutput']).toBeNull()
    expect((await world.ask(ALL, 'GET', path)).body['logOutput']).toContain('imported')
  })
})
