import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { StoreUnavailableError } from '../../../src/store/unavailable.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { aborted, Gate } from './gate.ts'
import { type Process, Processes } from './processes.ts'

/** Runs until it is told to stop, and counts how many do so at once. */
class Runs {
  begun = 0
  most = 0
  #now = 0

  readonly run = (_input: undefined, { signal }: { signal: AbortSignal }): Promise<never> => {
    this.begun += 1
    this.#now += 1
    this.most = Math.max(this.most, this.#now)
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        this.#now -= 1
        reject(signal.reason as Error)
      })
    })
  }
}

/** The next answer to a verb comes when the gate opens, though the store has done what was asked. */
function delayAnswer({ link }: Process, verb: string, isMeant: (answer: unknown) => boolean = () => true): Gate {
  const gate = new Gate()
  let isOpen = true
  link.intercept = async (asked, send) => {
    const answer = await send()
    if (asked !== verb || !isOpen || !isMeant(answer)) return answer
    isOpen = false
    await gate.opened
    return answer
  }
  return gate
}

/** The next claim is answered too late for its starts; the answer about new ones comes when the gate opens. */
function delayRate(all: Processes, { link }: Process, look?: Gate): Gate {
  const gate = new Gate()
  let isLate = false
  link.intercept = async (asked, send) => {
    const answer = await send()
    if (asked === 'leases.claim' && hasTaken(answer) && !isLate) {
      isLate = true
      await all.pass('1ms')
    }
    if (asked === 'rates.acquire') await gate.opened
    if (asked === 'leases.held') await look?.opened
    return answer
  }
  return gate
}

const hasTaken = (answer: unknown) => (answer as { executions: readonly unknown[] }).executions.length > 0

const GIVEN_BACK = 'Gave back executions of a claim whose answer was lost'
const HOURLY = { limit: 5, per: '1h' } as const

describe('an execution whose rate is asked', () => {
  it('is not given back, however long that takes, and runs once', async () => {
    await using all = new Processes()
    const runs = new Runs()
    const mail = job('mail', { rateLimit: HOURLY, run: runs.run })
    const node = await all.node({ jobs: [mail] })
    const answer = delayRate(all, node)
    const { id } = await node.app.enqueue(mail)
    await all.pass('1m')
    answer.open()
    await all.pass('30s')
    expect(runs).toMatchObject({ begun: 1, most: 1 })
    expect(await node.execution(id)).toMatchObject({ status: 'RUNNING', epoch: 1 })
    expect(node.log.of(GIVEN_BACK)).toEqual([])
  })

  it('is not given back because others are cancelled meanwhile', async () => {
    await using all = new Processes()
    const runs = new Runs()
    const others = new Runs()
    const mail = job('mail', { rateLimit: HOURLY, run: runs.run })
    const other = job('other', { run: others.run })
    const node = await all.node({ jobs: [mail, other] })
    const running = await node.app.enqueueMany(other, [undefined, undefined, undefined])
    await all.settle()
    const answer = delayRate(all, node)
    await node.app.enqueue(mail)
    await all.settle()
    for (const { id } of running) {
      await node.app.cancel(id)
      await all.settle()
    }
    answer.open()
    await all.settle()
    expect(runs).toMatchObject({ begun: 1, most: 1 })
  })

  it('stands in the way of the next run of a job that queues', async () => {
    await using all = new Processes()
    const runs = new Runs()
    const schedule = { trigger: cron('0 * * * *'), overlap: 'queue' } as const
    const mail = job('mail', { rateLimit: HOURLY, schedule, run: runs.run })
    const node = await all.node({ jobs: [mail] })
    const answer = delayRate(all, node)
    await all.pass('1h')
    await all.pass('1m')
    answer.open()
    await all.pass('30s')
    expect(runs).toMatchObject({ begun: 1, most: 1 })
  })

  it('does not begin once its cancel is acknowledged', async () => {
    await using all = new Processes()
    const runs = new Runs()
    const mail = job('mail', { rateLimit: HOURLY, run: runs.run })
    const node = await all.node({ jobs: [mail] })
    const answer = delayRate(all, node)
    const { id } = await node.app.enqueue(mail)
    await all.pass('5ms')
    expect(await node.app.cancel(id)).toBe('cancelled')
    await all.settle()
    answer.open()
    await all.pass('1m')
    expect(runs.begun).toBe(0)
    expect(await node.app.health()).toMatchObject({ running: 0 })
  })

  it('is told at once where it begins while its cancel is looked at', async () => {
    await using all = new Processes()
    const runs = new Runs()
    const signals: AbortSignal[] = []
    const mail = job('mail', {
      rateLimit: HOURLY,
      run: (input: undefined, context) => {
        signals.push(context.signal)
        return runs.run(input, context)
      },
    })
    const node = await all.node({ jobs: [mail] })
    const look = new Gate()
    const rate = delayRate(all, node, look)
    const { id } = await node.app.enqueue(mail)
    await all.pass('5ms')
    await node.app.cancel(id)
    await all.settle()
    rate.open()
    await all.settle()
    look.open()
    await all.settle()
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
  })
})

