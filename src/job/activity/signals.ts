import { InvalidInputError, quote } from '../../errors.ts'
import { nearest } from '../../nearest.ts'
import { invalidOption } from '../../time/require.ts'
import { requireName } from '../name.ts'
import { requireSchema, type StandardSchema } from '../type/standard-schema.ts'

/** The signals of a durable job type: the schema of each payload, by name. As the default of a type argument: any signal. */
export type SignalSchemas = Readonly<Record<string, StandardSchema<unknown, unknown>>>

/** The names that may be sent and awaited: the declared ones, or any. */
export type SignalName<Signals> = keyof Signals & string

/** The payload of a declared signal, as the caller sends it. */
export type SignalPayload<Signals, Name extends keyof Signals> =
  Signals[Name] extends StandardSchema<infer Payload, unknown> ? Payload : never

/** The value of a received signal: the schema's output, or the type that the wait names if the signals are not declared. */
export type SignalValue<Signals, Name extends keyof Signals, Otherwise> = string extends keyof Signals
  ? Otherwise
  : Signals[Name] extends StandardSchema<unknown, infer Value>
    ? Value
    : never

/** The declaration of a job type; null for none. */
export function signalsOf(given: unknown, isDurable: boolean, thing: string): SignalSchemas | null {
  if (given === undefined) return null
  if (!isDurable) {
    const message = `${thing}: only a durable job is sent signals. Add durable: true, or leave signals out.`
    throw new InvalidInputError('option.invalid', message, { name: 'signals' })
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw invalidOption(given, `${thing}: signals`, 'an object of names and schemas')
  }
  for (const [name, schema] of Object.entries(given)) {
    requireName(name, `${thing}: signal name`)
    requireSchema(schema, `${thing}: signal ${quote(name)}`)
  }
  return Object.freeze({ ...given })
}

/** The schema of a declared signal; undefined where the declaration does not have it. */
export function schemaOfSignal(signals: SignalSchemas, name: string): StandardSchema<unknown, unknown> | undefined {
  return Object.hasOwn(signals, name) ? signals[name] : undefined
}

/** The error for a signal that a job type does not declare. */
export function unknownSignal(
  { executionId, jobType }: { readonly executionId: string; readonly jobType: string },
  name: string,
  declared: Iterable<string>,
): InvalidInputError {
  const accepted = [...declared].toSorted()
  const suggestion = nearest(name, accepted)
  const known = accepted.length === 0 ? 'it declares none' : `its signals are ${accepted.join(', ')}`
  const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`
  const message = `Job type ${quote(jobType)} declares no signal ${quote(name)}; ${known}.${hint}`
  return new InvalidInputError('signal.unknown', message, {
    executionId,
    jobType,
    received: name,
    accepted,
    suggestion,
  })
}
