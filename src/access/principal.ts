import { ForbiddenError } from './errors.ts'
import type { Permission } from './permission.ts'
import { type Profile, permissionsOf } from './profile.ts'

/** How somebody has shown who he is. */
export type PrincipalSource = 'jwt' | 'apiKey' | 'session' | 'custom' | 'dev'

/** Who asks, for which tenant, and what he may do. */
export interface Principal {
  readonly tenant: string
  /** Of an API key: `key:` and its id. */
  readonly userId: string
  /** The person behind a key; null where `userId` is the person himself. */
  readonly ownerId: string | null
  readonly profile: Profile
  /** Those of the profile, or fewer: a key and a token may be narrower than their holder. */
  readonly permissions: ReadonlySet<Permission>
  readonly source: PrincipalSource
}

/** Throws unless the principal has every one of the permissions. */
export function requirePermission(principal: Principal, ...permissions: readonly Permission[]): void {
  const missing = permissions.filter((permission) => !principal.permissions.has(permission))
  if (missing.length === 0) return
  throw new ForbiddenError('access.permission_missing', `This needs the permission ${missing.join(' and ')}.`, {
    permissions: missing,
  })
}

/** Throws unless the principal has the profile. */
export function requireProfile(principal: Principal, profile: Profile): void {
  if (principal.profile === profile) return
  throw new ForbiddenError('access.profile_missing', `This needs the profile ${profile}.`, { profile })
}

/** Throws unless the principal has the profile undiminished: a key or a token that is narrower than its holder administers nothing. */
export function requireWholeProfile(principal: Principal, profile: Profile): void {
  requireProfile(principal, profile)
  if ([...permissionsOf(profile)].every((permission) => principal.permissions.has(permission))) return
  throw new ForbiddenError(
    'access.permission_missing',
    `This needs every permission of the profile ${profile}; these credentials have fewer.`,
    { case: 'whole', profile },
  )
}

/** The people a principal stands for: a key is also whoever owns it. */
export function personsOf({ userId, ownerId }: Principal): readonly string[] {
  return ownerId === null ? [userId] : [userId, ownerId]
}
