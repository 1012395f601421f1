import type { EngineStore } from '../../../src/store/store.ts'
import { type Bench, failure, LEASE_MS, success } from '../../suites/conformance/bench.ts'
import { ENDING_VERBS } from './meetings.ts'
import { permutations } from './serial.ts'
import type { Stage } from './stage.ts'

interface FreeRaces {
  /** How many executions four connections have fought for. */
  readonly races: number
  readonly violations: readonly string[]
  /** How often each has won. */
  readonly wins: Readonly<Record<string, number>>
}

interface Race {
  readonly executionId: string
  readonly epoch: number
}

/** Those among the executions that a verb says it has ended, or moved. */
type Ending = (store: EngineStore, all: readonly Race[]) => Promise<ReadonlySet<string>>

const ENDINGS: Readonly<Record<string, Ending>> = {
  recover: async ({ leases }, all) => {
    const recovered = await leases.recover({ silentForMs: null, limit: all.length })
    return new Set(recovered.map(({ executionId }) => executionId))
  },
  cancel: async ({ executions }, all) => {
    const answers = await executions.cancel(all.map(({ executionId }) => ({ id: executionId, reason: null })))
    return new Set(all.filter((_, index) => answers[index] === 'cancelled').map(({ executionId }) => executionId))
  },
  'time out': async ({ leases }, all) =>
    new Set(await leases.finish(all.map((each) => success(each, { status: 'TIMEOUT', error: failure })))),
  succeed: async ({ leases }, all) => new Set(await leases.finish(all.map((each) => success(each, { output: '1' })))),
}

/** I7: rescuer, cancel, timeout and completion, each on a connection of its own and nothing held back, in all orders in which they may be sent. */
export async function raceFreely(stage: Stage, bench: Bench, races: number, atOnce: number): Promise<FreeRaces> {
  const violations: string[] = []
  const wins: Record<string, number> = {}
  const orders = permutations(ENDING_VERBS)
  let done = 0
  for (let round = 0; done < races; round += 1) {
    const order = orders[round % orders.length]!
    const all = await hold(bench, atOnce)
    const sent = order.map((name, index) => inParts(ENDINGS[name]!, stage.actor(index + 1).store, turned(all, index)))
    const ended = new Map((await Promise.all(sent)).map((ids, index) => [order[index]!, ids]))
    const found = await bench.store.executions.find(all.map(({ executionId }) => executionId))
    for (const { id, status, epoch, attempts } of found) {
      done += 1
      const claims = order.filter((name) => ended.get(name)?.has(id))
      wins[status] = (wins[status] ?? 0) + 1
      const isOne = epoch === 1 && attempts.length === 1 && isTold(status, claims)
      if (!isOne) violations.push(`${id} is ${status} after ${attempts.length} attempts; told to ${claims.join(', ')}.`)
    }
    if (found.length !== all.length) violations.push(`Of ${all.length} executions ${found.length} are left.`)
    await bench.store.executions.purge(bench.now + 1, all.length)
  }
  return { races: done, violations, wins }
}

/** Everybody is told the same: whose end it is, and that it is over for the others. An end that the holder has sent before stands, whatever it sends afterwards. */
function isTold(status: string, claims: readonly string[]): boolean {
  const reported: readonly string[] = claims.filter((name) => name === 'succeed' || name === 'time out')
  const others = claims.filter((name) => !reported.includes(name))
  switch (status) {
    case 'SUCCESS':
      return others.length === 0 && reported.includes('succeed')
    case 'TIMEOUT':
      return others.length === 0 && reported.includes('time out')
    case 'CANCELLED':
      return reported.length === 0 && others.join() === 'cancel'
    case 'FAILED':
      return reported.length === 0 && others.join() === 'recover'
    default:
      return false
  }
}

/** Executions with one attempt, which a node holds whose lease is over. */
async function hold(bench: Bench, count: number): Promise<Race[]> {
  const bodies = Array.from({ length: count }, () => bench.execution({ maxAttempts: 1 }))
  await bench.store.executions.enqueue(bodies)
  const nodeId = await bench.node({ leaseMs: LEASE_MS })
  const claimed = await bench.claim(nodeId, { limit: count })
  bench.advance(LEASE_MS + 1)
  return claimed.map(({ executionId, epoch }) => ({ executionId, epoch }))
}

/** A few at a time, so that each meets the others again and again. */
const PART = 4

async function inParts(ending: Ending, store: EngineStore, all: readonly Race[]): Promise<ReadonlySet<string>> {
  const ended = new Set<string>()
  for (let first = 0; first < all.length; first += PART) {
    for (const id of await ending(store, all.slice(first, first + PART))) ended.add(id)
  }
  return ended
}

/** Each begins with another one. */
function turned<Each>(all: readonly Each[], turn: number): Each[] {
  const first = Math.floor((turn * all.length) / ENDING_VERBS.length)
  return [...all.slice(first), ...all.slice(0, first)]
}
