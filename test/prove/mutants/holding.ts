import { IN_MEMORY, type Mutant, ON_POSTGRES } from './mutant.ts'

const LEASES = 'src/store/memory/executions/leases.ts'
const RECOVERY = 'test/scenarios/recovery.test.ts'
const OUTAGE = 'test/scenarios/recovery-outage.test.ts'
const RENEWAL = 'src/store/renewal-loop.ts'

/** How the fence of a statement looks that joins what it took with what it was told. */
const FENCED = '    and ((execution_id, epoch) in (select execution_id, epoch from input)) is true\n'
const NOT_CANCELLING = `    and (
      not is_cancelling
      and (epoch = 1 or (select true from pontual.cancellations where execution_id = leases.execution_id) is null)
      or (execution_id in (select execution_id from input where status = 'CANCELLED')) is true
    )
`
const TOLD_EPOCH =
  '(select told.epoch from input as told where told.execution_id = leases.execution_id limit 1) as epoch'

/** Bugs in who holds an execution, and in what one may still write who holds it no more. */
export const HOLDING: readonly Mutant[] = [
  {
    invariant: 'I5',
    name: 'a claim does not raise the epoch',
    file: 'src/store/memory/claim/claim.ts',
    find: 'const epoch = row.epoch + 1',
    replace: 'const epoch = row.epoch || 1',
    caughtBy: [
      [IN_MEMORY, 'refuses finish of one whose lease was over, and another has it'],
      [RECOVERY, 'has its work done by another one after the lease, and the attempt counts'],
    ],
  },
  {
    invariant: 'I5',
    name: 'SQL: a claim does not raise the epoch',
    file: 'src/store/postgres/claim/claim-statement.ts',
    find: 'attempt + 1, epoch + 1, priority,',
    replace: 'attempt + 1, greatest(epoch, 1), priority,',
    caughtBy: [
      [ON_POSTGRES, 'epochs grow with every claim, whoever claims'],
      [ON_POSTGRES, 'refuses finish of one whose lease was over, and another has it'],
    ],
  },
  {
    invariant: 'I5',
    name: 'a node claims although its lease is over',
    file: 'src/store/memory/claim/claim.ts',
    find: 'if (!node || node.expiresAt <= now) {',
    replace: 'if (!node) {',
    caughtBy: [[IN_MEMORY, 'takes nothing for a node whose lease is over']],
  },
  {
    invariant: 'I6',
    name: 'an end is taken whatever its epoch',
    file: LEASES,
    find: 'const lease = leaseOf(tables, ending)',
    replace: 'const lease = tables.leases.get(ending.executionId)',
    caughtBy: [
      [IN_MEMORY, 'refuses finish of one whose lease was over, and another has it'],
      [RECOVERY, 'cannot record a result'],
    ],
  },
  {
    invariant: 'I6',
    name: 'SQL: an end is taken whatever its epoch',
    file: 'src/store/postgres/executions/finish.ts',
    find: `${FENCED}${NOT_CANCELLING}  returning execution_id, epoch,`,
    replace: `${NOT_CANCELLING}  returning execution_id, ${TOLD_EPOCH},`,
    caughtBy: [[ON_POSTGRES, 'refuses finish with an output of one whose lease was over, and another has it']],
  },
  {
    invariant: 'I6',
    name: 'SQL: a plain end is taken whatever its epoch',
    file: 'src/store/postgres/executions/finish-plainly.ts',
    find: '    and epoch = $3::int\n',
    replace: '    and $3::int is not null\n',
    caughtBy: [[ON_POSTGRES, 'refuses finish of one whose lease was over, and another has it']],
  },
  {
    invariant: 'I6',
    name: 'a retry is taken whatever its epoch',
    file: LEASES,
    find: 'const lease = takeLease(tables, retry)',
    replace: 'const lease = tables.leases.take(retry.executionId)',
    caughtBy: [[IN_MEMORY, 'refuses retry of one whose lease was over, and another has it']],
  },
  {
    invariant: 'I6',
    name: 'SQL: a retry is taken whatever its epoch',
    file: 'src/store/postgres/executions/retry.ts',
    find: `${FENCED}  returning execution_id, epoch,`,
    replace: `  returning execution_id, ${TOLD_EPOCH},`,
    caughtBy: [[ON_POSTGRES, 'refuses retry of one who gave it back, and another has it']],
  },
  {
    invariant: 'I6',
    name: 'a release is taken whatever its epoch',
    file: LEASES,
    find: 'const lease = takeLease(tables, held)',
    replace: 'const lease = tables.leases.take(held.executionId)',
    caughtBy: [[IN_MEMORY, 'refuses release of one whose lease was over, and another has it']],
  },
  {
    invariant: 'I6',
    name: 'SQL: a release is taken whatever its epoch',
    file: 'src/store/postgres/executions/leases.ts',
    find: FENCED,
    replace: '',
    caughtBy: [[ON_POSTGRES, 'refuses release of one whose lease was over, and another has it']],
  },
  {
    invariant: 'I6',
    name: 'progress is taken whatever its epoch',
    file: LEASES,
    find: 'const lease = leaseOf(tables, report)',
    replace: 'const lease = tables.leases.get(report.executionId)',
    caughtBy: [
      [IN_MEMORY, 'refuses progress of one whose lease was over, and another has it'],
      [RECOVERY, 'cannot log or report progress, and its signal is aborted'],
    ],
  },
  {
    invariant: 'I6',
    name: 'SQL: progress is taken whatever its epoch',
    file: 'src/store/postgres/executions/leases.ts',
    find: '  and leases.epoch = input.epoch\n',
    replace: '',
    caughtBy: [[ON_POSTGRES, 'refuses progress of one whose lease was over, and another has it']],
  },
  {
    invariant: 'I6',
    name: 'a log line is taken whatever its epoch',
    file: 'src/store/memory/executions/logs.ts',
    find: 'tables.leases.get(line.executionId)?.epoch === line.epoch',
    replace: 'tables.leases.has(line.executionId)',
    caughtBy: [
      [IN_MEMORY, 'refuses a log line of one whose lease was over, and another has it'],
      [RECOVERY, 'cannot log or report progress, and its signal is aborted'],
    ],
  },
  {
    invariant: 'I6',
    name: 'SQL: a log line is taken whatever its epoch',
    file: 'src/store/postgres/executions/logs.ts',
    find: '      and leases.epoch = line.epoch\n',
    replace: '',
    caughtBy: [[ON_POSTGRES, 'refuses a log line of one whose lease was over, and another has it']],
  },
  {
    invariant: 'I7',
    name: 'an end by others counts as one that the holder recorded',
    file: LEASES,
    find: 'result?.epoch === epoch && result.isReported',
    replace: 'result?.epoch === epoch',
    caughtBy: [
      [IN_MEMORY, 'an end by cancel is not one that the holder recorded: his is refused'],
      [IN_MEMORY, 'an end by recover is not one that the holder recorded: his is refused'],
      ['test/scenarios/cancel-race.test.ts', 'and each execution ends once'],
    ],
  },
  {
    invariant: 'I7',
    name: 'SQL: an end by others counts as one that the holder recorded',
    file: 'src/store/postgres/executions/finish.ts',
    find: '    and results.is_reported\n',
    replace: '',
    caughtBy: [[ON_POSTGRES, 'an end by cancel is not one that the holder recorded: his is refused']],
  },
  {
    invariant: 'I7',
    name: 'an end that the store refused is told all the same',
    file: 'src/engine/running/outcome.ts',
    find: "  if (!isAccepted) return tellRefused(deps, attempt, 'success')\n",
    replace: '',
    caughtBy: [
      [RECOVERY, 'cannot record a result'],
      ['test/scenarios/cancel-race.test.ts', 'and each execution ends once'],
    ],
  },
  {
    invariant: 'I11',
    name: 'a blocked event loop may renew for ever',
    file: 'src/engine/running/slots.ts',
    find: 'this.#options.node.allowUntil(soonest === null ? null : Math.max(soonest, ALLOW_MS * 2))',
    replace: 'this.#options.node.allowUntil(null)',
    caughtBy: [
      [
        'test/torture/takeover.test.ts',
        'a handler that blocks the event loop past its timeout loses its node, and another one goes on',
      ],
    ],
  },
  {
    invariant: 'I10',
    name: 'stale work is looked for too seldom',
    file: 'src/engine/node/recovery.ts',
    find: 'everyMs: checkMs,',
    replace: 'everyMs: checkMs * 3,',
    caughtBy: [[RECOVERY, 'has its work taken within the lease and five seconds, whenever it dies']],
  },
  {
    invariant: 'I10',
    name: 'a node whose lease is over stays on the list, and keeps its work',
    file: 'src/store/memory/executions/recover.ts',
    find: 'if (isGone(node, silentForMs, now)) tables.nodes.take(node.id)',
    replace: 'if (isGone(node, silentForMs, now)) continue',
    caughtBy: [
      [IN_MEMORY, 'takes back what a node holds whose lease is over: the attempt is lost, and counts'],
      [RECOVERY, 'has its work taken within the lease and five seconds, whenever it dies'],
    ],
  },
  {
    invariant: 'I11',
    name: 'work is taken by its id, also from a node that lives',
    file: 'src/store/memory/executions/recover.ts',
    find: '.filter(([nodeId]) => !tables.nodes.has(nodeId))',
    replace: '',
    caughtBy: [
      [IN_MEMORY, 'leaves alone what a living node holds'],
      [RECOVERY, 'is never stale, however long its work takes'],
    ],
  },
  {
    invariant: 'I11',
    name: 'SQL: a node is taken off the list although its lease lasts',
    file: 'src/store/postgres/executions/recover.ts',
    find: '      and expires_at <= (select now from clock)\n',
    replace: '',
    caughtBy: [[ON_POSTGRES, 'leaves alone what a living node holds']],
  },
  {
    invariant: 'I11',
    name: 'after an outage of the store nobody waits for those that live to renew',
    file: 'src/engine/node/recovery.ts',
    find: 'this.#patientUntil = env.monotonic() + 2 * renewalMs',
    replace: 'this.#patientUntil = 0',
    caughtBy: [[OUTAGE, 'for all nodes makes none of them take the work of another']],
  },
  {
    invariant: 'I11',
    name: 'a renewal that failed is not tried again before the next turn',
    file: RENEWAL,
    find: 'const waitMs = Math.min(this.#options.intervalMs / 4, LONGEST_RETRY_MS)',
    replace: 'const waitMs = this.#options.intervalMs * 4',
    caughtBy: [['src/store/renewal-loop.test.ts', 'is tried again soon when the store failed']],
  },
  {
    invariant: 'I11',
    name: 'a lease is renewed past the hard timeout',
    file: RENEWAL,
    find: 'isAllowed ? await this.#lease.renew() : await this.#lease.isListed()',
    replace: 'isAllowed || true ? await this.#lease.renew() : await this.#lease.isListed()',
    caughtBy: [
      ['src/store/renewal-loop.test.ts', 'is only looked at past the time that is allowed'],
      [IN_MEMORY, 'renews no longer than it is allowed to'],
    ],
  },
  {
    invariant: 'I12',
    name: 'a lost attempt does not count: it is counted at failure, not at claim',
    file: 'src/store/memory/executions/recover.ts',
    find: 'tables.ready.put({ body, attempt: isUnspent ? attempt - 1 : attempt, epoch })',
    replace: 'tables.ready.put({ body, attempt: attempt - 1, epoch })',
    caughtBy: [
      [IN_MEMORY, 'an execution that kills its node every time uses up exactly its attempts'],
      [RECOVERY, 'again and again ends the execution at its last attempt and faults the job'],
    ],
  },
  {
    invariant: 'I12',
    name: 'SQL: a lost attempt does not count: it is counted at failure, not at claim',
    file: 'src/store/postgres/executions/recover.ts',
    find: '  select lane, attempt - is_unspent::integer, epoch, priority, execution_id, job_id\n  from lost',
    replace: '  select lane, attempt - 1, epoch, priority, execution_id, job_id\n  from lost',
    caughtBy: [[ON_POSTGRES, 'an execution that kills its node every time uses up exactly its attempts']],
  },
  {
    invariant: 'I12',
    name: 'one attempt more than there may be',
    file: 'src/store/memory/executions/recover.ts',
    find: 'attempt >= body.maxAttempts',
    replace: 'attempt > body.maxAttempts',
    caughtBy: [[IN_MEMORY, 'an execution that kills its node every time uses up exactly its attempts']],
  },
  {
    invariant: 'I12',
    name: 'a timeout leaves the slot to a handler that ignores it',
    file: 'src/engine/running/attempt.ts',
    find: "      this.#end({ kind: 'failure', status: 'TIMEOUT', error, isRetryable: isRetryable(this.#retry, error) })\n",
    replace: '',
    caughtBy: [['test/scenarios/timeout.test.ts', 'frees its slot all the same']],
  },
]
