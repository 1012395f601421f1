import { type SignalSchemas, schemaOfSignal, unknownSignal } from '../../job/activity/signals.ts'
import type { Execution } from '../../job/execution/execution.ts'
import type { AnyJobType } from '../../job/type/job-type.ts'
import type { StandardSchema } from '../../job/type/standard-schema.ts'
import { requireOfType } from '../app/executions.ts'
import type { KnownTypes } from '../app/known-types.ts'

/** A job type, as far as a caller that sends a signal needs to know it. */
export interface SignalledType<Signals extends SignalSchemas = SignalSchemas> {
  readonly id: string
  readonly signals: Signals | null
}

interface SentSignal {
  readonly name: string
  /** The job type that the caller names. */
  readonly type: SignalledType | undefined
  readonly find: () => Promise<Pick<Execution, 'id' | 'jobType'> | null>
}

interface CheckDeps {
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly knownTypes: KnownTypes
}

/**
 * The declared schema of a signal that is about to be sent; null if its payload is not checked here. Throws if its job type declares no such signal: the type that the
 * caller names decides alone. Otherwise a signal is refused only if neither this process nor an active node accepts it, since one of them may run newer code.
 */
export async function schemaOfSent(
  { types, knownTypes }: CheckDeps,
  { name, type, find }: SentSignal,
): Promise<StandardSchema<unknown, unknown> | null> {
  if (type === undefined && !(await knownTypes.declareSignals())) return null
  const execution = await find()
  if (!execution) return null
  const { id: executionId, jobType } = execution
  if (type !== undefined) requireOfType(execution, type)
  const mine = type ?? types.get(jobType)
  if (mine?.signals === null) return null
  const declared = mine?.signals ?? {}
  const schema = schemaOfSignal(declared, name)
  if (schema) return schema
  const elsewhere = type === undefined ? await knownTypes.signalsOf(jobType, name) : undefined
  const isUndecided = elsewhere === undefined && mine === undefined
  if (isUndecided || elsewhere === null || elsewhere?.has(name)) return null
  throw unknownSignal({ executionId, jobType }, name, new Set([...Object.keys(declared), ...(elsewhere ?? [])]))
}
