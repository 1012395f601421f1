import { IN_MEMORY, type Mutant, ON_POSTGRES } from './mutant.ts'

const RECORD = 'src/store/memory/histories/record.ts'
const RECORD_SQL = 'src/store/postgres/histories/record-statements.ts'
const RUN = 'src/durable/run.test.ts'
const LOST = 'refuses who lost the run, also while another holds it'
const TIMER = 'a timer is written once its instant has come, and nothing of its item before'
const TAKEN = 'is taken together with the entry that tells of it'
const NEWS = 'is answered with the news that have come, until somebody has asked for them'

/** Bugs in what is recorded of durable executions, in which order it is given back, and in what wakes them. */
export const DURABLE: readonly Mutant[] = [
  {
    invariant: 'I6',
    name: 'who lost a run goes on recording',
    file: RECORD,
    find: "  if (!leaseOf(tables, item)) return 'refused'\n",
    replace: '',
    caughtBy: [[IN_MEMORY, LOST]],
  },
  {
    invariant: 'I15',
    name: 'a timer fires early',
    file: RECORD,
    find: '(entry.dueAt ?? now) > now)',
    replace: '(entry.dueAt ?? now) > now + 1)',
    caughtBy: [[IN_MEMORY, TIMER]],
  },
  {
    invariant: 'I15',
    name: 'SQL: a timer fires early',
    file: RECORD_SQL,
    find: 'pontual.from_ms(part.due_at) > now',
    replace: "pontual.from_ms(part.due_at) > now + interval '1 millisecond'",
    caughtBy: [[ON_POSTGRES, TIMER]],
  },
  {
    invariant: 'I16',
    name: 'a signal stays in the inbox after it was taken',
    file: RECORD,
    find: '    if (signalId !== undefined) waiting?.delete(signalId)\n',
    replace: '',
    caughtBy: [[IN_MEMORY, TAKEN]],
  },
  {
    invariant: 'I16',
    name: 'a run leaves although something has come for it',
    file: 'src/store/memory/histories/park.ts',
    find: "  if (lease.hasNews) return 'news'\n",
    replace: '',
    caughtBy: [[IN_MEMORY, NEWS]],
  },
  {
    invariant: 'I16',
    name: 'SQL: a run leaves although something has come for it',
    file: 'src/store/postgres/histories/park.ts',
    find: '    and not has_news\n',
    replace: '',
    caughtBy: [[ON_POSTGRES, NEWS]],
  },
  {
    invariant: 'I14',
    name: 'a replay ignores the name of a step',
    file: 'src/durable/replay.ts',
    find: 'a.kind === b.kind && a.name === b.name',
    replace: 'a.kind === b.kind',
    caughtBy: [[RUN, 'stops where a call was swapped, with nothing written and nothing performed']],
  },
  {
    invariant: 'I13',
    name: 'what is recorded is performed again',
    file: 'src/durable/run.ts',
    find: 'if (recorded === null || recorded.position === null) this.gate.whenLive',
    replace: 'this.gate.whenLive',
    caughtBy: [
      [
        'test/scenarios/durable-crash.test.ts',
        'at any question to the store, after it is applied, comes to the same end',
      ],
    ],
  },
]
