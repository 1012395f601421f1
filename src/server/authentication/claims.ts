import type { JWTPayload } from 'jose'
import { isPermission, type Permission } from '../../access/permission.ts'
import type { Principal } from '../../access/principal.ts'
import { isProfile, type Profile, permissionsOf } from '../../access/profile.ts'
import { checkedPrincipal } from './checked-principal.ts'
import type { ClaimName, JwtOptions } from './identity-options.ts'

/** Who the claims of a token say that somebody is; null where they do not say all of it. */
export function principalOfClaims(claims: JWTPayload, options: JwtOptions): Principal | null {
  const { tenant = 'clienteId', user = 'sub', profile = 'profile', permissions = 'permissions' } = options.claims ?? {}
  const named = profileOf(claimAt(claims, profile), options.profiles)
  const narrower = permissionsClaim(claimAt(claims, permissions))
  if (named === null || narrower === undefined) return null
  const person = {
    tenant: options.tenant ?? textOf(claimAt(claims, tenant)),
    userId: textOf(claimAt(claims, user)),
    profile: named,
    permissions: narrower,
  }
  try {
    return checkedPrincipal(person, 'jwt')
  } catch {
    return null
  }
}

function claimAt(claims: object, name: ClaimName): unknown {
  let value: unknown = claims
  for (const step of typeof name === 'string' ? [name] : name) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

/** Ids are numbers in many systems. */
function textOf(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value
}

/** The profile that allows most of those that are named. */
function profileOf(value: unknown, names: Readonly<Record<string, Profile>> | undefined): Profile | null {
  const found = (Array.isArray(value) ? (value as unknown[]) : [value])
    .map((each) => profileNamed(each, names))
    .filter((each) => each !== null)
  return found.toSorted((left, right) => permissionsOf(right).size - permissionsOf(left).size)[0] ?? null
}

function profileNamed(value: unknown, names: Readonly<Record<string, Profile>> | undefined): Profile | null {
  if (names === undefined) return isProfile(value) ? value : null
  return typeof value === 'string' && Object.hasOwn(names, value) ? (names[value] ?? null) : null
}

/** null: no such claim, all of the profile; undefined: a claim that cannot be read. Unknown names allow nothing. */
function permissionsClaim(value: unknown): readonly Permission[] | null | undefined {
  if (value === undefined) return null
  const names: unknown = typeof value === 'string' ? value.split(' ') : value
  return Array.isArray(names) ? (names as unknown[]).filter(isPermission) : undefined
}
