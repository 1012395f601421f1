import fc from 'fast-check'
import type { Flag } from '../../../src/access/flag.ts'
import type { ChainCondition } from '../../../src/job/execution/execution.ts'
import type { JobStatus } from '../../../src/job/job-status.ts'
import type { Priority } from '../../../src/job/rules/priority.ts'
import type { TenantConcurrency } from '../../../src/store/tenants.ts'
import { LEASE_MS, MINUTE } from './bench.ts'
import { type RunCommand, runCommands } from './random-run-commands.ts'

/** What may be done to a store. A number `which` picks one of what there is by then. */
export type Command =
  | RunCommand
  | { readonly verb: 'advance'; readonly milliseconds: number }
  | { readonly verb: 'enqueue'; readonly executions: readonly RandomExecution[] }
  | { readonly verb: 'enqueueAgain'; readonly which: number }
  | { readonly verb: 'register'; readonly leaseMs: number }
  | { readonly verb: 'renew'; readonly which: number }
  | { readonly verb: 'removeNode'; readonly which: number }
  | { readonly verb: 'leaveNode'; readonly which: number }
  | {
      readonly verb: 'claim'
      readonly which: number
      readonly limit: number
      readonly aged: number
      readonly lanes: number
      /** A job type, of a tenant or of all. */
      readonly resting: number | null
    }
  | { readonly verb: 'limit'; readonly limits: readonly RandomLimit[] }
  | { readonly verb: 'limitOthers'; readonly concurrency: number | null }
  | {
      readonly verb: 'switch'
      readonly by: 'tenant' | 'provider' | 'all'
      readonly tenant: number
      readonly flag: Flag
      readonly isEnabled: boolean | null
    }
  | { readonly verb: 'finish'; readonly ends: readonly RandomEnd[] }
  | { readonly verb: 'retry'; readonly held: readonly RandomHeld[]; readonly delayMs: number }
  | { readonly verb: 'release'; readonly held: readonly RandomHeld[] }
  | { readonly verb: 'progress'; readonly held: readonly RandomHeld[]; readonly fraction: number }
  | { readonly verb: 'log'; readonly held: readonly RandomHeld[]; readonly level: number }
  | {
      readonly verb: 'cancel'
      readonly which: readonly number[]
      readonly reason: string | null
      readonly force: boolean
    }
  | { readonly verb: 'promote' }
  | { readonly verb: 'recover'; readonly silentForMs: number | null; readonly notAfterMs: number }
  | {
      readonly verb: 'putJob'
      readonly name: number
      readonly nextIn: number | null
      readonly continues: boolean
      readonly concurrency: number | null
    }
  | {
      readonly verb: 'changeJob'
      readonly which: number
      readonly status: JobStatus
      readonly name: number
      readonly stale: boolean
      readonly reschedules: boolean
    }
  | { readonly verb: 'removeJob'; readonly which: number }
  | {
      readonly verb: 'fire'
      readonly limit: number
      readonly stale: boolean
      readonly count: number
      readonly delayMs: number
      readonly displaces: boolean
    }
  | { readonly verb: 'consolidate'; readonly which: number; readonly isSkipped: boolean; readonly ofHolder: boolean }
  | { readonly verb: 'purge'; readonly agoMs: number }
  | { readonly verb: 'list'; readonly statuses: number; readonly limit: number; readonly before: number | null }
  | { readonly verb: 'read' }

export interface RandomExecution {
  readonly priority: Priority
  readonly lane: number
  readonly delayMs: number | null
  readonly key: number | null
  readonly maxAttempts: number
  readonly job: number | null
  readonly after: readonly { readonly which: number; readonly on: ChainCondition }[]
  readonly isDeclared: boolean
  readonly isDurable: boolean
}

interface RandomLimit {
  readonly tenant: number
  readonly concurrency: TenantConcurrency
}

export interface RandomHeld {
  readonly which: number
  /** Mostly 0: what was claimed. */
  readonly epochOff: number
}

