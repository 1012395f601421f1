import { SyntheticHistory } from './synthetic-history.ts'

/** When it all begins. */
export const BEGUN_AT = 1_700_000_000_000
export const EVERY_MS = 1_000
export const JOB = 'job of ticks'
const LEASE_MS = 3_000

/** A small history in which all went as it should, and in which each rule has something to look at. */
export function cleanHistory(): SyntheticHistory {
  const history = new SyntheticHistory({
    seed: 1,
    minutes: 1,
    leaseMs: LEASE_MS,
    staleCheckMs: 500,
    pollMs: 250,
    renewalMs: 500,
    jobTypes: [
      { id: 'short', isDurable: false, maxAttempts: 5, isPoison: false, leastRetryMs: 200 },
      { id: 'poison', isDurable: false, maxAttempts: 2, isPoison: true, leastRetryMs: 200 },
      { id: 'order', isDurable: true, maxAttempts: null, isPoison: false, leastRetryMs: 0 },
    ],
    schedules: [
      {
        name: 'ticks',
        tenant: 'acme',
        jobType: 'tick',
        cron: '* * * * * *',
        everyMs: EVERY_MS,
        policy: 'fireOnce',
        thresholdMs: 1_000,
        catchUpLimit: 10,
        overlap: 'skip',
        isDisturbed: false,
      },
    ],
    tenants: [
      { name: 'acme', limit: null },
      { name: 'capped', limit: 2 },
    ],
    bookings: 'public.bookings',
    activities: ['reserve', 'ship'],
  })
  history.join('node-1', BEGUN_AT)
  history.join('node-2', BEGUN_AT)
  history.change({ kind: 'limited', at: BEGUN_AT, detail: { tenant: 2, name: 'capped', most: 2 } })
  runSchedule(history, BEGUN_AT)
  enqueueSome(history, BEGUN_AT + 100)
  retryOne(history, BEGUN_AT + 1_000)
  takeOver(history, BEGUN_AT + 2_000)
  comeLate(history, BEGUN_AT + 2_500)
  poison(history, BEGUN_AT + 7_000)
  runOrder(history, BEGUN_AT + 8_000)
  cancelTwo(history, BEGUN_AT + 9_000)
  fillLimit(history, BEGUN_AT + 10_000)
  return history
}

/** Eight occurrences were due: five fired, three were missed. */
function runSchedule(history: SyntheticHistory, at: number): void {
  const nextFireAt = at + 10 * EVERY_MS
  history.tables.jobs.push({
    id: JOB,
    tenant: 'acme',
    name: 'ticks',
    status: 'PAUSED',
    jobType: 'tick',
    nextFireAt,
    createdAt: at,
  })
  for (const second of [2, 3, 4, 5, 9]) {
    const scheduledAt = at + second * EVERY_MS
    history.fire(`tick ${second}`, JOB, scheduledAt)
    const told = { executionId: `tick ${second}`, decision: 'fired', recordedAt: scheduledAt + 5 }
    history.tables.occurrences.push({ jobId: JOB, scheduledAt, ...told })
  }
  const why = { decision: 'consolidated', cause: 'outage' }
  history.tables.missed.push({ jobId: JOB, fromAt: at + 6 * EVERY_MS, toAt: at + 8 * EVERY_MS, count: 3, ...why })
  history.ask(at + 9_500, { verb: 'pause', tenant: 'acme', subject: 'ticks' }, { outcome: 'accepted', subject: JOB })
}

/** Under keys: at once, after a delay, again after an answer that was lost, and with another input, which is refused. */
function enqueueSome(history: SyntheticHistory, at: number): void {
  const question = { verb: 'enqueue', tenant: 'acme', subject: 'short' } as const
  for (const [index, delayMs] of [0, 500].entries()) {
    const id = `plain ${index}`
    const input = { key: `key ${index}`, runMs: 1 }
    const asked = { ...question, idempotencyKey: input.key, input, delayMs }
    history.ask(at, asked, { outcome: 'unknown' })
    history.ask(at + 20, asked, { outcome: 'accepted', subject: id })
    history.ask(at + 40, { ...asked, input: { ...input, runMs: 2 } }, { outcome: 'refused' })
    history.execution({ id, createdAt: at, idempotencyKey: input.key, payload: JSON.stringify(input) })
    const dueAt = at + delayMs
    if (delayMs > 0) {
      history.change({
        kind: 'delayed',
        at,
        executionId: id,
        epoch: 0,
        detail: { dueAt, isParked: false, isDiverged: false },
      })
    }
    history.run(id, dueAt + 30, { by: 'node-1' })
  }
  // Asked for by somebody who was never answered, and done all the same.
  history.ask(at, question, { outcome: 'unknown' })
  history.execution({ id: 'unanswered', createdAt: at })
  history.run('unanswered', at + 100, { by: 'node-2' })
}

