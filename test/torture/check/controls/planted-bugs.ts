import type { PlantedBug } from '../../../simulation/planted-bugs.ts'

/** A bug that is put into the sources which some processes of the torture load; the checker has to find it. */
export interface TorturedBug extends PlantedBug {
  /** Who has it. */
  readonly within: 'node' | 'client'
  /** What goes wrong meanwhile: faults by their names. */
  readonly faults: readonly string[]
  /** How long it goes on, where it takes longer than others until it shows. */
  readonly seconds?: number
}

const STOPPED = 'nodes stopped past their lease'
const KILLED = 'nodes killed'
const CLAIM = 'src/store/postgres/claim/claim-statement.ts'
const RECOVER = 'src/store/postgres/executions/recover.ts'
const ENQUEUE = 'src/store/postgres/executions/enqueue.ts'

export const TORTURED_BUGS: readonly TorturedBug[] = [
  {
    name: 'an end is not fenced',
    invariant: 'I6',
    within: 'node',
    faults: [STOPPED],
    seconds: 35,
    file: 'src/store/postgres/executions/finish.ts',
    find: '    and ((execution_id, epoch) in (select execution_id, epoch from input)) is true\n',
    replace: '',
    also: {
      find: '  returning execution_id, epoch, node_id, claimed_at, attempt, progress, progress_note\n',
      replace:
        '  returning execution_id, (select input.epoch from input where input.execution_id = leases.execution_id) as epoch, node_id, claimed_at, attempt, progress, progress_note\n',
    },
  },
  {
    name: 'a claim does not raise the epoch',
    invariant: 'I5',
    within: 'node',
    faults: [],
    file: CLAIM,
    find: 'attempt + 1, epoch + 1, priority, tenant_slot, job_slot, job_id',
    replace: 'attempt + 1, greatest(epoch, 1), priority, tenant_slot, job_slot, job_id',
    also: { find: '  epoch + 1 as epoch\n', replace: '  greatest(epoch, 1) as epoch\n' },
  },
  {
    name: 'a claim takes more of a tenant than it has free slots',
    invariant: 'I17',
    within: 'node',
    faults: [],
    file: CLAIM,
    find: '  where nth <= least(2147483647, cardinality(limited_tenants.slots))\n',
    replace: '',
  },
  {
    name: 'a claim takes more of a job than may run',
    invariant: 'I20',
    within: 'node',
    faults: [KILLED],
    seconds: 35,
    file: CLAIM,
    find: '  where nth <= cardinality(slots)\n    and (is_begun or nth_of_kind <= fresh)\n',
    replace: '',
  },
  {
    name: 'what was not fired is not written down',
    invariant: 'I2',
    within: 'node',
    faults: [KILLED],
    file: 'src/store/postgres/firing/fire.ts',
    find: '  where (job_id in (select id from moved)) is true\n  on conflict do nothing\n',
    replace: '  where false\n  on conflict do nothing\n',
  },
  {
    name: 'an attempt counts when it fails, not when it begins',
    invariant: 'I12',
    within: 'node',
    faults: [],
    seconds: 35,
    file: RECOVER,
    find: '  select lane, attempt, epoch, priority, execution_id, job_id\n  from lost\n',
    replace: '  select lane, attempt - 1, epoch, priority, execution_id, job_id\n  from lost\n',
  },
  {
    name: 'what is delayed is promoted before its time',
    invariant: 'I22',
    within: 'node',
    faults: [],
    file: 'src/store/postgres/executions/leases.ts',
    find: '    where due_at <= (select now from clock)\n      and awaits = 0\n',
    replace: "    where due_at <= (select now from clock) + interval '150 milliseconds'\n      and awaits = 0\n",
  },
  {
    name: 'a sleep is over too early',
    invariant: 'I15',
    within: 'node',
    faults: [],
    file: 'src/durable/context.ts',
    find: 'sleepPlan(run, () => run.host.now() + ms)',
    replace: 'sleepPlan(run, () => run.host.now() + ms * 0.5)',
  },
  {
    name: 'the last entry is forgotten in a history that is loaded',
    invariant: 'I13',
    within: 'node',
    faults: [KILLED],
    file: 'src/store/postgres/histories/load.ts',
    find: 'entries: listFrom<HistoryEntry>(row.entries),',
    replace: 'entries: listFrom<HistoryEntry>(row.entries).slice(0, -1),',
  },
  {
    name: 'nobody takes the work of a dead node',
    invariant: 'I18',
    within: 'node',
    faults: [KILLED],
    file: RECOVER,
    find: '      and expires_at <= (select now from clock)\n',
    replace: '      and false\n',
  },
  {
    name: 'what is due is decided by the clock of the node',
    invariant: 'I23',
    within: 'node',
    faults: [KILLED],
    file: 'src/engine/firing/scheduler.ts',
    find: 'resolveJob(job, calendarOf(job, job.definition.calendar), now, cause)',
    replace: 'resolveJob(job, calendarOf(job, job.definition.calendar), env.now(), cause)',
  },
  {
    name: 'a key that is taken is given to another execution as well',
    invariant: 'I9',
    within: 'client',
    faults: ['answers of commits lost'],
    file: ENQUEUE,
    find: '  where idempotency_key is null\n    or id in (select execution_id from keyed)\n',
    replace: '',
  },
  {
    name: 'an execution is stored, but waits nowhere',
    invariant: 'I8',
    within: 'client',
    faults: [],
    file: ENQUEUE,
    find: '  where due_at <= now\n    and (id in (select id from stored)) is true\n',
    replace:
      '  where due_at <= now\n    and extract(milliseconds from now)::int % 10 > 0\n    and (id in (select id from stored)) is true\n',
  },
  {
    name: 'a cancelled execution stays in line',
    invariant: 'I21',
    within: 'client',
    faults: [],
    file: 'src/store/postgres/executions/cancel.ts',
    find: '  delete from pontual.delayed\n  where execution_id = any($3::uuid[])\n',
    replace: '  update pontual.delayed\n  set lane = lane\n  where execution_id = any($3::uuid[])\n',
  },
]