interface RandomEnd extends RandomHeld {
  readonly faults: boolean
  readonly heals: boolean
}

const which = fc.nat(1_000)
const epochOff = fc.constantFrom(0, 0, 0, 0, 1, -1)
const held = fc.array(fc.record({ which, epochOff }), { minLength: 1, maxLength: 3 })

const execution: fc.Arbitrary<RandomExecution> = fc.record({
  priority: fc.constantFrom<Priority>('HIGH', 'MEDIUM', 'LOW'),
  lane: fc.nat(5),
  delayMs: fc.constantFrom(null, null, 0, 1, 1_000, MINUTE),
  key: fc.option(fc.nat(3), { freq: 2 }),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  job: fc.option(which),
  after: fc.oneof(
    { arbitrary: fc.constant([]), weight: 2 },
    {
      arbitrary: fc.array(fc.record({ which, on: fc.constantFrom<ChainCondition>('success', 'failure', 'end') }), {
        minLength: 1,
        maxLength: 3,
      }),
      weight: 1,
    },
  ),
  isDeclared: fc.boolean(),
  isDurable: fc.boolean(),
})

function command<Verb extends Command['verb']>(
  verb: Verb,
  fields: {
    readonly [Name in keyof Omit<Extract<Command, { verb: Verb }>, 'verb'>]: fc.Arbitrary<
      Extract<Command, { verb: Verb }>[Name]
    >
  },
  weight: number,
): fc.WeightedArbitrary<Command> {
  return {
    arbitrary: fc.record({ verb: fc.constant(verb), ...fields }) as fc.Arbitrary<unknown> as fc.Arbitrary<Command>,
    weight,
  }
}

