import type { Permission } from '../../access/permission.ts'
import type { Principal, PrincipalSource } from '../../access/principal.ts'
import { type Profile, permissionsOf } from '../../access/profile.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { requireName } from '../../job/name.ts'

/** What Pontual writes where others write who they are; a user of such a name would pass for a key, or for code. */
const OUR_NAMES = /^(key|code):/

interface Person {
  readonly tenant: unknown
  readonly userId: unknown
  readonly profile: Profile
  /** Those he may have at most; null: all of the profile. */
  readonly permissions: readonly Permission[] | null
}

/** A person as a principal; throws where a name cannot be one. */
export function checkedPrincipal(person: Person, source: PrincipalSource): Principal {
  const userId = requireName(person.userId, 'User')
  if (OUR_NAMES.test(userId)) {
    throw new InvalidInputError('name.reserved', `User must not begin as Pontual's own names do, got ${quote(userId)}.`)
  }
  return {
    tenant: requireName(person.tenant, 'Tenant'),
    userId,
    ownerId: null,
    profile: person.profile,
    permissions: narrowed(person.profile, person.permissions),
    source,
  }
}

/** What a profile allows, and of that only what is listed. */
export function narrowed(profile: Profile, permissions: readonly Permission[] | null): ReadonlySet<Permission> {
  const all = permissionsOf(profile)
  return permissions === null ? all : new Set(permissions.filter((permission) => all.has(permission)))
}
