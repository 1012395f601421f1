import type { RetryOptions } from '../../../../src/job/rules/retry.ts'
import type { JobTypeOfWorld, ScheduleOfWorld, TenantOfWorld } from '../history/world-file.ts'

export const LEASE_MS = 3_000
export const STALE_CHECK_MS = 500
export const POLL_MS = 250
export const RENEWAL_MS = 500
export const GRACE_MS = 2_000
/** Nobody waits longer for a database that is silent. */
export const DEADLINE_MS = 5_000

/** What a plain execution is to do. */
export interface Task {
  /** What it was asked for with: what is made twice for one key is seen. Empty for what a schedule fires. */
  readonly key: string
  readonly runMs: number
  /** It fails in its first so many attempts. */
  readonly failures: number
}

/** What a durable execution is to do. */
export interface Order {
  readonly key: string
  readonly stepMs: number
  readonly sleepMs: number
  readonly signals: number
  /** So many tries of its first activity fail. */
  readonly failures: number
}

/** The first and the last are alone, those between stand beside each other. */
export const ACTIVITIES = ['reserve', 'pick', 'pack', 'bill', 'ship'] as const

/** Of the user, not of Pontual. */
export const BOOKINGS = 'public.bookings'

/** One more loss of its node is no reason to end. */
const LEAST_RETRY_MS = 200
const PATIENT = { retries: 60, intervals: [LEAST_RETRY_MS] } as const

export const PLAIN_TYPES = {
  short: PATIENT,
  failing: { retries: 3, intervals: [LEAST_RETRY_MS] },
  long: PATIENT,
  deaf: PATIENT,
  poison: { retries: 2, intervals: [LEAST_RETRY_MS] },
  flood: PATIENT,
  tick: PATIENT,
} as const satisfies Readonly<Record<string, RetryOptions>>

export type PlainType = keyof typeof PLAIN_TYPES

/** Without it a run that has lost its node a few times in a row is parked, for somebody to look at. */
export const DEFAULT_RETRY: RetryOptions = PATIENT

export const JOB_TYPES: readonly JobTypeOfWorld[] = [
  ...Object.entries(PLAIN_TYPES).map(([id, { retries }]) => ({
    id,
    isDurable: false,
    maxAttempts: retries + 1,
    isPoison: id === 'poison',
    leastRetryMs: LEAST_RETRY_MS,
  })),
  { id: 'order', isDurable: true, maxAttempts: null, isPoison: false, leastRetryMs: 0 },
]

/** Most have what they want; of two only so many run at once. */
export const TENANTS = [
  { name: 'acme', limit: null },
  { name: 'globex', limit: null },
  { name: 'capped', limit: 5 },
  { name: 'tight', limit: 2 },
] as const satisfies readonly TenantOfWorld[]

/** The limits that are set one after the other while chaos reigns. */
export const LIMITS: Readonly<Record<string, readonly number[]>> = { capped: [5, 2, 8, 3], tight: [2, 1, 3] }

/** The job that clients of the service enqueue by its name. By itself it fires once a year. */
export const DESK = 'desk'

interface Rhythm extends Pick<ScheduleOfWorld, 'policy' | 'overlap' | 'isDisturbed'> {
  readonly everySeconds: number
  readonly runMs: number
}

const RHYTHMS: readonly Rhythm[] = [
  { everySeconds: 2, policy: 'smart', overlap: 'allow', runMs: 20, isDisturbed: true },
  { everySeconds: 3, policy: 'fireNow', overlap: 'allow', runMs: 20, isDisturbed: false },
  { everySeconds: 1, policy: 'fireOnce', overlap: 'skip', runMs: 1_400, isDisturbed: false },
  { everySeconds: 2, policy: 'fireAll', overlap: 'allow', runMs: 100, isDisturbed: false },
  { everySeconds: 1, policy: 'skipToNext', overlap: 'allow', runMs: 20, isDisturbed: true },
  { everySeconds: 5, policy: 'ignore', overlap: { atMost: 2 }, runMs: 1_000, isDisturbed: false },
  { everySeconds: 1, policy: 'fireOnce', overlap: 'queue', runMs: 1_700, isDisturbed: false },
  { everySeconds: 2, policy: 'skipToNext', overlap: 'skip', runMs: 2_500, isDisturbed: true },
  { everySeconds: 4, policy: 'fireAll', overlap: 'replace', runMs: 4_500, isDisturbed: false },
]

/** What is late by more is a misfire: with a server that is gone for a few seconds there are many. */
const THRESHOLD_MS = 1_000
const CATCH_UP_LIMIT = 10

export const SCHEDULES: readonly (ScheduleOfWorld & { readonly runMs: number })[] = RHYTHMS.map((rhythm, index) => ({
  name: `tick ${index + 1}`,
  tenant: index % 2 === 0 ? 'acme' : 'globex',
  jobType: 'tick',
  cron: `*/${rhythm.everySeconds} * * * * *`,
  everyMs: rhythm.everySeconds * 1_000,
  policy: rhythm.policy,
  thresholdMs: THRESHOLD_MS,
  catchUpLimit: CATCH_UP_LIMIT,
  overlap: rhythm.overlap,
  isDisturbed: rhythm.isDisturbed,
  runMs: rhythm.runMs,
}))
