import { describe, expect, it } from 'vitest'
import { RecordedLog } from '../../../test/suites/scenarios/recorded.ts'
import { StoreLink } from '../../../test/suites/scenarios/store-link.ts'
import { silentLogger } from '../../logger.ts'
import type { ClaimedExecution, Ending } from '../../store/leases.ts'
import { memory } from '../../store/memory/memory.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { Settlement } from './settlement.ts'

const NODE = { id: 'node', name: 'node', slots: 10, queues: ['default'], jobTypes: ['work'], leaseMs: 86_400_000 }

/** A settlement over a line that a test may cut, and executions that it holds. */
async function held(count: number) {
  const env = new ManualEnv({ startAt: 1_000, seed: 1, isBusy: () => false })
  const link = new StoreLink()
  const log = new RecordedLog()
  const store = await link.to(memory()).open({ env, logger: silentLogger })
  await store.nodes.register(NODE)
  const executions = Array.from({ length: count }, () => ({
    runAt: null,
    body: {
      id: env.uuid(env.now()),
      tenant: 'default',
      jobId: null,
      jobType: 'work',
      queue: 'default',
      priority: 'MEDIUM' as const,
      origin: 'enqueue' as const,
      payload: null,
      scheduledAt: null,
      maxAttempts: 4,
      idempotencyKey: null,
      options: null,
      createdAt: env.now(),
    },
  }))
  await store.executions.enqueue(executions)
  const claim = await store.leases.claim({
    nodeId: NODE.id,
    limit: count,
    queues: NODE.queues,
    jobTypes: NODE.jobTypes,
    aged: 0,
  })
  const find = async (id: string) => (await store.executions.find([id]))[0]
  const calls = (verb: string) => link.asked.filter((asked) => asked === verb).length
  return {
    env,
    link,
    log,
    store,
    claimed: claim.executions,
    find,
    calls,
    settlement: new Settlement({ env, store, logger: log.logger }),
  }
}

function success({ executionId, epoch }: ClaimedExecution, output = '"done"'): Ending {
  return { executionId, epoch, status: 'SUCCESS', output, error: null, faultsJobId: null, healsJobId: null }
}

const failure = { name: 'Error', message: 'no' }