const commands: fc.WeightedArbitrary<Command>[] = [
  command('advance', { milliseconds: fc.constantFrom(0, 1, 999, 1_000, LEASE_MS - 1, LEASE_MS, MINUTE) }, 8),
  command('enqueue', { executions: fc.array(execution, { minLength: 1, maxLength: 4 }) }, 10),
  command('enqueueAgain', { which }, 1),
  command('register', { leaseMs: fc.constantFrom(1_000, LEASE_MS, 100 * LEASE_MS) }, 4),
  command('renew', { which }, 3),
  command('removeNode', { which }, 1),
  command('leaveNode', { which }, 1),
  command(
    'claim',
    {
      which,
      limit: fc.integer({ min: 1, max: 5 }),
      aged: fc.nat(2),
      lanes: fc.integer({ min: 1, max: 15 }),
      resting: fc.option(fc.nat(7), { freq: 4, nil: null }),
    },
    14,
  ),
  command(
    'limit',
    {
      limits: fc.array(
        fc.record({
          tenant: fc.nat(2),
          concurrency: fc.constantFrom<TenantConcurrency>(null, 'unlimited', 0, 1, 1, 2, 3),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    },
    4,
  ),
  command('limitOthers', { concurrency: fc.constantFrom(null, null, 0, 1, 2, 4) }, 1),
  command(
    'switch',
    {
      by: fc.constantFrom<'tenant' | 'provider' | 'all'>('tenant', 'tenant', 'provider', 'all'),
      tenant: fc.nat(2),
      flag: fc.constantFrom<Flag>('JOBS_SCHEDULING', 'JOBS_SCHEDULING', 'JOB_RETRY_POLICY', 'JOB_NOTIFICATIONS'),
      isEnabled: fc.constantFrom(null, null, true, true, false),
    },
    3,
  ),
  command(
    'finish',
    {
      ends: fc.array(fc.record({ which, epochOff, faults: fc.boolean(), heals: fc.boolean() }), {
        minLength: 1,
        maxLength: 3,
      }),
    },
    6,
  ),
  command('retry', { held, delayMs: fc.constantFrom(0, 1, 1_000, MINUTE) }, 5),
  command('release', { held }, 3),
  command('progress', { held, fraction: fc.constantFrom(0, 0.25, 1) }, 2),
  command('log', { held, level: fc.nat(3) }, 2),
  command(
    'cancel',
    {
      which: fc.uniqueArray(which, { minLength: 1, maxLength: 3 }),
      reason: fc.constantFrom('Not needed.', null),
      force: fc.constantFrom(false, false, true),
    },
    4,
  ),
  command('promote', {}, 6),
  command(
    'recover',
    {
      silentForMs: fc.constantFrom(null, null, 1, LEASE_MS, MINUTE),
      notAfterMs: fc.constantFrom(0, 1, 1_000, 1_000, -1),
    },
    5,
  ),
  command(
    'putJob',
    {
      name: fc.nat(3),
      nextIn: fc.constantFrom(null, 0, 1, 1_000, MINUTE, -MINUTE),
      continues: fc.boolean(),
      concurrency: fc.constantFrom(null, null, 1, 2),
    },
    4,
  ),
  command(
    'changeJob',
    {
      which,
      status: fc.constantFrom<JobStatus>('ACTIVE', 'PAUSED', 'APPROVED', 'FAULTED', 'DELETED'),
      name: fc.nat(3),
      stale: fc.boolean(),
      reschedules: fc.boolean(),
    },
    4,
  ),
  command('removeJob', { which }, 1),
  command(
    'fire',
    {
      limit: fc.integer({ min: 1, max: 3 }),
      stale: fc.boolean(),
      count: fc.nat(3),
      delayMs: fc.constantFrom(0, 0, 1_000),
      displaces: fc.boolean(),
    },
    8,
  ),
  command('consolidate', { which, isSkipped: fc.boolean(), ofHolder: fc.boolean() }, 3),
  command('purge', { agoMs: fc.constantFrom(0, 1, 1_000, MINUTE, -1) }, 2),
  command('list', { statuses: fc.nat(7), limit: fc.integer({ min: 1, max: 5 }), before: fc.option(which) }, 2),
  command('read', {}, 2),
  ...runCommands,
]

/** What durable executions live through: mostly on nodes that last, so that much of it is done by who holds them. */
const durable = execution.map((each) => ({ ...each, isDurable: true, after: [], key: null, delayMs: null }))
const lasting = command('register', { leaseMs: fc.constant(100 * LEASE_MS) }, 1)
const arrival = command('enqueue', { executions: fc.array(durable, { minLength: 1, maxLength: 3 }) }, 4)
const anyone = fc.record({
  verb: fc.constant('claim' as const),
  which,
  limit: fc.constant(5),
  aged: fc.constant(0),
  lanes: fc.constant(15),
  resting: fc.constant(null),
})
const lives: fc.WeightedArbitrary<Command>[] = [
  ...runCommands,
  lasting,
  arrival,
  { arbitrary: anyone, weight: 12 },
  command('advance', { milliseconds: fc.constantFrom(1, 1_000, MINUTE, 200 * LEASE_MS) }, 3),
  command('promote', {}, 4),
  command('recover', { silentForMs: fc.constant(null), notAfterMs: fc.constant(0) }, 3),
  command('finish', { ends: fc.array(fc.record({ which, epochOff, faults: fc.boolean(), heals: fc.boolean() })) }, 4),
  command('release', { held }, 2),
  command(
    'cancel',
    { which: fc.array(which), reason: fc.constant(null), force: fc.constantFrom(false, false, true) },
    3,
  ),
  command('purge', { agoMs: fc.constant(-1) }, 1),
  command('read', {}, 1),
]
const beginning = fc.tuple(lasting.arbitrary, arrival.arbitrary, anyone)

const lengths = { minLength: 1, maxLength: 80, size: 'max' } as const

export const randomCommands: fc.Arbitrary<Command[]> = fc.oneof(
  fc.array(fc.oneof(...commands), lengths),
  fc.tuple(beginning, fc.array(fc.oneof(...lives), lengths)).map(([first, then]) => [...first, ...then]),
)
