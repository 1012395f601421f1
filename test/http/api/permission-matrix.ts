import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERMISSIONS } from '../../../src/access/permission.ts'
import { PROFILES, permissionsOf } from '../../../src/access/profile.ts'
import type { Access, Route } from '../../../src/server/request/route.ts'
import { pathsOf, routes } from '../../../src/server/routes/routes.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { fill, probeOf, successOf, UNKNOWN_ID } from './probes.ts'
import { ADMIN, type Asker, openWorld, STRANGER, type World } from './world.ts'

const PEOPLE: readonly Asker[] = PROFILES.map((profile) => ({ tenant: 'acme', userId: `a ${profile}`, profile }))

/** Routes that act within the caller's own tenant, which lacks what the probe has prepared in another. */
const IN_OWN_TENANT: Readonly<Record<string, number>> = {
  deleteCalendar: 404,
  approveSettings: 409,
  rejectSettings: 409,
}

/** Whether somebody may use a route, said once more without the code that decides it. */
function mayUse(access: Access, asker: Asker): boolean {
  if (typeof access === 'string') return true
  const held = new Set(asker.permissions ?? permissionsOf(asker.profile))
  const needed = 'permissions' in access ? access.permissions : PERMISSIONS
  return needed.every((each) => held.has(each)) && (access.profile ?? asker.profile) === asker.profile
}

/** Somebody who may do nothing but this, and those who lack one thing of it. */
function narrowAskers(access: Access): Asker[] {
  if (typeof access === 'string') return []
  const needed = 'permissions' in access ? access.permissions : PERMISSIONS
  const profile = access.profile ?? 'Developer'
  const key = (userId: string, permissions: Asker['permissions']): Asker => ({
    tenant: 'acme',
    userId,
    profile,
    permissions: permissions ?? [],
  })
  return [
    key('just enough', needed),
    ...needed.map((missing) =>
      key(
        `all but ${missing}`,
        PERMISSIONS.filter((each) => each !== missing),
      ),
    ),
  ]
}

export interface MatrixOptions {
  /** Whether routes are tried under their first path only, and by whole profiles only: the rest does not reach the store. */
  readonly isBrief: boolean
}

/** Every route, by everybody: generated from the table that requests are served by. */
export function describePermissionMatrix(
  kind: string,
  openStore: () => StoreSource | undefined,
  { isBrief }: MatrixOptions = { isBrief: false },
): void {
  describe(`the permission matrix on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld(openStore())
    })
    afterAll(() => world[Symbol.asyncDispose]())

    const all = routes.flatMap((route) =>
      (isBrief ? [route.path] : pathsOf(route)).map((path) => [route.method, path, route] as const),
    )

    describe.each(all)('%s %s', (method, path, route: Route) => {
      it('asks who it is', async () => {
        const probe = await probeOf(world, route)
        expect(await world.ask(null, method, fill(path, probe), probe)).toMatchObject({
          status: 401,
          body: { code: 'unauthenticated' },
        })
      })

      const askers = isBrief ? PEOPLE : [...PEOPLE, ...narrowAskers(route.access)]
      it.each(askers.map((asker) => [asker.userId, asker] as const))(
        'answers %s as the table says',
        async (_who, asker) => {
          const probe = await probeOf(world, route)
          const { status, body } = await world.ask(asker, method, fill(path, probe), probe)
          if (mayUse(route.access, asker)) expect(status, JSON.stringify(body)).toBe(successOf(route))
          else expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' })
        },
      )

      it('gives nothing of a tenant to another', async () => {
        const probe = await probeOf(world, route)
        const { status, text, body } = await world.ask(STRANGER, method, fill(path, probe), probe)
        const owned = probe.params?.['id'] ?? (probe.body as { jobId?: string } | undefined)?.jobId
        if (owned !== undefined) {
          expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' })
        } else {
          expect(status, text).toBe(IN_OWN_TENANT[route.name] ?? successOf(route))
        }
        expect(text.replaceAll(owned ?? '-', '')).not.toMatch(/"acme"|zoe/)
      })

      if (path.includes(':id')) {
        it('knows unknown ids from malformed ones', async () => {
          const probe = await probeOf(world, route)
          const unknown = await world.ask(ADMIN, method, fill(path, { ...probe, params: { id: UNKNOWN_ID } }), probe)
          expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
          if (isBrief) return
          for (const id of [
            '0',
            'null',
            '[object Object]',
            `{${UNKNOWN_ID}}`,
            '..%2f',
            'id[$ne]=1',
            'a'.repeat(4_000),
          ]) {
            const malformed = await world.ask(ADMIN, method, fill(path, { ...probe, params: { id } }), probe)
            expect(malformed, id).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
          }
        })
      }
    })
  })
}
