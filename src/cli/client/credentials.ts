import { InvalidInputError } from '../../errors.ts'
import type { Environment } from '../start-settings.ts'

/** By what whoever uses this terminal shows who he is, as headers. Never of an option: what stands on a command line is seen by all. */
export function readCredentials(environment: Environment): Readonly<Record<string, string>> {
  const [token, apiKey] = [environment['PONTUAL_TOKEN']?.trim(), environment['PONTUAL_API_KEY']?.trim()]
  if (token && apiKey) {
    const message = 'PONTUAL_TOKEN and PONTUAL_API_KEY are both set: which of them is meant? Unset one.'
    throw new InvalidInputError('setting.contradiction', message)
  }
  requireSendable('PONTUAL_TOKEN', token)
  requireSendable('PONTUAL_API_KEY', apiKey)
  return { ...(token && { authorization: `Bearer ${token}` }), ...(apiKey && { 'x-api-key': apiKey }) }
}

/** Without the value in the message: it is a secret, if perhaps a broken one. */
function requireSendable(name: string, value: string | undefined): void {
  if (value === undefined || /^[!-~]*$/.test(value)) return
  throw new InvalidInputError('setting.invalid', `${name} must be letters, digits and signs without spaces.`, { name })
}
