import { IN_MEMORY, type Mutant, ON_POSTGRES } from './mutant.ts'

const ENQUEUER = 'src/engine/app/enqueuer.ts'
const ENQUEUE = 'test/scenarios/enqueue.test.ts'
const OUTAGE = 'test/scenarios/recovery-outage.test.ts'
const CANCEL = 'test/scenarios/cancel.test.ts'
const SHUTDOWN = 'test/scenarios/shutdown.test.ts'
const RETRY = 'test/scenarios/retry.test.ts'

/** Bugs in what is asked for: a run, a retry, an end, a stop. */
export const REQUESTS: readonly Mutant[] = [
  {
    invariant: 'I8',
    name: 'stop does not wait for an enqueue whose input is still being checked',
    file: 'src/engine/app/app.ts',
    find: '    await this.enqueuer.drain()\n',
    replace: '',
    caughtBy: [
      [
        'test/scenarios/shutdown.test.ts',
        'stores what was asked for just before, also while its input is still being checked',
      ],
    ],
  },
  {
    invariant: 'I8',
    name: 'an enqueue is acknowledged before it is stored',
    file: ENQUEUER,
    find: '=> options.store.executions.enqueue(executions)',
    replace:
      '=> { void options.store.executions.enqueue(executions).catch(() => {}); return Promise.resolve(executions.map(({ body }) => ({ id: body.id, isNew: true, payload: null }))) }',
    caughtBy: [[OUTAGE, 'fails what cannot wait: the caller is told']],
  },
  {
    invariant: 'I8',
    name: 'SQL: an execution is stored, but waits nowhere',
    file: 'src/store/postgres/executions/enqueue.ts',
    find: '  where due_at <= now\n',
    replace: '  where due_at < now\n',
    caughtBy: [[ON_POSTGRES, 'enqueue this instant: now']],
  },
  {
    invariant: 'I9',
    name: 'a key is not scoped by tenant',
    file: 'src/store/memory/executions/enqueue.ts',
    find: 'keyOf(tenant, jobType, idempotencyKey)',
    replace: 'keyOf(jobType, idempotencyKey)',
    caughtBy: [
      [IN_MEMORY, 'a key meets another tenant'],
      [ENQUEUE, 'holds within its tenant and job type only'],
    ],
  },
  {
    invariant: 'I9',
    name: 'the same key with another input is taken for the same',
    file: 'src/store/idempotency.ts',
    find: 'digest === null ? isSamePayload(a, b)',
    replace: 'digest === null ? isSamePayload(a, a)',
    caughtBy: [[ENQUEUE, 'used with another input is refused']],
  },
  {
    invariant: 'I9',
    name: 'an enqueue whose answer was lost is sent again under another id',
    file: ENQUEUER,
    find: '() => batcher.add(execution), { ms, since }',
    replace:
      '() => batcher.add({ ...execution, body: { ...execution.body, id: this.#options.env.uuid(this.#options.env.now()) } }), { ms, since }',
    caughtBy: [[OUTAGE, 'of executions.enqueue loses nothing, ends nothing twice, and leaves nothing stuck']],
  },
  {
    invariant: 'I9',
    name: 'SQL: a key that is taken goes to who comes last',
    file: 'src/store/postgres/executions/enqueue.ts',
    find: 'on conflict (tenant, job_type, key) do nothing',
    replace: 'on conflict (tenant, job_type, key) do update set execution_id = excluded.execution_id',
    caughtBy: [[ON_POSTGRES, 'one whose key is taken is not stored: the answer names who has it']],
  },
  {
    invariant: 'I21',
    name: 'what is cancelled can still be claimed',
    file: 'src/store/memory/executions/cancel.ts',
    find: 'const row = tables.ready.take(id) ??',
    replace: 'const row = tables.ready.get(id) ??',
    caughtBy: [
      [IN_MEMORY, 'cancel ends one that is ready'],
      [CANCEL, 'ends what is queued: it never starts'],
    ],
  },
  {
    invariant: 'I21',
    name: 'what waits for a retry is tried again although it is cancelled',
    file: 'src/store/memory/executions/cancel.ts',
    find: '?? tables.delayed.take(id) ??',
    replace: '?? tables.delayed.get(id) ??',
    caughtBy: [
      [IN_MEMORY, 'cancel ends one that is waiting for a retry'],
      [CANCEL, 'ends what waits for a retry'],
    ],
  },
  {
    invariant: 'I21',
    name: 'a handler is not told that its execution was cancelled',
    file: 'src/engine/node/lease-check.ts',
    find: "if (lease?.epoch !== epoch) holding.abort('gone')",
    replace: "if (lease && lease.epoch !== epoch) holding.abort('gone')",
    caughtBy: [
      [CANCEL, 'ends what runs: the signal is aborted at once'],
      [CANCEL, 'from another process reaches the handler by the next check where no hint comes'],
    ],
  },
  {
    invariant: 'I22',
    name: 'a retry is due a millisecond early',
    file: 'src/store/memory/executions/leases.ts',
    find: 'dueAt: now + retry.delayMs',
    replace: 'dueAt: now + retry.delayMs - 1',
    caughtBy: [
      [IN_MEMORY, 'retry sends an attempt that ended as FAILED into its wait'],
      [RETRY, 'come after 1, 2 and 4 minutes, and the fourth failure is final'],
    ],
  },
  {
    invariant: 'I22',
    name: 'SQL: a retry is due a millisecond early',
    file: 'src/store/postgres/executions/retry.ts',
    find: "now + delay_ms * interval '1 millisecond'",
    replace: "now + (delay_ms - 1) * interval '1 millisecond'",
    caughtBy: [[ON_POSTGRES, 'retry sends an attempt that ended as FAILED into its wait']],
  },
  {
    invariant: 'I22',
    name: 'what is delayed is made ready a millisecond early',
    file: 'src/store/memory/executions/leases.ts',
    find: 'dueAt <= now',
    replace: 'dueAt <= now + 1',
    caughtBy: [[IN_MEMORY, 'makes ready what is due, at its very millisecond and not one before']],
  },
  {
    invariant: 'I22',
    name: 'full jitter spreads over half of the wait only',
    file: 'src/job/rules/retry.ts',
    find: 'Math.floor(random() * (wait + 1))',
    replace: 'Math.floor((wait + random() * (wait + 1)) / 2)',
    caughtBy: [['src/job/rules/retry.test.ts', 'full jitter']],
  },
  {
    invariant: 'I28',
    name: 'nobody asks the store where no hint comes',
    file: 'src/engine/node/poller.ts',
    find: 'env.every(pollMs, () => this.#loop.wake())',
    replace: 'env.every(pollMs, () => {})',
    caughtBy: [[CANCEL, 'from another process reaches the handler by the next check where no hint comes']],
  },
  {
    invariant: 'I28',
    name: 'what a look at the store finds ready wakes nobody',
    file: 'src/engine/node/poller.ts',
    find: 'if (hasReady) this.#options.onReadyByPoll()',
    replace: '',
    caughtBy: [[CANCEL, 'from another process reaches the handler by the next check where no hint comes']],
  },
  {
    invariant: 'I28',
    name: 'every second look at the store that finds something ready wakes nobody',
    file: 'src/engine/running/claimer.ts',
    find: 'this.#isVain = this.#isByPoll && executions.length === 0',
    replace: 'this.#isVain = executions.length === 0',
    caughtBy: [['test/scenarios/without-hints.test.ts', 'starts what another process enqueues with its next poll']],
  },
  {
    invariant: 'I30',
    name: 'a stop does not wait for what runs',
    file: 'src/engine/app/engine.ts',
    find: '    await this.#slots.idle()\n',
    replace: '',
    caughtBy: [[SHUTDOWN, 'claims nothing more and waits for what runs']],
  },
  {
    invariant: 'I30',
    name: 'a node that stops goes on claiming',
    file: 'src/engine/app/engine.ts',
    find: 'await Promise.all(this.#services.map((service) => service.stop()))',
    replace:
      'await Promise.all(this.#services.filter((each) => each !== this.#claimer).map((service) => service.stop()))',
    caughtBy: [[SHUTDOWN, 'claims nothing more and waits for what runs']],
  },
  {
    invariant: 'I30',
    name: 'what is handed back spends its attempt',
    file: 'src/store/memory/executions/leases.ts',
    find: 'attempt: attempt - 1, epoch',
    replace: 'attempt, epoch',
    caughtBy: [
      [IN_MEMORY, 'gives back unspent: the attempt does not count, the epoch does'],
      [SHUTDOWN, 'aborts after the grace and hands back, the attempt not spent'],
    ],
  },
  {
    invariant: 'I30',
    name: 'SQL: what is handed back spends its attempt',
    file: 'src/store/postgres/executions/leases.ts',
    find: 'select lane, attempt - 1, epoch',
    replace: 'select lane, attempt, epoch',
    caughtBy: [[ON_POSTGRES, 'gives back unspent: the attempt does not count, the epoch does']],
  },
  {
    invariant: 'I30',
    name: 'an execution whose handler still runs is given back',
    file: 'src/engine/running/attempt.ts',
    find: "    this.#conclude({ kind: 'gone' })\n    return this.claimed",
    replace: '    this.#conclude(HAND_BACK)\n    return this.claimed',
    caughtBy: [[SHUTDOWN, 'resolves with it, and keeps its execution leased until the short lease is over']],
  },
  {
    invariant: 'I30',
    name: 'a node that exits while handlers run is taken off the list at once',
    file: 'src/engine/node/node.ts',
    find: 'if (stillRunning > 0) await store.nodes.leave(id, LEAVING_LEASE_MS)',
    replace: 'if (stillRunning < 0) await store.nodes.leave(id, LEAVING_LEASE_MS)',
    caughtBy: [[SHUTDOWN, 'resolves with it, and keeps its execution leased until the short lease is over']],
  },
  {
    invariant: 'I30',
    name: 'SQL: what a node held that has left spends its attempt',
    file: 'src/store/postgres/nodes/nodes.ts',
    find: 'set is_unspent = true',
    replace: 'set is_unspent = false',
    caughtBy: [[ON_POSTGRES, 'comes when its short lease is over, and does not spend the attempt']],
  },
]
