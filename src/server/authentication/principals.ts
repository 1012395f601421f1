import type { JWTPayload } from 'jose'
import { isPermission, type Permission } from '../../access/permission.ts'
import type { Principal, PrincipalSource } from '../../access/principal.ts'
import { isProfile, type Profile, permissionsOf } from '../../access/profile.ts'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import { requireName } from '../../job/name.ts'
import type { Connection } from './authenticate.ts'
import type { ClaimName, DevOptions, Identified, IdentityOptions, JwtOptions, OwnIdentity } from './identity-options.ts'

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
function checkedPrincipal(person: Person, source: PrincipalSource): Principal {
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

type OwnAuthenticate = NonNullable<IdentityOptions['authenticate']>

/** Asks one's own `authenticate`; what it answers is checked, because a mistake in it opens doors. */
export async function ownIdentity(authenticate: OwnAuthenticate, request: Request): Promise<Identified | null> {
  // Without the body, which can be read once only, and is not for this.
  const { url, method, headers } = request
  const answer = await authenticate(new Request(url, { method, headers }))
  if (answer === null || answer === undefined) return null
  return { principal: principalOf(answer), source: 'custom', keyId: null, expiresAt: null }
}

function principalOf(answer: OwnIdentity): Principal {
  const { tenant, userId, profile, permissions = null } = answer
  if (!isProfile(profile)) throw mistake(`the profile ${quote(profile)}`)
  const wrong = permissions?.find((permission) => !isPermission(permission))
  if (wrong !== undefined) throw mistake(`the permission ${quote(wrong)}`)
  try {
    return checkedPrincipal({ tenant, userId, profile, permissions }, 'custom')
  } catch (error) {
    throw mistake('a name that cannot be one', error)
  }
}

/** Not the fault of whoever asks: he is told that something went wrong here, and the log says what. */
function mistake(what: string, cause?: unknown): PontualError {
  return new PontualError('identity.answer_invalid', `authenticate() gave ${what}.`, {}, { cause })
}

/** What a proxy leaves behind. Where there is one, the address is the proxy's and says nothing about who asks. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Who everybody on this machine is in development. */
export function devPrincipal(options: boolean | DevOptions): Principal {
  const { tenant = 'default', userId = 'dev' } = typeof options === 'object' ? options : {}
  return checkedPrincipal({ tenant, userId, profile: 'Admin', permissions: null }, 'dev')
}

/** Whether a request comes from this machine, straight, and to a name of this machine: a page elsewhere that points its own name at us does not. */
export function isFromThisMachine({ headers, url }: Request, { address }: Connection): boolean {
  if (PROXY_HEADERS.some((name) => headers.has(name))) return false
  // A request that the application itself has made has no Host header; a server answers 400 to one that has come without.
  return isLoopbackAddress(address) && isLoopbackHost(headers.get('host') ?? new URL(url).host)
}

const LOOPBACK_ADDRESS = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i

const LOOPBACK_HOST = /^(localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(:\d{1,5})?$/i

/** Whether an address of a socket is this machine's own. */
function isLoopbackAddress(address: string | null): boolean {
  return address !== null && LOOPBACK_ADDRESS.test(address)
}

/** Whether a Host header names this machine: a name that an attacker points at it is another one. */
export function isLoopbackHost(host: string | null): boolean {
  return host !== null && LOOPBACK_HOST.test(host)
}
