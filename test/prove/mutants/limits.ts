import { IN_MEMORY, type Mutant, ON_POSTGRES } from './mutant.ts'

const ENGINE = 'migrations/0001_engine.sql'
const FLAGS_SQL = 'migrations/0013_flags.sql'
const CLAIM_SQL = 'migrations/0016_claim_plans.sql'
const CLAIM = 'src/store/memory/claim/claim.ts'
const JOB_ROOMS = 'src/store/memory/claim/job-rooms.ts'
const TENANTS = 'test/scenarios/tenants.test.ts'
const IN_TURN = 'one by one it goes round, and goes on where it left off'
const UNDER_WAY = 'who meets a claim under way takes the work of others, and is told to come back'

/** Bugs in whose turn it is, and in how many of whom run at once. */
export const LIMITS: readonly Mutant[] = [
  {
    invariant: 'I17',
    name: 'what runs of a tenant is not subtracted from what may',
    file: 'src/store/memory/nodes/tenants.ts',
    find: 'Math.max(0, limit - runningOf(tables, tenant))',
    replace: 'limit',
    caughtBy: [
      [IN_MEMORY, 'however often and for whom is claimed'],
      [TENANTS, 'is the limit over all nodes, and every execution runs in the end'],
    ],
  },
  {
    invariant: 'I17',
    name: 'what runs of a job is not subtracted from what may',
    file: JOB_ROOMS,
    find: 'concurrency - (tables.leasesByJob.group(jobId)?.size ?? 0)',
    replace: 'concurrency',
    caughtBy: [[IN_MEMORY, 'what began before it had a limit counts']],
  },
  {
    invariant: 'I17',
    name: 'a job has as many turns in one claim as it likes',
    file: JOB_ROOMS,
    find: 'if (room.all <= 0 || (room.fresh <= 0 && !isBegun(row))) return false',
    replace: 'if (room.all <= -jobId.length) return false',
    caughtBy: [[IN_MEMORY, '2 at once, the oldest first, however often is claimed']],
  },
  {
    invariant: 'I17',
    name: 'a durable run that waits does not count as one of its job',
    file: JOB_ROOMS,
    find: '(tables.parkedByJob.group(jobId)?.size ?? 0) + ',
    replace: '',
    caughtBy: [[IN_MEMORY, 'of 2 at most: while it waits no other takes its place']],
  },
  {
    invariant: 'I17',
    name: 'a job type that rests is taken',
    file: CLAIM,
    find: '(each.tenant ?? tenant) === tenant)) continue',
    replace: 'each.tenant === jobType)) continue',
    caughtBy: [[IN_MEMORY, 'are left alone: of one tenant']],
  },
  {
    invariant: 'I19',
    name: 'the same tenant is first every time',
    file: CLAIM,
    find: '  if (served !== undefined) tables.tenants.served = tables.tenants.numberOf(served)\n',
    replace: '',
    caughtBy: [[IN_MEMORY, IN_TURN]],
  },
  {
    invariant: 'I19',
    name: 'tenants do not take turns, the oldest work goes first',
    file: CLAIM,
    find: '    (a, b) => a.nth - b.nth,\n    (a, b) => turnOf(tables, a.row)',
    replace: '    (a, b) => turnOf(tables, a.row)',
    caughtBy: [[IN_MEMORY, 'one flood leaves the others theirs']],
  },
  {
    invariant: 'I17',
    name: 'SQL: two claims take from the same tenant at once',
    file: FLAGS_SQL,
    find: '    where pg_try_advisory_xact_lock(1886352500, each)\n',
    replace: '',
    caughtBy: [[ON_POSTGRES, UNDER_WAY]],
  },
  {
    invariant: 'I17',
    name: 'SQL: slots beyond a lowered limit do not count',
    file: FLAGS_SQL,
    find: 'limit least(greatest(held.concurrency - cardinality(held.used), 0), most)',
    replace: 'limit least(held.concurrency, most)',
    caughtBy: [[ON_POSTGRES, 'what runs beyond a lower limit goes on, and nothing begins until enough have ended']],
  },
  {
    invariant: 'I17',
    name: 'SQL: a limit does not wait for claims under way',
    file: ENGINE,
    find: '  perform pg_advisory_xact_lock(1886352499, 0);\n  insert into pontual.tenants',
    replace: '  insert into pontual.tenants',
    caughtBy: [[ON_POSTGRES, 'but a limit for claims under way: until it stands, nothing is claimed of anybody']],
  },
  {
    invariant: 'I18',
    name: 'SQL: what began without a limit never counts',
    file: ENGINE,
    find: '  set concurrency = excluded.concurrency;\n  perform pontual.number_leases();\n',
    replace: '  set concurrency = excluded.concurrency;\n',
    caughtBy: [[ON_POSTGRES, 'holds at once: a first limit, below what runs']],
  },
  {
    invariant: 'I18',
    name: 'SQL: what began without a default never counts',
    file: ENGINE,
    find: '  set value = excluded.value;\n  perform pontual.number_leases();\n',
    replace: '  set value = excluded.value;\n',
    caughtBy: [[ON_POSTGRES, 'what began without a limit counts once all others have one']],
  },
  {
    invariant: 'I17',
    name: 'SQL: a lease has no slot',
    file: 'src/store/postgres/claim/claim-statement.ts',
    find: 'limited_tenants.slots[nth] as tenant_slot',
    replace: 'null::int as tenant_slot',
    caughtBy: [[ON_POSTGRES, 'however often and for whom is claimed']],
  },
  {
    invariant: 'I17',
    name: 'SQL: what runs of a job without a slot does not count',
    file: CLAIM_SQL,
    find: '(select count(*)::integer from pontual.leases where leases.job_id = own.job_id) as running',
    replace: '0 as running',
    caughtBy: [[ON_POSTGRES, 'what began before it had a limit counts']],
  },
  {
    invariant: 'I17',
    name: 'SQL: a job type that rests is taken',
    file: 'src/store/postgres/claim/claim-statement.ts',
    find: '  where is_ours and not is_resting\n),\nfull_lanes',
    replace: '  where is_ours\n),\nfull_lanes',
    caughtBy: [[ON_POSTGRES, 'are left alone: of one tenant']],
  },
  {
    invariant: 'I19',
    name: 'SQL: the same tenant is first every time',
    file: 'src/store/postgres/claim/claim-cursor.ts',
    find: '    this.#served = served ?? this.#served\n',
    replace: '',
    caughtBy: [[ON_POSTGRES, IN_TURN]],
  },
  {
    invariant: 'I20',
    name: 'what a firing takes the place of waits on',
    file: 'src/store/memory/firing/fire.ts',
    find: 'firing.displaced ?? []',
    replace: 'firing.displaced?.slice(1) ?? []',
    caughtBy: [
      [IN_MEMORY, 'ends with the firing'],
      ['test/scenarios/overlap-random.test.ts', '"queue": never two at once, no two wait'],
    ],
  },
  {
    invariant: 'I20',
    name: 'the newest occurrence takes the tail of the queue',
    file: 'src/engine/firing/fire-job.ts',
    find: 'place === undefined ? makeId() : uuidInPlaceOf(place, makeId())',
    replace: 'makeId()',
    caughtBy: [['test/scenarios/overlap-starvation.test.ts', 'runs under "queue"']],
  },
  {
    invariant: 'I20',
    name: 'SQL: what a firing takes the place of is ended also where somebody else has fired',
    file: 'src/store/postgres/firing/fire.ts',
    find: 'firings.filter(({ jobId }) => jobIds.includes(jobId))',
    replace: 'firings',
    caughtBy: [[ON_POSTGRES, 'stays where somebody else has fired the job']],
  },
  {
    invariant: 'I29',
    name: 'a claim that does not look for lanes lets the next one look, however slow the last look was',
    file: 'src/store/postgres/claim/claim-cursor.ts',
    find: '    if (begun.isWalk) this.#endWalk(found.walkMs)',
    replace: '    this.#endWalk(found.walkMs)',
    caughtBy: [['src/store/postgres/claim/claim-cursor.test.ts', 'for a fiftieth of the time']],
  },
]
