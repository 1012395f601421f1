import { isPermission } from '../../access/permission.ts'
import type { Principal } from '../../access/principal.ts'
import { isProfile } from '../../access/profile.ts'
import { PontualError, quote } from '../../errors.ts'
import { checkedPrincipal } from './checked-principal.ts'
import type { IdentityOptions, OwnIdentity } from './identity-options.ts'
import type { Identified } from './shown.ts'

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
