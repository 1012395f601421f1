import type { NodeFacts, OrphanFacts, OverdueFacts, WaitingFacts } from '../../store/postgres/inspect/work.ts'
import { formatSpan } from '../print/instants.ts'
import { fail, type Judgement, ok, some, together, warn } from './judgement.ts'

/** How a node is started: on a server, or on a directory of `pontual dev`. */
export type StartCommand = 'npx pontual start' | 'npx pontual dev'

const ON_SERVER: StartCommand = 'npx pontual start'
const NOT_TAKEN =
  'A node takes it over within seconds, unless it cannot: look into the logs of those that run for what the database refuses.'

function starting(start: StartCommand): string {
  return `Start a node: ${start}`
}

/** A node looks every few seconds. */
const SOON_MS = 60_000

export function judgeNodes(nodes: readonly NodeFacts[], start = ON_SERVER): Judgement {
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const dead = nodes.filter(({ isAlive }) => !isAlive)
  const slots = alive.reduce((sum, each) => sum + each.slots, 0)
  const idle = dead.filter(({ running, overMs }) => running === 0 && overMs > SOON_MS)
  const small = alive.filter((node) => node.largestCap !== null && node.slots <= node.largestCap)
  const names = some(idle.map(({ name, overMs }) => `${name} (for ${formatSpan(overMs)})`))
  return together(
    [
      alive.length === 0 && warn('No node lives: nothing fires, and nothing runs.', starting(start)),
      small.length > 0 &&
        warn(
          `One tenant can take all slots of a node but those in reserve: the largest cap of a tenant is ${small[0]?.largestCap}, and ${some(small.map(({ name, slots: own }) => `${name} has ${own} slots`))}.`,
          'Give each node at least four times as many slots as the largest cap (PONTUAL_SLOTS, node.slots), or lower the cap.',
        ),
      idle.length > 0 && warn(`Still on the list, and dead: ${names}.`, alive.length > 0 ? NOT_TAKEN : starting(start)),
    ],
    `${alive.length} alive, ${slots} slots`,
  )
}

/** What is held by nodes that are on the list and whose lease is over. */
export function judgeStaleWork(nodes: readonly NodeFacts[], start = ON_SERVER): Judgement {
  const holders = nodes.filter(({ isAlive, running }) => !isAlive && running > 0)
  if (holders.length === 0) return ok('none')
  const held = holders.reduce((sum, { running }) => sum + running, 0)
  const overMs = Math.max(...holders.map((each) => each.overMs))
  const names = some(holders.map(({ name }) => name))
  const text = `${held} executions are held by nodes whose lease has been over for up to ${formatSpan(overMs)}: ${names}.`
  if (!nodes.some(({ isAlive }) => isAlive)) return fail(text, `${starting(start)}. It takes them over.`)
  return overMs < SOON_MS ? warn(text, NOT_TAKEN) : fail(text, NOT_TAKEN)
}

/** Slots that are occupied by nobody. */
export function judgeOrphans(
  orphans: readonly OrphanFacts[],
  nodes: readonly NodeFacts[],
  start = ON_SERVER,
): Judgement {
  if (orphans.length === 0) return ok('none')
  const remedy = nodes.some(({ isAlive }) => isAlive) ? NOT_TAKEN : `${starting(start)}. It frees them.`
  return together(
    orphans.map(({ cause, count, slots, ageMs, executionId }) => {
      const why = {
        nobody: 'are held by nodes that are no longer on the list',
        removed: 'are held although they were removed',
        ended: 'are held although they have ended',
      }[cause]
      const text = `${count} executions ${why}, the oldest for ${formatSpan(ageMs)}, such as ${executionId}; they occupy ${slots} slots of tenants and jobs.`
      return cause === 'nobody' && ageMs < SOON_MS ? warn(text, remedy) : fail(text, remedy)
    }),
    'none',
  )
}

const LONG_MS = 5 * 60_000

/** Work that could begin. What waits on purpose, since its tenant is suspended or at its limit, is none of the nodes' doing. */
export function judgeQueue(
  waiting: readonly WaitingFacts[],
  nodes: readonly NodeFacts[],
  start = ON_SERVER,
): Judgement {
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const takesIt = ({ queue, jobType }: WaitingFacts) =>
    alive.some(({ queues, jobTypes }) => queues.includes(queue) && jobTypes.includes(jobType))
  const late = waiting.filter(({ waitedMs }) => waitedMs > LONG_MS)
  const free = late.filter(({ isSuspended, isFull }) => !isSuspended && !isFull)
  const unserved = free.filter((each) => !takesIt(each))
  const served = free.filter(takesIt)
  const [suspended, full] = [
    late.filter((each) => each.isSuspended),
    late.filter((each) => each.isFull && !each.isSuspended),
  ]
  const oldest = waiting[0]
  return together(
    [
      alive.length === 0 &&
        unserved.length > 0 &&
        fail(`Work has waited for ${formatSpan(longest(unserved))}, and no node lives.`, starting(start)),
      alive.length > 0 &&
        unserved.length > 0 &&
        fail(
          `No node takes ${some([...new Set(unserved.map(laneOf))])}; it has waited for ${formatSpan(longest(unserved))}.`,
          'Start a node that has this job type and this queue, or cancel what waits.',
        ),
      served.length > 0 &&
        warn(
          `Work has waited for ${formatSpan(longest(served))}: ${some(served.map(laneOf))}.`,
          'Nodes have too few slots, or what runs takes too long: npx pontual top shows both.',
        ),
      full.length > 0 &&
        warn(
          `Tenant ${some([...new Set(full.map(({ tenant }) => tenant))])} runs as many as it may; work has waited for ${formatSpan(longest(full))}.`,
          'Raise its limit (concurrency of its settings), or wait.',
        ),
      suspended.length > 0 &&
        warn(
          `Tenant ${some([...new Set(suspended.map(({ tenant }) => tenant))])} is suspended; work has waited for ${formatSpan(longest(suspended))}.`,
          'Switch JOBS_SCHEDULING on again.',
        ),
    ],
    oldest === undefined ? 'empty' : `the oldest has waited for ${formatSpan(oldest.waitedMs)}`,
  )
}

function longest(waiting: readonly WaitingFacts[]): number {
  return Math.max(...waiting.map(({ waitedMs }) => waitedMs))
}

function laneOf({ queue, jobType }: WaitingFacts): string {
  return `${jobType} in queue ${queue}`
}

export function judgeOverdue(
  { jobs, executions }: OverdueFacts,
  nodes: readonly NodeFacts[],
  start = ON_SERVER,
): Judgement {
  if (jobs === 0 && executions === 0) return ok('nothing is overdue')
  const text = `Due for more than a minute: ${jobs} jobs, ${executions} delayed executions.`
  if (nodes.some(({ isAlive }) => isAlive)) {
    return fail(text, 'Nodes live and do not fire: look into their logs, and at the load of the database.')
  }
  return warn(
    text,
    `${starting(start)}. Each job then does what its misfire policy says: npx pontual simulate --outage shows it.`,
  )
}
