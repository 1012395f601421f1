import { describe, expect, it } from 'vitest'
import { UnauthenticatedError } from '../../access/errors.ts'
import { PERMISSIONS, type Permission } from '../../access/permission.ts'
import type { Principal } from '../../access/principal.ts'
import { type Profile, permissionsOf } from '../../access/profile.ts'
import { type Access, requireAccess } from './route.ts'

function somebody(profile: Profile, permissions: Iterable<Permission> = permissionsOf(profile)): Principal {
  return { tenant: 'a', userId: 'u', ownerId: null, profile, permissions: new Set(permissions), source: 'jwt' }
}

describe('a route', () => {
  it.each<[Access, Principal]>([
    ['identified', somebody('Manager', [])],
    [{ permissions: ['jobs:read'] }, somebody('Manager')],
    [{ permissions: ['jobs:approve', 'jobs:execute'] }, somebody('Admin')],
    [{ permissions: ['jobs:read'], profile: 'Admin' }, somebody('Admin', ['jobs:read'])],
    [{ profile: 'Admin' }, somebody('Admin')],
  ])('for %j takes somebody who may', (access, principal) => {
    expect(() => requireAccess(access, principal)).not.toThrow()
  })

  it.each<[Access, Principal]>([
    [{ permissions: ['jobs:create'] }, somebody('Manager')],
    [{ permissions: ['jobs:approve', 'jobs:execute'] }, somebody('Developer')],
    [{ permissions: ['jobs:approve', 'jobs:execute'] }, somebody('Admin', ['jobs:approve'])],
    [{ permissions: ['jobs:read'], profile: 'Admin' }, somebody('Developer')],
    [{ permissions: ['jobs:read'], profile: 'Admin' }, somebody('Admin', [])],
    [{ profile: 'Admin' }, somebody('Developer', PERMISSIONS)],
    [{ profile: 'Admin' }, somebody('Admin', PERMISSIONS.slice(1))],
  ])('for %j refuses somebody who may not', (access, principal) => {
    expect(() => requireAccess(access, principal)).toThrow('This needs')
  })

  it('takes nobody who has not shown who he is', () => {
    expect(() => requireAccess('identified', null)).toThrow(UnauthenticatedError)
    expect(() => requireAccess({ permissions: ['jobs:read'] }, null)).toThrow(UnauthenticatedError)
  })
})
