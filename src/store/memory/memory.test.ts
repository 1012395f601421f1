import { beforeEach, describe, expect, it } from 'vitest'
import type { Env } from '../../clock.ts'
import { InvalidInputError } from '../../errors.ts'
import type { ExecutionBody } from '../../job/execution/execution.ts'
import { NonRetryableError } from '../../job/execution/failure.ts'
import { type Job, NO_DETAILS } from '../../job/job.ts'
import { silentLogger } from '../../logger.ts'
import { uuidFrom } from '../../uuid.ts'
import type { NewExecution } from '../executions.ts'
import type { ClaimedExecution, Ending } from '../leases.ts'
import type { EngineStore, Hint, StoreSource } from '../store.ts'
import { memory } from './memory.ts'

const START_AT = Date.UTC(2026, 2, 11, 12)
const LEASE_MS = 30_000

let now = START_AT
let uuid = uuidFrom(() => 0)
let ticks: (() => void)[] = []
const env: Env = {
  now: () => now,
  monotonic: () => now,
  after: () => () => {},
  every: (_intervalMs, call) => {
    ticks.push(call)
    return () => ticks.splice(ticks.indexOf(call), 1)
  },
  nextTurn: (call) => void setImmediate(call),
  random: () => 0,
  uuid: (at) => uuid(at),
}

let source: StoreSource
let store: EngineStore

