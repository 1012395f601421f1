import { InvalidInputError, quote } from '../../errors.ts'
import { invalidOption, requireFields, requireOneOf } from '../../time/require.ts'
import { requireUuid } from '../../uuid.ts'
import type { ChainCondition, Failure, FinalStatus, Predecessor, PredecessorResult } from './execution.ts'

/** An execution to run after: its id, or what `enqueue` gave, and how it has to end. Default: with success. */
export type After = string | { readonly id: string; readonly on?: ChainCondition | undefined }

const CONDITIONS: readonly ChainCondition[] = ['success', 'failure', 'end']
const MAX_PREDECESSORS = 10_000

/** What an execution stands behind, checked. */
export function predecessorsOf(after: After | readonly After[]): Predecessor[] {
  const list = Array.isArray(after) ? (after as readonly After[]) : [after as After]
  if (list.length === 0 || list.length > MAX_PREDECESSORS) {
    throw invalidOption(after, 'after', `an execution, or a list of 1-${MAX_PREDECESSORS}`)
  }
  const predecessors = list.map(predecessorOf)
  const ids = new Set<string>()
  for (const { id } of predecessors) {
    if (ids.has(id)) {
      throw new InvalidInputError('option.invalid', `after names execution ${quote(id)} twice.`, { name: 'after', id })
    }
    ids.add(id)
  }
  return predecessors
}

function predecessorOf(after: After): Predecessor {
  if (typeof after === 'string') return { id: requireUuid(after, 'after'), on: 'success' }
  if (typeof after !== 'object' || after === null) {
    throw invalidOption(after, 'after', 'the id of an execution, or { id, on }')
  }
  // What enqueue gives may be handed on as it is.
  const { id, on = 'success' } = requireFields(after, 'after', ['id', 'on', 'isNew', 'jobType'])
  return { id: requireUuid(id, 'after'), on: requireOneOf(on, 'after: on', CONDITIONS) }
}

/** Whether an end is the one that was waited for. */
export function isMet(condition: ChainCondition, status: FinalStatus): boolean {
  switch (condition) {
    case 'end':
      return true
    case 'success':
      return status === 'SUCCESS'
    case 'failure':
      return status === 'FAILED' || status === 'TIMEOUT'
  }
}

/** Why an execution is not needed: one before it has ended otherwise. */
export function notNeeded({ id, on }: Predecessor, status: FinalStatus): Failure {
  return {
    name: 'NotNeededError',
    code: 'execution.not_needed',
    message: `Execution "${id}" ended as ${status}; this one was to run after its ${on}.`,
  }
}

/** The input of an execution that was given none: what those before it gave. */
export function inputFrom(predecessors: readonly PredecessorResult[]): unknown {
  const [first, ...others] = predecessors
  if (!first) return undefined
  // A place in a list stays, also where nothing was given for it.
  if (others.length > 0) return predecessors.map(({ output }) => output ?? null)
  if (first.status === 'SUCCESS') return first.output
  const { executionId, jobType, status, error } = first
  return { executionId, jobType, status, error }
}
