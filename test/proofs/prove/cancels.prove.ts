import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { job, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { untilAllEnded } from './workload.ts'

/** How often a node asks whether what it runs is still its own, where no hint comes. */
const HEARTBEAT_MS = 1_000

const NODES = 2

const SLOTS = 20

const AT_ONCE = 60

const LONGEST_MS = 160

/** What happened to an execution in this process, by a clock that only grows. */
interface Course {
  cancelledAt: number | null
  abortedAt: number | null
  endedAt: number | null
  readonly begunAt: number[]
}

interface CancelReport {
  readonly asked: number
  readonly cancelled: number
  /** Of these, those that were in a handler at that moment. */
  readonly running: number
  /** Handlers that had ignored it, and whose success came later. */
  readonly lateSuccesses: number
  readonly slowestAbortMs: number
  /** Handlers whose claim was stored before the cancellation and whose node heard of both later; and by how much. */
  readonly underWay: number
  readonly latestBeginMs: number
}

/** Executions that are cancelled at any point of their life: before they begin, in a handler, between two attempts, or when they are over. */
async function cancelAnywhere(url: string, cancels: number, proof: Proof): Promise<CancelReport> {
  const courses = new Map<string, Course>()
  const courseOf = (id: string) => {
    const course = courses.get(id) ?? { cancelledAt: null, abortedAt: null, endedAt: null, begunAt: [] }
    courses.set(id, course)
    return course
  }
  const walk = job('walk', {
    retry: { retries: 3, intervals: [30] },
    run: async ({ ms, isDeaf, fails }: Walk, { executionId, attempt, signal }) => {
      const course = courseOf(executionId)
      course.begunAt.push(performance.now())
      signal.addEventListener('abort', () => (course.abortedAt ??= performance.now()), { once: true })
      await sleep(ms, undefined, isDeaf ? {} : { signal })
      if (attempt <= fails) throw new Error('Once more.')
      course.endedAt = performance.now()
      return 'done'
    },
  })
  const setup = { jobs: [walk], logger: 'silent', node: { slots: SLOTS }, pollInterval: 250 } as const
  const timing = { staleThreshold: 10_000, renewalInterval: HEARTBEAT_MS }
  const nodes = Array.from({ length: NODES }, () => pontual({ ...setup, ...timing, store: postgres(url) }))
  await Promise.all(nodes.map((node) => node.start()))
  await using app = pontual({ store: postgres(url), jobs: [walk], logger: 'silent' })
  const chance = new Chance(21)
  let asked = 0
  const customer = async () => {
    while (asked < cancels) {
      asked += 1
      const input = { ms: chance.between(0, 80), isDeaf: chance.fraction() < 0.5, fails: chance.pick([0, 0, 1, 2]) }
      const { id } = await app.enqueue(walk, input)
      await sleep(chance.between(0, LONGEST_MS))
      if ((await app.cancel(id)) === 'cancelled') courseOf(id).cancelledAt = performance.now()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, customer))
  await untilAllEnded(app, proof)
  // The last handlers that do not listen come to their end.
  await sleep(2 * HEARTBEAT_MS)
  await Promise.all(nodes.map((node) => node.stop()))
  const report = judgeCourses(courses, proof)
  await judgeStored(url, courses, proof)
  return { asked, ...report }
}

interface Walk {
  readonly ms: number
  /** Goes on when it is told to end. */
  readonly isDeaf: boolean
  /** In how many of its first attempts it fails. */
  readonly fails: number
}

function judgeCourses(courses: ReadonlyMap<string, Course>, proof: Proof): Omit<CancelReport, 'asked'> {
  const report = { cancelled: 0, running: 0, lateSuccesses: 0, slowestAbortMs: 0, underWay: 0, latestBeginMs: 0 }
  for (const [id, { cancelledAt, abortedAt, endedAt, begunAt }] of courses) {
    if (cancelledAt === null) continue
    report.cancelled += 1
    const late = begunAt.filter((at) => at > cancelledAt)
    proof.require(late.length <= 1, () => `${id} began ${late.length} times after it was cancelled.`)
    for (const at of late) {
      report.underWay += 1
      report.latestBeginMs = Math.max(report.latestBeginMs, at - cancelledAt)
    }
    if (abortedAt !== null) {
      report.running += 1
      report.slowestAbortMs = Math.max(report.slowestAbortMs, abortedAt - cancelledAt)
    }
    if (endedAt !== null && endedAt > cancelledAt) report.lateSuccesses += 1
  }
  return report
}

/** What was cancelled is so for good, and was not claimed afterwards. */
async function judgeStored(url: string, courses: ReadonlyMap<string, Course>, proof: Proof): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string; status: string; isLate: boolean }>(
    `select execution_id as id, status, coalesce(started_at > finished_at, false) as "isLate" from pontual.results`,
  )
  await client.end()
  for (const { id, status, isLate } of rows) {
    const isCancelled = (courses.get(id)?.cancelledAt ?? null) !== null
    proof.require((status === 'CANCELLED') === isCancelled, () => `${id} is ${status}; cancelled: ${isCancelled}.`)
    proof.require(!isLate, () => `${id} was claimed after it had ended.`)
  }
}

const ASKED = 10_000

describe('a cancellation', () => {
  const proof = new Proof('cancels')
  afterAll(() => proof.keep())

  it('I21: that is acknowledged lets nothing begin, reaches what runs in time, and no success comes after it', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const report = await cancelAnywhere(database.url, countOf('CANCELS', ASKED), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I21'], what }) as const
      proof.count(about('cancellations at any point of an execution'), report.asked, ASKED)
      proof.note(about('of these before its end'), report.cancelled)
      proof.note(about('of these in a handler'), report.running)
      proof.note(about('successes of handlers that went on, all refused'), report.lateSuccesses)
      proof.note(about('handlers that began after it, since their claim had come before'), report.underWay)
      proof.bound(about('latest begin of such a handler'), Math.round(report.latestBeginMs), HEARTBEAT_MS, 'ms')
      proof.bound(about('slowest abort of a handler'), Math.round(report.slowestAbortMs), HEARTBEAT_MS, 'ms')
    }))
})