describe('a settlement', () => {
  it('refuses an end of an earlier epoch also where one of a later epoch goes with it', async () => {
    const { settlement, claimed, store, find } = await held(1)
    const [first] = claimed
    if (!first) throw new Error('Nothing was claimed.')
    await store.leases.release([first])
    const again = await store.leases.claim({ ...NODE, nodeId: NODE.id, limit: 1, aged: 0 })
    const [second] = again.executions
    if (!second) throw new Error('Nothing was claimed again.')
    const answers = await Promise.all([
      settlement.finish(success(first, '"lost"')),
      settlement.finish(success(second, '"held"')),
    ])
    expect(answers).toEqual([false, true])
    expect((await find(first.executionId))?.output).toBe('"held"')
  })

  it('records many ends in one round trip', async () => {
    const { settlement, claimed, calls, find } = await held(10)
    const answers = await Promise.all(claimed.map((each) => settlement.finish(success(each))))
    expect(answers.every((isAccepted) => isAccepted)).toBe(true)
    expect(calls('leases.finish')).toBe(1)
    for (const { executionId } of claimed) expect(await find(executionId)).toMatchObject({ status: 'SUCCESS' })
  })

  it('says which the store refused', async () => {
    const { settlement, claimed, store } = await held(2)
    const [first, second] = claimed as [ClaimedExecution, ClaimedExecution]
    await store.executions.cancel([{ id: first.executionId, reason: null }])
    expect(await Promise.all([settlement.finish(success(first)), settlement.finish(success(second))])).toEqual([
      false,
      true,
    ])
    expect(await settlement.progress({ executionId: first.executionId, epoch: 1, fraction: 1, note: null })).toBe(false)
    expect(await settlement.retry({ ...first, status: 'FAILED', error: failure, delayMs: 0 })).toBe(false)
    expect(await settlement.release(first)).toBe(false)
  })

  it('refuses what another epoch holds', async () => {
    const { settlement, claimed, find } = await held(1)
    const [each] = claimed as [ClaimedExecution]
    expect(await settlement.finish({ ...success(each), epoch: each.epoch + 1 })).toBe(false)
    expect(await find(each.executionId)).toMatchObject({ status: 'RUNNING' })
  })

  it('waits for a store that is away, however long', async () => {
    const { settlement, claimed, link, env, find, calls } = await held(1)
    const [each] = claimed as [ClaimedExecution]
    link.isAway = true
    let answer: boolean | undefined
    void settlement.finish(success(each)).then((isAccepted) => {
      answer = isAccepted
    })
    await env.moveTo(env.now() + 600_000)
    expect(answer).toBeUndefined()
    // At most every half second.
    expect(calls('leases.finish')).toBeLessThan(1_210)
    link.isAway = false
    await env.moveTo(env.now() + 2_000)
    expect(answer).toBe(true)
    expect(await find(each.executionId)).toMatchObject({ status: 'SUCCESS' })
  })

  it('does not wait any more once it is in a hurry', async () => {
    const { settlement, claimed, link, env } = await held(1)
    const [each] = claimed as [ClaimedExecution]
    link.isAway = true
    const refused = expect(settlement.finish(success(each))).rejects.toThrow('The store is away.')
    await env.moveTo(env.now() + 10_000)
    settlement.hurry()
    await env.moveTo(env.now() + 2_000)
    await refused
  })

  it('records an end once, though its answer was lost', async () => {
    const { settlement, claimed, link, env, find } = await held(1)
    const [each] = claimed as [ClaimedExecution]
    link.loseAnswerOf('leases.finish')
    const answer = settlement.finish(success(each))
    await env.moveTo(env.now() + 1_000)
    expect(await answer).toBe(true)
    expect((await find(each.executionId))?.attempts).toHaveLength(1)
  })

  it('takes log lines of an execution under its epoch, whatever an earlier one says in the same turn', async () => {
    const { settlement, claimed, store } = await held(1)
    const [first] = claimed as [ClaimedExecution]
    await settlement.release(first)
    const request = { nodeId: NODE.id, limit: 1, queues: NODE.queues, jobTypes: NODE.jobTypes, aged: 0 }
    const [second] = (await store.leases.claim(request)).executions as [ClaimedExecution]
    const line = ({ executionId, epoch }: ClaimedExecution) =>
      ({
        executionId,
        epoch,
        attempt: 1,
        sequence: epoch,
        at: 0,
        level: 'info',
        message: 'said',
        fields: null,
      }) as const
    const answers = [first, second, first].map((each) => settlement.logs.add(line(each)))
    expect(await Promise.all(answers)).toEqual([false, true, false])
    expect(await store.logs.read({ executionId: first.executionId, limit: 10 })).toMatchObject([{ sequence: 2 }])
  })

  it('says which output cannot be stored, and records those beside it as they are', async () => {
    const { claimed, env, find, log, store } = await held(3)
    const poison = '"unstorable"'
    const original = store.leases.finish.bind(store.leases)
    // As a database refuses a text that it cannot hold.
    const refusing = new Proxy(store.leases, {
      get: (target, name) =>
        name === 'finish'
          ? (endings: readonly Ending[]) =>
              endings.some(({ output }) => output === poison)
                ? Promise.reject(new Error('invalid byte sequence'))
                : original(endings)
          : (Reflect.get(target, name, target) as unknown),
    })
    const settlement = new Settlement({ env, logger: log.logger, store: { ...store, leases: refusing } })
    const answers = Promise.all(
      claimed.map((each, index) =>
        settlement.finish(success(each, index === 1 ? poison : '1')).catch((error: unknown) => error),
      ),
    )
    await env.moveTo(env.now() + 60_000)
    const unstorable = { code: 'execution.unstorable', message: 'invalid byte sequence' }
    expect(await answers).toMatchObject([true, unstorable, true])
    const statuses = await Promise.all(claimed.map(async ({ executionId }) => (await find(executionId))?.status))
    expect(statuses).toEqual(['SUCCESS', 'RUNNING', 'SUCCESS'])
    expect(log.at('error').length).toBeGreaterThan(0)
  })

  it('leaves out an error that cannot be stored', async () => {
    const { claimed, env, find, link, settlement } = await held(1)
    const [{ executionId, epoch }] = claimed as [ClaimedExecution]
    let refusals = 6
    link.intercept = (verb, send) => {
      if (verb !== 'leases.finish' || refusals === 0) return send()
      refusals -= 1
      return Promise.reject(new Error('invalid byte sequence'))
    }
    const ending = { executionId, epoch, output: null, error: failure, faultsJobId: null, healsJobId: null }
    const answer = settlement.finish({ ...ending, status: 'TIMEOUT' })
    await env.moveTo(env.now() + 60_000)
    expect(await answer).toBe(true)
    expect(await find(executionId)).toMatchObject({
      status: 'TIMEOUT',
      error: { name: 'UnstorableResultError', code: 'execution.unstorable' },
    })
  })

  it('sends failed attempts into their wait, and gives others back unspent', async () => {
    const { settlement, claimed, find, env } = await held(2)
    const [first, second] = claimed as [ClaimedExecution, ClaimedExecution]
    expect(await settlement.retry({ ...first, status: 'TIMEOUT', error: failure, delayMs: 60_000 })).toBe(true)
    expect(await settlement.release(second)).toBe(true)
    expect(await find(first.executionId)).toMatchObject({ status: 'QUEUED', attempt: 1, dueAt: env.now() + 60_000 })
    expect(await find(second.executionId)).toMatchObject({ status: 'QUEUED', attempt: 0 })
  })
})
