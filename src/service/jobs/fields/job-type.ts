import { MINUTE_MS } from '../../../duration.ts'
import type { EnqueuedType } from '../../../engine/app/enqueuer.ts'
import { activityOf } from '../../../job/activity/activity-type.ts'
import type { FaultRule, JobDefinition } from '../../../job/job.ts'
import { STORED_DEFAULTS } from '../../../job/job-fields.ts'
import { concurrencyOf } from '../../../job/rules/overlap.ts'
import { type RetryRules, retryRules } from '../../../job/rules/retry.ts'
import type { AnyJobType } from '../../../job/type/job-type.ts'
import { DEFAULT_QUEUE } from '../../../job/type/job-type.ts'
import { didYouMean, nearest } from '../../../nearest.ts'
import type { NodeDeclaration } from '../../../store/nodes.ts'
import { misfireRules } from '../../../time/misfire/policy.ts'
import type { TriggerJson } from '../../../time/triggers/json.ts'
import { type FieldProblems, FieldRefusal } from '../../field-problems.ts'
import { isReservedType, type Scope } from '../../scope.ts'
import { readText } from '../../sent-values.ts'

/** A job type that this process has, or that only other nodes have. */
export interface KnownType {
  readonly id: string
  /** null: only other nodes have it. */
  readonly type: AnyJobType | null
  /** The active nodes that have it; not read if this process has it. */
  readonly nodes: readonly NodeDeclaration[]
}

/** Reads the field `jobType`; an unknown one is noted with the nearest known id, and undefined is returned. */
export async function readKnownType(
  scope: Scope,
  problems: FieldProblems,
  jobType: unknown,
): Promise<KnownType | undefined> {
  const { types } = scope.opened.options
  const nodes = typeof jobType === 'string' && types.has(jobType) ? [] : await scope.engineStore.nodes.declarations()
  const elsewhere = new Set(nodes.flatMap((node) => node.jobTypes))
  const isReserved = (id: string) => isReservedType(scope, id)
  return problems.read('/jobType', 'job_type_unknown', () => {
    const type = requireJobType(jobType, types, elsewhere, isReserved)
    const id = type?.id ?? String(jobType).normalize('NFC')
    return { id, type, nodes: nodes.filter(({ jobTypes }) => jobTypes.includes(id)) }
  })
}

/** Throws unless jobs of this type may be made: it is known here, or to a node that lives. Gives it where it is known here. */
function requireJobType(
  jobType: unknown,
  types: ReadonlyMap<string, AnyJobType>,
  elsewhere: ReadonlySet<string>,
  isReserved: (jobType: string) => boolean,
): AnyJobType | null {
  const id = readText(jobType, 'jobType', { min: 1, max: 100 })
  const type = isReserved(id) ? undefined : types.get(id)
  if (type && activityOf(type) === null) return type
  if (!type && elsewhere.has(id) && !isReserved(id) && !id.startsWith('activity:')) return null
  const known = [...types.keys(), ...elsewhere].filter((each) => !each.startsWith('activity:') && !isReserved(each))
  throw new FieldRefusal('job_type_unknown', `There is no job type "${id}".${didYouMean(id, known)}`, {
    jobType: id,
    suggestion: nearest(id, known),
  })
}

/**
 * The rules that an enqueueable type is enqueued by; null if the code does not declare it enqueueable. If only other nodes have it, each of them has to: during a
 * rolling deploy the stricter declaration applies.
 */
export function enqueuedTypeOf({ id, type, nodes }: KnownType): EnqueuedType | null {
  if (type !== null) return type.isEnqueueable ? type : null
  const declared = nodes.map(({ declares }) => declares?.enqueueable?.find((each) => each.id === id))
  const [first] = declared
  return first && !declared.includes(undefined) ? { ...first, schema: null } : null
}

/** A job of a type of which nothing is said but when it fires. What the job type says of itself goes before the defaults of the service. */
export function blankDefinition(
  jobType: string,
  type: AnyJobType | null,
  trigger: TriggerJson,
  onFaulted: FaultRule,
): JobDefinition {
  // A durable job may sleep for months: only its own code knows how long is too long.
  const hasOwnTimeout = type !== null && (type.timeoutMs !== null || type.isDurable)
  const hasOwnRetry = type !== null && (type.retry !== null || type.isDurable)
  const retries = type?.retry?.retries ?? STORED_DEFAULTS.retryCount
  return {
    jobType,
    trigger,
    calendar: null,
    misfire: misfireRules(),
    quartz: false,
    payload: null,
    queue: type?.queue ?? DEFAULT_QUEUE,
    priority: type?.priority ?? 'MEDIUM',
    timeoutMs: hasOwnTimeout ? null : STORED_DEFAULTS.timeoutMinutes * MINUTE_MS,
    retry: hasOwnRetry ? null : retryRules({ retries }),
    maxAttempts: retries + 1,
    onFault: type?.onFaulted ?? onFaulted,
    overlap: 'allow',
    concurrency: concurrencyOf('allow'),
    ...(type?.isDurable ? { durable: true } : {}),
    declaredBy: null,
  }
}

/** So many retries; how long to wait between them, and after which errors there is none, stay as they were. */
export function withRetries(definition: JobDefinition, type: AnyJobType | null, retries: number): JobDefinition {
  const own: RetryRules | null = definition.retry ?? type?.retry ?? null
  const waits = retryRules({ retries })
  const isUsual = own === null || isPrefix(own.intervalsMs, retryRules({ retries: own.retries }).intervalsMs)
  const retry = isUsual
    ? { ...own, ...waits, nonRetryable: own?.nonRetryable ?? [], jitter: own?.jitter ?? 'none' }
    : { ...own, retries }
  return { ...definition, retry, maxAttempts: retries + 1 }
}

function isPrefix(some: readonly number[], all: readonly number[]): boolean {
  return some.every((each, index) => each === all[index])
}