const open = (from: StoreSource = source) => from.open({ env, logger: silentLogger })
/** Lets everything run that waits for its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

beforeEach(async () => {
  now = START_AT
  uuid = uuidFrom(() => 0)
  ticks = []
  source = memory()
  store = await open()
})

function execution(change: Partial<ExecutionBody> = {}, runAt: number | null = null): NewExecution {
  return {
    runAt,
    body: {
      id: uuid(now),
      tenant: 'acme',
      jobId: null,
      jobType: 'import',
      queue: 'default',
      priority: 'MEDIUM',
      origin: 'enqueue',
      payload: null,
      scheduledAt: null,
      maxAttempts: 2,
      idempotencyKey: null,
      options: null,
      createdAt: now,
      ...change,
    },
  }
}

async function enqueue(change: Partial<ExecutionBody> = {}, runAt: number | null = null): Promise<string> {
  const [answer] = await store.executions.enqueue([execution(change, runAt)])
  return answer?.id ?? ''
}

async function register(): Promise<string> {
  const id = uuid(now)
  const lanes = { queues: ['default'], jobTypes: ['import'] }
  await store.nodes.register({ id, name: 'node', slots: 10, leaseMs: LEASE_MS, ...lanes })
  return id
}

async function claim(nodeId: string, limit = 100, aged = 0): Promise<readonly ClaimedExecution[]> {
  const claimed = await store.leases.claim({ nodeId, limit, aged, queues: ['default'], jobTypes: ['import'] })
  return claimed.executions
}

function success({ executionId, epoch }: ClaimedExecution): Ending {
  return { executionId, epoch, status: 'SUCCESS', output: null, error: null, faultsJobId: null, healsJobId: null }
}

function jobAt(nextFireAt: number): Job {
  const trigger = { type: 'once', at: new Date(nextFireAt).toISOString() } as const
  return {
    id: uuid(now),
    tenant: 'acme',
    name: 'nightly',
    status: 'ACTIVE',
    resumeStatus: null,
    statusReason: null,
    pausedUntil: null,
    origin: 'runtime',
    definition: {
      jobType: 'import',
      trigger,
      calendar: null,
      misfire: {
        policy: 'smart',
        thresholdMs: 60_000,
        causes: {},
        catchUp: { limit: 1_000, maxAgeMs: null, order: 'oldestFirst', spacingMs: 0 },
      },
      quartz: false,
      declaredBy: null,
      payload: null,
      queue: 'default',
      priority: 'MEDIUM',
      timeoutMs: null,
      retry: null,
      maxAttempts: 2,
      onFault: 'stop',
      overlap: 'allow',
      concurrency: null,
    },
    details: NO_DETAILS,
    schedule: { currentTrigger: trigger, nextFireAt, previousFireAt: null, timesTriggered: 0 },
    version: 1,
    createdAt: 0,
    updatedAt: 0,
  }
}

async function putJob(nextFireAt: number): Promise<Job> {
  const job = jobAt(nextFireAt)
  await store.jobs.put([{ job, expectedVersion: null, ledger: [] }])
  return job
}

describe('a source', () => {
  it('is the same data for all who open it', async () => {
    const other = await open()
    const id = await enqueue()
    expect(await other.executions.find([id])).toMatchObject([{ id, status: 'QUEUED' }])
  })

  it('keeps its data when a store is closed', async () => {
    const id = await enqueue()
    await store.close()
    expect(await (await open()).executions.find([id])).toHaveLength(1)
  })

  it('shares nothing with another source', async () => {
    await enqueue()
    expect(await (await open(memory())).executions.list({ limit: 10 })).toEqual([])
  })

  it('takes the time it is given over the time of the machine', async () => {
    const other = await source.open({ env, logger: silentLogger, now: () => 42 })
    expect((await other.pulse()).now).toBe(42)
  })
})

describe('a statement', () => {
  it('lets others go first and is applied whole', async () => {
    const waiting: (() => void)[] = []
    const slow = await open(memory({ turn: () => new Promise((resolve) => waiting.push(resolve)) }))
    const enqueued = slow.executions.enqueue([execution(), execution()])
    const counted = slow.executions.count()
    waiting[1]?.()
    expect(await counted).toMatchObject({ QUEUED: 0 })
    waiting[0]?.()
    expect(await enqueued).toHaveLength(2)
  })

  it('that fails at its turn changes nothing', async () => {
    let isAway = true
    const turn = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve())
    const failing = await open(memory({ turn }))
    await expect(failing.executions.enqueue([execution()])).rejects.toThrow('away')
    isAway = false
    expect(await failing.executions.list({ limit: 1 })).toEqual([])
  })

  it('under way is waited for by closing', async () => {
    let proceed = () => {}
    const slow = await open(memory({ turn: () => new Promise((resolve) => (proceed = resolve)) }))
    const order: string[] = []
    const counting = slow.executions.count().then(() => order.push('counted'))
    const closing = slow.close().then(() => order.push('closed'))
    await settle()
    expect(order).toEqual([])
    proceed()
    await Promise.all([counting, closing])
    expect(order).toEqual(['counted', 'closed'])
  })
})

describe('what is stored', () => {
  it('does not change with the object it came from', async () => {
    const options = { timeoutMs: 1_000 }
    const id = await enqueue({ options })
    options.timeoutMs = 2_000
    expect(await store.executions.find([id])).toMatchObject([{ options: { timeoutMs: 1_000 } }])
  })

  it('cannot be changed through an answer', async () => {
    const id = await enqueue({ options: { timeoutMs: 1_000 } })
    const [claimed] = await claim(await register())
    const [found] = await store.executions.find([id])
    expect(() => Object.assign(claimed?.body ?? {}, { payload: '1' })).toThrow(TypeError)
    expect(() => Object.assign(found?.options ?? {}, { timeoutMs: 1 })).toThrow(TypeError)
    expect(() => Object.assign(found?.attempts[0] ?? {}, { attempt: 7 })).toThrow(TypeError)
  })

  it('holds no field that an execution does not have', async () => {
    const body = { ...execution().body, password: 'secret' }
    await store.executions.enqueue([{ body, runAt: null }])
    const [found] = await store.executions.find([body.id])
    expect(found).not.toHaveProperty('password')
  })

  it('is never part of a transaction', async () => {
    const transaction = { query: () => Promise.resolve() }
    const refused = store.executions.enqueue([execution()], { transaction })
    await expect(refused).rejects.toThrow(InvalidInputError)
    await expect(refused).rejects.toMatchObject({ code: 'store.no_transactions' })
  })
})

describe('a claim', () => {
  it('takes some by age, the rest by priority, and answers the most urgent first', async () => {
    const low = await enqueue({ priority: 'LOW' })
    const medium = await enqueue({ priority: 'MEDIUM' })
    const high = await enqueue({ priority: 'HIGH', tenant: 'other' })
    const newer = await enqueue({ priority: 'HIGH' })
    const nodeId = await register()
    const ids = (claimed: readonly ClaimedExecution[]) => claimed.map(({ executionId }) => executionId)
    expect(ids(await claim(nodeId, 2, 1))).toEqual([high, low])
    expect(ids(await claim(nodeId, 10))).toEqual([newer, medium])
  })

  it('drains 20,000 in the order of their ids, also of those that came late', async () => {
    const all = Array.from({ length: 20_000 }, () => execution())
    const late = all.filter((_, index) => index % 10 === 0)
    await store.executions.enqueue(all.filter((_, index) => index % 10 !== 0))
    await store.executions.enqueue(late)
    const nodeId = await register()
    const drained: string[] = []
    for (let claimed = await claim(nodeId); claimed.length > 0; claimed = await claim(nodeId)) {
      drained.push(...(await store.leases.finish(claimed.map(success))))
    }
    expect(drained).toEqual(all.map(({ body }) => body.id))
    expect(await store.pulse()).toMatchObject({ hasReady: false })
  })
})

describe('attempts', () => {
  it('are told in order: lost, failed, and the one that ended it', async () => {
    const id = await enqueue({ maxAttempts: 3 })
    const lostNode = await register()
    await claim(lostNode)
    now += LEASE_MS
    expect(await store.leases.recover({ silentForMs: null, limit: 10 })).toMatchObject([
      { hasEnded: false, attempt: 1 },
    ])
    const nodeId = await register()
    const [second] = await claim(nodeId)
    const error = { name: 'Error', message: 'no' }
    await store.leases.retry([{ executionId: id, epoch: second?.epoch ?? 0, status: 'FAILED', error, delayMs: 10 }])
    now += 10
    await store.leases.promote(10)
    await store.leases.finish((await claim(nodeId)).map(success))
    const [found] = await store.executions.find([id])
    expect(found?.attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'LOST'],
      [2, 'FAILED'],
      [3, 'SUCCESS'],
    ])
    expect(found).toMatchObject({ status: 'SUCCESS', attempt: 3, epoch: 3, startedAt: now, nodeId })
  })

  it('do not name the last one twice where it was lost', async () => {
    const id = await enqueue({ maxAttempts: 1 })
    await claim(await register())
    now += LEASE_MS
    await store.leases.recover({ silentForMs: null, limit: 10 })
    const [found] = await store.executions.find([id])
    expect(found).toMatchObject({ status: 'FAILED', error: { code: 'execution.node_lost' } })
    expect(found?.attempts).toMatchObject([{ attempt: 1, status: 'LOST' }])
  })

  it('are none where it was cancelled before it ran', async () => {
    const id = await enqueue()
    expect(await store.executions.cancel([{ id, reason: null }])).toEqual(['cancelled'])
    expect(await store.executions.find([id])).toMatchObject([{ status: 'CANCELLED', attempts: [], startedAt: null }])
  })
})

describe('an end', () => {
  it('that was reported before is accepted again, and stays as it was', async () => {
    const id = await enqueue()
    const [claimed] = await claim(await register())
    const ending = success(claimed!)
    expect(await store.leases.finish([ending, ending])).toEqual([id])
    expect(await store.leases.finish([{ ...ending, status: 'FAILED' }])).toEqual([id])
    expect(await store.executions.find([id])).toMatchObject([{ status: 'SUCCESS' }])
  })

  it('is refused where the execution was ended over the head of who held it', async () => {
    const [cancelled, lost] = [await enqueue(), await enqueue({ maxAttempts: 1 })]
    const claimed = await claim(await register())
    await store.executions.cancel([{ id: cancelled, reason: null }])
    now += LEASE_MS
    expect(await store.leases.recover({ silentForMs: null, limit: 10 })).toMatchObject([{ executionId: lost }])
    expect(await store.leases.finish(claimed.map(success))).toEqual([])
  })
})

describe('a node', () => {
  it('whose lease is over claims nothing, and may renew until it is taken off the list', async () => {
    const nodeId = await register()
    await enqueue()
    now += LEASE_MS
    expect(await claim(nodeId)).toEqual([])
    expect(await store.nodes.renew(nodeId, LEASE_MS)).toBe(true)
    expect(await claim(nodeId)).toHaveLength(1)
    now += LEASE_MS
    await store.leases.recover({ silentForMs: null, limit: 0 })
    expect(await store.nodes.renew(nodeId, LEASE_MS)).toBe(false)
    expect(await store.nodes.countStale()).toEqual({ now, stale: 1 })
  })
})

describe('occurrences that wait', () => {
  it('are ended, or carry what they stand for from then on', async () => {
    const job = await putJob(START_AT)
    const at = (scheduledAt: number) => ({
      body: execution({ jobId: job.id, scheduledAt, origin: 'schedule' }).body,
      runAt: null,
    })
    const fired = [at(START_AT - 1), at(START_AT)]
    const [first, second] = fired.map(({ body }) => body.id)
    const schedule = { ...job.schedule, nextFireAt: null }
    await store.occurrences.fire([{ jobId: job.id, version: 1, nextFireAt: START_AT, schedule, fired, ledger: [] }])
    const misfire = {
      scheduledAt: START_AT,
      detectedAt: START_AT,
      delayMs: 0,
      policy: 'fireOnce',
      missedCount: 2,
      cause: 'overload',
    } as const
    const ended = await store.occurrences.consolidate([
      {
        executionId: first!,
        jobId: job.id,
        scheduledAt: START_AT - 1,
        epoch: null,
        decision: 'consolidated',
        cause: 'overload',
      },
      { executionId: second!, jobId: job.id, scheduledAt: START_AT, misfire },
    ])
    expect(ended).toEqual([first])
    expect(await store.occurrences.waiting(job.id, 10)).toEqual([
      { executionId: second, scheduledAt: START_AT, misfire, isHeld: false },
    ])
    expect(await store.executions.find([first!, second!])).toMatchObject([
      { status: 'CANCELLED', error: { code: 'execution.consolidated' }, attempts: [] },
      { status: 'QUEUED', options: { misfire } },
    ])
    expect(await store.occurrences.ledger({ jobId: job.id, from: 0, to: START_AT + 1, limit: 10 })).toMatchObject([
      { decision: 'consolidated', cause: 'overload', executionId: first },
      { decision: 'firedLate', cause: 'overload', executionId: second, misfire },
    ])
  })
})

describe('a hint', () => {
  let hints: Hint[]

  beforeEach(async () => {
    hints = []
    const other = await open()
    other.listen((hint) => hints.push(hint))
  })

  it('comes to every store of the source, after the statement', async () => {
    await enqueue()
    await settle()
    expect(hints).toEqual(['ready'])
  })

  it('comes when a job is put, and when a running execution is cancelled', async () => {
    await putJob(START_AT + 1_000)
    const id = await enqueue()
    await claim(await register())
    await store.executions.cancel([{ id, reason: 'enough' }])
    await settle()
    expect(hints).toEqual(['jobs', 'ready', 'cancelled'])
  })

  it('of something ready does not come where nothing became ready', async () => {
    await enqueue({}, START_AT + 1_000)
    await store.leases.promote(10)
    await settle()
    expect(hints).toEqual(['jobs'])
  })

  it('does not come to a store that was closed', async () => {
    const own: Hint[] = []
    const another = await open()
    another.listen((hint) => own.push(hint))
    await another.close()
    await enqueue()
    await settle()
    expect(own).toEqual([])
  })
})

describe('the pulse', () => {
  it('tells the next job and the next delayed execution', async () => {
    await putJob(START_AT + 2_000)
    await enqueue({}, START_AT + 5_000)
    await enqueue({}, START_AT + 3_000)
    expect(await store.pulse()).toMatchObject({
      now: START_AT,
      nextFireAt: START_AT + 2_000,
      nextDueAt: START_AT + 3_000,
      hasReady: false,
    })
  })

  it('forgets a job that is removed, with all that hangs on it', async () => {
    const job = await putJob(START_AT)
    const body = { jobId: job.id, scheduledAt: START_AT, origin: 'schedule' } as const
    const fired = [{ body: execution(body).body, runAt: null }]
    const schedule = { ...job.schedule, nextFireAt: START_AT + 1_000 }
    const firing = { jobId: job.id, version: 1, nextFireAt: START_AT, schedule, fired, ledger: [] }
    expect((await store.occurrences.fire([firing])).jobIds).toEqual([job.id])
    expect((await store.occurrences.fire([firing])).jobIds).toEqual([])
    expect(await store.occurrences.waiting(job.id, 10)).toMatchObject([{ scheduledAt: START_AT, isHeld: false }])
    expect(await store.jobs.remove([job.id])).toBe(1)
    expect(await store.pulse()).toMatchObject({ nextFireAt: null, hasReady: false })
    expect(await store.executions.list({ limit: 10 })).toEqual([])
  })
})

describe('a durable execution', () => {
  it('can have a transaction, but has nothing to query in it', async () => {
    await store.executions.enqueue([execution({ options: { durable: true } })])
    const [claimed] = await claim(await register())
    const { executionId, epoch } = claimed!
    const held = { executionId, epoch }
    const work = store.histories.transact(held, async (client) => {
      await client.query('select 1', [])
      return { ...held, entries: [] }
    })
    await expect(work).rejects.toThrow('The memory store is no database')
    await expect(work).rejects.toBeInstanceOf(NonRetryableError)
  })

  it('one that was taken away while its transaction ran has not had it', async () => {
    await store.executions.enqueue([execution({ options: { durable: true } })])
    const [claimed] = await claim(await register())
    const { executionId, epoch } = claimed!
    const held = { executionId, epoch }
    const written = await store.histories.transact(held, async () => {
      await store.leases.release([held])
      return { ...held, entries: [] }
    })
    expect(written).toBeNull()
  })
})

describe('a lease', () => {
  it('is kept alive until the store is closed', async () => {
    const nodeId = await register()
    store.nodes.keepAlive({ nodeId, leaseMs: LEASE_MS, intervalMs: 5_000, onLost: () => {} })
    now += 5_000
    for (const tick of ticks) tick()
    await settle()
    expect(await store.nodes.list()).toMatchObject([{ renewedAt: now, expiresAt: now + LEASE_MS, isAlive: true }])
    await store.close()
    expect(ticks).toEqual([])
  })
})
