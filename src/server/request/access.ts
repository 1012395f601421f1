import { UnauthenticatedError } from '../../access/errors.ts'
import type { Permission } from '../../access/permission.ts'
import { type Principal, requirePermission, requireProfile, requireWholeProfile } from '../../access/principal.ts'
import type { Profile } from '../../access/profile.ts'

/**
 * Who may use a route.
 *
 * - `identified`: whoever has shown who he is
 * - permissions: whoever has every one of them, and the profile where one is named
 * - a profile alone: whoever has it undiminished; a key or a token that is narrower than the profile administers nothing
 */
export type Access =
  | 'identified'
  | { readonly permissions: readonly [Permission, ...Permission[]]; readonly profile?: Profile }
  | { readonly profile: Profile }

/** Throws unless the route may be used by whoever asks. */
export function requireAccess(access: Access, principal: Principal | null): asserts principal is Principal {
  if (principal === null) {
    throw new UnauthenticatedError('unauthenticated', 'This needs a token, an API key or a session.', {
      case: 'missing',
    })
  }
  if (access === 'identified') return
  if (!('permissions' in access)) return requireWholeProfile(principal, access.profile)
  if (access.profile !== undefined) requireProfile(principal, access.profile)
  requirePermission(principal, ...access.permissions)
}