function retryOne(history: SyntheticHistory, at: number): void {
  history.execution({ id: 'retried', createdAt: at })
  history.claim('retried', at, { by: 'node-1' })
  history.effect('began', 'retried', at + 1, { by: 'node-1' })
  history.leave('retried', at + 10)
  const error = JSON.stringify({ name: 'Error', message: 'as planned [node-1 1]' })
  const failed = {
    attempt: 1,
    epoch: 1,
    status: 'FAILED',
    nodeId: 'id of node-1',
    startedAt: at,
    endedAt: at + 10,
  } as const
  history.tables.attempts.push({ executionId: 'retried', ...failed, error })
  const detail = { dueAt: at + 210, isParked: false, isDiverged: false }
  history.change({ kind: 'delayed', at: at + 10, executionId: 'retried', epoch: 1, detail })
  history.run('retried', at + 220, { by: 'node-2', epoch: 2, attempt: 2 })
}

/** The node is killed; another one has its work after the lease. */
function takeOver(history: SyntheticHistory, at: number): void {
  history.execution({ id: 'taken over', createdAt: at })
  history.claim('taken over', at, { by: 'node-1' })
  history.effect('began', 'taken over', at + 1, { by: 'node-1' })
  history.strike(at + 100, { fault: 'process', phase: 'begun', detail: { node: 'node-1', how: 'killed' } })
  lose(history, 'taken over', at + LEASE_MS, 1)
  history.run('taken over', at + LEASE_MS + 20, { by: 'node-2', epoch: 2, attempt: 2 })
}

/** A node that stood still goes on to the end of what it has lost. */
function comeLate(history: SyntheticHistory, at: number): void {
  history.execution({ id: 'late', createdAt: at })
  history.claim('late', at, { by: 'node-2' })
  history.effect('began', 'late', at + 1, { by: 'node-2' })
  lose(history, 'late', at + LEASE_MS, 1)
  history.run('late', at + LEASE_MS + 20, { by: 'node-1', epoch: 2, attempt: 2 })
  history.effect('ended', 'late', at + LEASE_MS + 100, {
    by: 'node-2',
    detail: { output: { attempt: 1, by: 'node-2' } },
  })
}

function lose(history: SyntheticHistory, executionId: string, at: number, epoch: number): void {
  history.leave(executionId, at, epoch)
  const lost = {
    attempt: epoch,
    epoch,
    status: 'LOST',
    nodeId: 'id of node-1',
    startedAt: at - 100,
    endedAt: at,
  } as const
  history.tables.attempts.push({ executionId, ...lost, error: null })
}

function poison(history: SyntheticHistory, at: number): void {
  history.execution({ id: 'poison', jobType: 'poison', maxAttempts: 2, createdAt: at })
  for (const epoch of [1, 2]) {
    history.claim('poison', at + epoch * 100, { by: 'node-1', epoch, attempt: epoch })
    history.effect('began', 'poison', at + epoch * 100 + 1, { by: 'node-1', attempt: epoch })
    lose(history, 'poison', at + epoch * 100 + 50, epoch)
  }
  history.end('poison', at + 250, { by: null, status: 'FAILED', attempt: 2, epoch: 2, nodeId: 'id of node-1' })
}

