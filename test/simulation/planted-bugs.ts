/** A bug that is put into a source file while it is loaded; the simulation has to find it. */
export interface PlantedBug {
  readonly name: string
  /** What it breaks, as docs/proof/invariants.md names it. */
  readonly invariant: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** What stands behind it and would catch it, in the same file. */
  readonly also?: { readonly find: string; readonly replace: string }
}

const LEASES = 'src/store/memory/leases.ts'
const CLAIM = 'src/store/memory/claim.ts'
const RECOVER = 'src/store/memory/recover.ts'
const RECORD = 'src/store/memory/record.ts'
const FIRE = 'src/store/memory/fire.ts'
const ENQUEUE = 'src/store/memory/enqueue.ts'

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'an end is not fenced',
    invariant: 'I6',
    file: LEASES,
    find: 'const lease = leaseOf(tables, ending)',
    replace: 'const lease = tables.leases.get(ending.executionId)',
  },
  {
    name: 'a retry is not fenced',
    invariant: 'I6',
    file: LEASES,
    find: 'const lease = takeLease(tables, retry)',
    replace: 'const lease = tables.leases.take(retry.executionId)',
  },
  {
    name: 'a release is not fenced',
    invariant: 'I6',
    file: LEASES,
    find: 'const lease = takeLease(tables, held)',
    replace: 'const lease = tables.leases.take(held.executionId)',
  },
  {
    name: 'progress is not fenced',
    invariant: 'I6',
    file: LEASES,
    find: 'const lease = leaseOf(tables, report)',
    replace: 'const lease = tables.leases.get(report.executionId)',
  },
  {
    name: 'the record of a step is not fenced',
    invariant: 'I6',
    file: RECORD,
    find: "if (!leaseOf(tables, item)) return 'refused'",
    replace: "if (!tables.leases.has(item.executionId)) return 'refused'",
  },
  {
    name: 'an end over the head of its holder counts as his own',
    invariant: 'I6',
    file: LEASES,
    find: 'return result?.epoch === epoch && result.isReported',
    replace: 'return result?.epoch === epoch',
  },
  {
    name: 'work is taken from nodes that live',
    invariant: 'I5',
    file: RECOVER,
    find: '.filter(([nodeId]) => !tables.nodes.has(nodeId))',
    replace: '',
  },
  {
    name: 'a claim does not raise the epoch',
    invariant: 'I5',
    file: CLAIM,
    find: 'const epoch = row.epoch + 1',
    replace: 'const epoch = row.epoch || 1',
  },
  {
    name: 'a claim leaves its execution where others can claim it',
    invariant: 'I5',
    file: CLAIM,
    find: '  tables.ready.take(body.id)\n',
    replace: '  if (now % 5 > 0) tables.ready.take(body.id)\n',
  },
  {
    name: 'the limit of a tenant is counted one too high',
    invariant: 'I17',
    file: 'src/store/memory/tenants.ts',
    find: 'Math.max(0, limit - runningOf(tables, tenant))',
    replace: 'Math.max(0, limit + 1 - runningOf(tables, tenant))',
  },
  {
    name: 'the limit of a job is looked at for each claim alone',
    invariant: 'I20',
    file: 'src/store/memory/job-rooms.ts',
    find: '    room.all -= 1\n    if (!isBegun(row)) room.fresh -= 1\n',
    replace: '',
  },
  {
    name: 'an occurrence may be fired twice',
    invariant: 'I1',
    file: FIRE,
    find: 'if (job?.version !== version || job.schedule.nextFireAt !== nextFireAt) return false',
    replace: 'if (!job) return false',
  },
  {
    name: 'what was not fired is not written down',
    invariant: 'I2',
    file: FIRE,
    find: '  recordMissed(tables, jobId, ledger, now)\n',
    replace: '',
  },
  {
    name: 'the next fire time is reckoned from the clock of the node',
    invariant: 'I2',
    file: 'src/engine/lifecycle/created-job.ts',
    find: 'const now = time.now()',
    replace: 'const now = env.now()',
  },
  {
    name: 'an attempt counts when it fails, not when it begins',
    invariant: 'I12',
    file: RECOVER,
    find: '    tables.ready.put({ body, attempt, epoch })',
    replace: '    tables.ready.put({ body, attempt: attempt - 1, epoch })',
  },
  {
    name: 'a retry is promoted before its time',
    invariant: 'I22',
    file: LEASES,
    find: 'while: ({ dueAt }) => dueAt <= now }',
    replace: 'while: ({ dueAt }) => dueAt <= now + 1_000 }',
  },
  {
    name: 'a sleep is over too early',
    invariant: 'I15',
    file: 'src/durable/context.ts',
    find: 'sleepPlan(run, () => run.host.now() + ms)',
    replace: 'sleepPlan(run, () => run.host.now() + ms * 0.9)',
  },
  {
    name: 'the audit log is told of ends by the next statement',
    invariant: 'I24',
    file: 'src/store/memory/session.ts',
    find: '    const answer = apply(this.tables, now)\n    tellEnds(this.tables, now)\n',
    replace: '    tellEnds(this.tables, now)\n    const answer = apply(this.tables, now)\n',
  },
  {
    name: 'a cancelled execution stays in line',
    invariant: 'I21',
    file: 'src/store/memory/cancel.ts',
    find: 'const row = tables.ready.take(id) ?? tables.delayed.take(id)',
    replace: 'const row = tables.ready.get(id) ?? tables.delayed.take(id)',
  },
  {
    name: 'an idempotency key is not scoped by tenant',
    invariant: 'I9',
    file: ENQUEUE,
    find: 'keyOf(tenant, jobType, idempotencyKey)',
    replace: 'keyOf(jobType, idempotencyKey)',
  },
  {
    name: 'an idempotency key is forgotten',
    invariant: 'I9',
    file: ENQUEUE,
    find: 'if (key !== null) tables.idempotencyKeys.set(key, body.id)',
    replace: 'if (key !== null && now % 3 > 0) tables.idempotencyKeys.set(key, body.id)',
  },
  {
    name: 'an approval is not bound to what was approved',
    invariant: 'I26',
    file: 'src/engine/lifecycle/standing.ts',
    find: '    approval: null,\n',
    replace: '    approval: details.approval,\n',
    also: { find: ' && details.approval.hash === hashDefinition(name, definition)', replace: '' },
  },
  {
    name: 'who scheduled it may approve it',
    invariant: 'I26',
    file: 'src/engine/lifecycle/approved-job.ts',
    find: '  requireApprover(by.persons, job.details, request.allowsSelfApproval)\n',
    replace: '',
  },
  {
    name: 'a signal is taken out before it is recorded',
    invariant: 'liveness',
    file: 'src/store/memory/run-news.ts',
    find: '  return {\n    executionId,\n    epoch,\n    signals: [...(tables.runs.signals.get(executionId)?.waiting.values() ?? [])],\n',
    replace:
      '  const signals = [...(tables.runs.signals.get(executionId)?.waiting.values() ?? [])]\n  tables.runs.signals.get(executionId)?.waiting.clear()\n  return {\n    executionId,\n    epoch,\n    signals,\n',
  },
  {
    name: 'a recorded step is forgotten in the history that is loaded',
    invariant: 'I13',
    file: 'src/store/memory/run-news.ts',
    find: 'entries: tables.runs.entriesOf(executionId).map(({ entry }) => entry),',
    replace: 'entries: tables.runs.entriesOf(executionId).map(({ entry }) => entry).slice(0, -1),',
  },
  {
    name: 'nobody takes the work of a dead node',
    invariant: 'liveness',
    file: RECOVER,
    find: '    if (isGone(node, silentForMs, now)) tables.nodes.take(node.id)\n',
    replace: '',
  },
  {
    name: 'what came while a run was about to wait does not wake it',
    invariant: 'liveness',
    file: 'src/store/memory/park.ts',
    find: "  if (lease.hasNews) return 'news'\n",
    replace: '',
  },
  {
    name: 'whoever only asks never learns that the clock was set',
    invariant: 'I23',
    file: 'src/engine/job-changes.ts',
    find: '    await around.time.keepUp()\n',
    replace: '',
  },
  {
    name: 'a timer is over by what a node takes for the time',
    invariant: 'I15',
    file: RECORD,
    find: "  if (item.entries.some((entry) => entry.isTimer && (entry.dueAt ?? now) > now)) return 'early'\n",
    replace: '',
  },
  {
    name: 'what a claim brought whose answer was lost is kept',
    invariant: 'liveness',
    file: 'src/engine/lease-check.ts',
    find: '    const released = await store.leases.release(lost)\n',
    replace: '    const released: string[] = []\n',
  },
  {
    name: 'who held it in an earlier epoch counts as who holds it',
    invariant: 'I6',
    file: 'src/store/memory/held.ts',
    find: 'lease?.epoch === epoch',
    replace: 'lease && lease.epoch >= epoch',
  },
  {
    name: 'a replay looks at the kinds of calls, not at their names',
    invariant: 'I14',
    file: 'src/durable/replay.ts',
    find: 'return !recorded || isSame(recorded, called) ?',
    replace: 'return !recorded || recorded.kind === called.kind ?',
  },
  {
    name: 'a node takes work of job types that it does not know',
    invariant: 'I14',
    file: CLAIM,
    find: 'if (!queues.includes(body.queue) || !jobTypes.includes(body.jobType)) continue',
    replace: 'if (!queues.includes(body.queue)) continue',
  },
  {
    name: 'a rate limit lets one more start',
    invariant: 'rate limit',
    file: 'src/job/starts.ts',
    find: 'Math.max(limit - used, 0)',
    replace: 'Math.max(limit + 1 - used, 0)',
  },
  {
    name: 'what stands behind a success runs after a failure',
    invariant: 'chain',
    file: 'src/store/memory/follow-up.ts',
    find: 'outcome !== null && !isMet(on, outcome)',
    replace: "outcome === 'CANCELLED' && !isMet(on, outcome)",
  },
  {
    name: 'what stands behind several runs after the last but one',
    invariant: 'chain',
    file: 'src/store/memory/follow-up.ts',
    find: 'if (awaits > 0) {',
    replace: 'if (awaits > 1) {',
  },
  {
    name: 'a child is stored without what its run records of it',
    invariant: 'I13',
    file: 'src/store/memory/children.ts',
    find: '  writeEntries(tables, start)\n',
    replace: '',
  },
  {
    name: 'nobody is told of a failure that is no timeout',
    invariant: 'I30',
    file: 'src/store/memory/audit-ends.ts',
    find: "if (row.status === 'FAILED' || row.status === 'TIMEOUT') tellFailure",
    replace: "if (row.status === 'TIMEOUT') tellFailure",
  },
  {
    name: 'a mail that no server took counts as sent',
    invariant: 'I30',
    file: 'src/service/notifications/dispatcher.ts',
    find: "return { id, attempt, status: 'WAITING', retryInMs: pauseAfter(attempt), error: outcome.error }",
    replace: "return { id, attempt, status: 'SENT', retryInMs: null, error: outcome.error }",
  },
  {
    name: 'a mail is taken by all who look for one at once',
    invariant: 'I30',
    file: 'src/store/memory/notifications.ts',
    find: '{ ...row, attempts: attempt, dueAt: now + leaseMs }',
    replace: '{ ...row, attempts: attempt }',
  },
]