/** A node whose only slots are taken for an hour, and an occurrence that waits for one of them. */
async function late(runs: Runs) {
  const all = new Processes()
  const busy = new Gate()
  const hog = job('hog', { run: () => busy.opened })
  const hourly = job('hourly', { schedule: { trigger: cron('0 * * * *'), overlap: { atMost: 1 } }, run: runs.run })
  const node = await all.node({ jobs: [hourly, hog], node: { slots: 2 }, staleThreshold: '20s' })
  await node.app.enqueueMany(hog, [undefined, undefined])
  await all.pass('1h')
  await all.pass('5m')
  return { all, busy, hourly, node }
}

describe('a late occurrence that is decided about', () => {
  it('is not given back, however long that takes, and runs once', async () => {
    const runs = new Runs()
    const { all, busy, node } = await late(runs)
    await using _ = all
    const answer = delayAnswer(node, 'jobs.find')
    busy.open()
    await all.pass('1m')
    expect(runs.begun).toBe(0)
    answer.open()
    await all.pass('30s')
    expect(runs).toMatchObject({ begun: 1, most: 1 })
  })

  it('does not begin on a node that is lost meanwhile', async () => {
    const runs = new Runs()
    const { all, busy, hourly, node } = await late(runs)
    await using _ = all
    const decision = new Gate()
    let isAway = false
    node.link.intercept = async (verb, send) => {
      if (isAway) throw new StoreUnavailableError('store.unavailable', 'The store is away.')
      const answer = await send()
      if (verb === 'jobs.find') await decision.opened
      return answer
    }
    busy.open()
    await all.settle()
    isAway = true
    await all.node({ jobs: [hourly], staleThreshold: '20s' })
    await all.pass('2m')
    expect(runs.begun).toBe(1)
    isAway = false
    decision.open()
    await all.settle()
    expect(runs).toMatchObject({ begun: 1, most: 1 })
  })

  it('is given back before its node has stopped, where the decision fails', async () => {
    const runs = new Runs()
    const { all, busy, node } = await late(runs)
    await using _ = all
    const decision = new Gate()
    node.link.intercept = async (verb, send) => {
      if (verb !== 'jobs.find') return await send()
      await decision.opened
      throw new Error('no')
    }
    busy.open()
    await all.settle()
    const stopping = node.app.stop()
    decision.open()
    await all.until(stopping)
    const [occurrence] = await all.process().app.executions({ jobType: 'hourly' })
    expect(occurrence).toMatchObject({ status: 'QUEUED', attempt: 0, nodeId: null })
  })
})

describe('what a claim has taken whose answer is on its way', () => {
  it('is not given back because others are cancelled meanwhile', async () => {
    await using all = new Processes()
    const runs = new Runs()
    const others = new Runs()
    const work = job('work', { run: runs.run })
    const other = job('other', { run: others.run })
    const node = await all.node({ jobs: [work, other] })
    const running = await node.app.enqueueMany(other, [undefined, undefined, undefined])
    await all.settle()
    const answer = delayAnswer(node, 'leases.claim', hasTaken)
    const { id } = await node.app.enqueue(work)
    await all.settle()
    for (const each of running) {
      await node.app.cancel(each.id)
      await all.settle()
    }
    answer.open()
    await all.pass('30s')
    expect(runs).toMatchObject({ begun: 1, most: 1 })
    expect(await node.execution(id)).toMatchObject({ status: 'RUNNING', epoch: 1 })
  })

  it('is told at once when it begins after its cancel', async () => {
    await using all = new Processes()
    const signals: AbortSignal[] = []
    const work = job('work', {
      run: (_input: undefined, { signal }) => {
        signals.push(signal)
        return aborted(signal)
      },
    })
    const node = await all.node({ jobs: [work] })
    const answer = delayAnswer(node, 'leases.claim', hasTaken)
    const { id } = await node.app.enqueue(work)
    await all.settle()
    expect(await node.app.cancel(id)).toBe('cancelled')
    await all.settle()
    answer.open()
    await all.settle()
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
    expect(await node.app.health()).toMatchObject({ running: 0 })
  })

  it('does not begin on a node that is lost meanwhile, and does not know it yet', async () => {
    await using all = new Processes()
    const runs = new Runs()
    const work = job('work', { run: runs.run })
    const node = await all.node({ jobs: [work], staleThreshold: '20s' })
    const claim = new Gate()
    let isAway = false
    node.link.intercept = async (verb, send) => {
      if (isAway) throw new StoreUnavailableError('store.unavailable', 'The store is away.')
      const answer = await send()
      if (verb === 'leases.claim' && hasTaken(answer)) await claim.opened
      return answer
    }
    const { id } = await node.app.enqueue(work)
    await all.settle()
    isAway = true
    const other = await all.node({ jobs: [work], staleThreshold: '20s' })
    await all.pass('2m')
    isAway = false
    claim.open()
    await all.settle()
    expect(runs).toMatchObject({ begun: 1, most: 1 })
    expect(await other.execution(id)).toMatchObject({ status: 'RUNNING', epoch: 2 })
  })
})