/** A durable one: an activity, a transaction, a sleep while which nobody holds it, two signals, and an activity at another node. */
function runOrder(history: SyntheticHistory, at: number): void {
  const id = 'order'
  history.execution({ id, jobType: 'order', isDurable: true, createdAt: at })
  history.claim(id, at, { by: 'node-1' })
  history.effect('began', id, at + 1, { by: 'node-1' })
  perform(history, { name: 'reserve', by: 'node-1', sequence: 1, epoch: 1 }, at + 10)
  record(history, { kind: 'transaction', name: 'book', sequence: 2, epoch: 1, output: null }, at + 40)
  history.tables.bookings.push({ executionId: id, mark: 'node-1 booked' })
  history.leave(id, at + 50)
  const parked = { dueAt: at + 300, isParked: true, isDiverged: false }
  history.change({ kind: 'delayed', at: at + 50, executionId: id, epoch: 1, detail: parked })
  history.claim(id, at + 310, { by: 'node-2', epoch: 2 })
  record(history, { kind: 'timer', name: 'sleep', sequence: 3, epoch: 2, output: null, dueAt: at + 300 }, at + 320)
  history.effect('woke', id, at + 321, { by: 'node-2', name: 'sleep', dueAt: at + 300 })
  for (const number of [1, 2]) {
    const asked = { verb: 'signal', tenant: 'acme', subject: id, input: { number } } as const
    history.ask(at + 100 * number, asked, { outcome: 'accepted', subject: id })
    const heardAt = at + 330 + number
    record(
      history,
      { kind: 'signal', name: 'go', sequence: 3 + number, epoch: 2, output: JSON.stringify({ number }) },
      heardAt,
    )
    history.effect('heard', id, heardAt, { by: 'node-2', name: `signal ${number}`, detail: { payload: { number } } })
  }
  perform(history, { name: 'ship', by: 'node-2', sequence: 6, epoch: 2 }, at + 340)
  history.leave(id, at + 400, 2)
  const marks = { reserve: 'node-1 reserve', ship: 'node-2 ship' }
  const output = JSON.stringify({ marks, heard: [{ number: 1 }, { number: 2 }] })
  history.end(id, at + 400, { by: 'node-2', epoch: 2, output })
}

interface Call {
  readonly name: string
  readonly sequence: number
  readonly epoch: number
}

function perform(history: SyntheticHistory, call: Call & { readonly by: string }, at: number): void {
  const mark = `${call.by} ${call.name}`
  history.effect('performed', 'order', at, { by: call.by, name: call.name, detail: { mark, tries: 1 } })
  record(history, { ...call, kind: 'activity', output: JSON.stringify(mark) }, at + 10)
}

function record(
  history: SyntheticHistory,
  call: Call & { readonly kind: string; readonly output: string | null; readonly dueAt?: number },
  at: number,
): void {
  const { name, sequence, epoch, kind, output, dueAt = null } = call
  const entry = { sequence, kind, name, status: 'COMPLETED', output, dueAt } as const
  history.change({ kind: 'recorded', at, executionId: 'order', epoch, detail: entry })
  history.tables.history.push({ executionId: 'order', epoch, ...entry })
}

/** One that waits, and one that runs. */
function cancelTwo(history: SyntheticHistory, at: number): void {
  for (const id of ['called off', 'called off late']) {
    history.execution({ id, createdAt: at })
    const isLate = id === 'called off late'
    if (isLate) {
      history.claim(id, at, { by: 'node-1' })
      history.effect('began', id, at + 1, { by: 'node-1' })
      history.leave(id, at + 105)
    }
    const epoch = isLate ? 1 : 0
    history.end(id, at + 105, { by: null, status: 'CANCELLED', epoch, attempt: epoch })
    const asked = { verb: 'cancel', tenant: 'acme', subject: id } as const
    history.ask(at + 100, asked, { outcome: 'accepted', subject: id, detail: { result: 'cancelled' } })
  }
}

/** Two run at once, where two may; then one may, and the next waits for both. */
function fillLimit(history: SyntheticHistory, at: number): void {
  const tenant = 'capped'
  for (const id of ['first', 'second', 'third']) history.execution({ id, tenant, createdAt: at })
  history.claim('first', at, { by: 'node-1', tenant })
  history.claim('second', at + 5, { by: 'node-2', tenant })
  history.sample(at + 10, 2, 2)
  history.change({ kind: 'limited', at: at + 20, detail: { tenant: 2, name: tenant, most: 1 } })
  history.sample(at + 30, 2, 1)
  for (const [id, by] of [
    ['first', 'node-1'],
    ['second', 'node-2'],
  ] as const) {
    history.leave(id, at + 40)
    history.end(id, at + 40, { by })
  }
  history.run('third', at + 50, { by: 'node-1', tenant })
  history.sample(at + 5_000, 1, 1)
}
