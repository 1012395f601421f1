import { setMaxListeners } from 'node:events'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { systemEnv } from '../../../src/clock.ts'
import { type ExecutionView, type Pontual, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { bundled } from './bundled.ts'
import { type Effect, fiftyActivities } from './fifty-activities.ts'
import { NodeInProcess } from './node-in-process.ts'

const PROGRAM = await bundled(fileURLToPath(new URL('./fifty-activities-process.ts', import.meta.url)))
/** A node that lives keeps its lease also where the machine is busy: one that lost it might perform what another has recorded. */
const TIMING = { staleThreshold: 5_000, renewalInterval: 500, staleCheckInterval: 500, pollInterval: 200 }
const ACTIVITIES = 50
const WATCH_MS = 700
/** Once no node is killed any more what is under way has so long to end, and less where nothing moves. */
const END_MS = 300_000
const STANDSTILL_MS = 60_000
const RECORDED = `
  select execution_id as "executionId", substring(name from '[0-9]+')::int as number, trim(both '"' from output) as mark
  from pontual.history_entries
  where execution_id = any($1::uuid[]) and kind = 'activity' and status = 'COMPLETED'`
/** Known here so that it can be enqueued; the nodes run it. */
const run = fiftyActivities(() => {})

export interface DurableTortureOptions {
  readonly url: string
  /** How many runs there are at a time: when one has ended the next one comes. */
  readonly runs: number
  readonly nodes: number
  /** How many runs a node has under way at the most. */
  readonly slots: number
  /** After so many deaths of nodes no more runs come, and the nodes that are left finish. */
  readonly kills: number
  /** How long a node lives at the most. */
  readonly lifeMs: number
  /** After so long no more nodes are killed and no more runs come either. Default: however long it takes. */
  readonly forMs?: number
}

export interface DurableTortureReport {
  readonly kills: number
  /** Runs that have ended. */
  readonly ended: number
  /** How often a run was under way on a node that was killed. */
  readonly interrupted: number
  /** How often an activity was performed beyond once for each call: those that were under way. */
  readonly performedAgain: number
  /** What was seen that must not be. */
  readonly violations: readonly string[]
}

/**
 * Nodes work through runs of fifty activities and are killed at random. What they do to the world they write into a file, outside of the database; whoever looks
 * at the database meanwhile writes into the same file what is recorded. An activity that is performed after that was performed again.
 */
export async function tortureDurable(options: DurableTortureOptions): Promise<DurableTortureReport> {
  const { url } = options
  const folder = await mkdtemp(join(tmpdir(), 'pontual-effects-'))
  const effects = join(folder, 'effects')
  await writeFile(effects, '')
  // Nodes are killed so often here that a run may be lost many times in a row without being what they die of.
  const app = pontual({ store: postgres(url), jobs: [run], logger: 'silent', defaultRetry: { retries: 1_000 } })
  const observer = new pg.Client({ connectionString: url })
  try {
    await observer.connect()
    await observer.query('create table booked (execution_id uuid)')
    const { executions, kills } = await runAndKill(app, observer, { ...options, effects })
    const calls = await readCalls(effects)
    const booked = await bookedBy(observer)
    return {
      kills,
      ended: executions.filter(({ finishedAt }) => finishedAt !== null).length,
      interrupted: executions.flatMap(({ attempts }) => attempts).filter(({ status }) => status === 'LOST').length,
      performedAgain: [...calls.values()].reduce((sum, { performed }) => sum + performed.length - 1, 0),
      violations: executions.flatMap((execution) => violationsOf(execution, calls, booked)),
    }
  } finally {
    await observer.end()
    await app.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Resolves to all runs, when they have ended or do not end, and to how many nodes were killed. */
async function runAndKill(
  app: Pontual,
  observer: pg.Client,
  { url, effects, runs, nodes, slots, kills, lifeMs, forMs }: DurableTortureOptions & { readonly effects: string },
): Promise<{ readonly executions: readonly ExecutionView[]; readonly kills: number }> {
  const executions: ExecutionView[] = []
  const underWay = new Set<string>()
  const until = performance.now() + (forMs ?? Number.POSITIVE_INFINITY)
  const givenUp = new AbortController()
  setMaxListeners(runs, givenUp.signal)
  let killed = 0
  const isOver = () => killed >= kills || performance.now() > until
  const customer = async () => {
    do {
      const { id } = await app.enqueue(run)
      underWay.add(id)
      executions.push(await endOf(app, id, givenUp.signal))
      underWay.delete(id)
    } while (!isOver())
  }
  const served = Promise.all(Array.from({ length: runs }, customer))
  const lives = Array.from({ length: nodes }, async () => {
    for (;;) {
      await using node = new NodeInProcess({ url, effects, node: { slots }, ...TIMING }, PROGRAM)
      await node.until((each) => each.of('ready').length > 0)
      if (isOver()) {
        await served
        return
      }
      await sleep(lifeMs * systemEnv.random())
      node.signal('SIGKILL')
      killed += 1
    }
  })
  const patience = new Patience(END_MS, STANDSTILL_MS)
  const onSeen = (recorded: number) => {
    if (isOver() && patience.isAtEnd(recorded + executions.length)) givenUp.abort()
  }
  await Promise.all([served, ...lives, watchUntil(served, observer, { effects, underWay, onSeen })])
  return { executions, kills: killed }
}

/** How long is waited, from the first look on: for so long in all, and without progress for so long at a time. */
class Patience {
  readonly #allMs: number
  readonly #standstillMs: number
  #beganAt: number | null = null
  #movedAt: number | null = null
  #progress = 0

  constructor(allMs: number, standstillMs: number) {
    this.#allMs = allMs
    this.#standstillMs = standstillMs
  }

  isAtEnd(progress: number): boolean {
    const now = performance.now()
    this.#beganAt ??= now
    if (this.#movedAt === null || progress > this.#progress) this.#movedAt = now
    this.#progress = progress
    return now - this.#beganAt > this.#allMs || now - this.#movedAt > this.#standstillMs
  }
}

/** A run that does not end is shown as it stands. */
async function endOf(app: Pontual, id: string, givenUp: AbortSignal): Promise<ExecutionView> {
  try {
    return await app.waitFor(id, { signal: givenUp })
  } catch (error) {
    const execution = await app.execution(id)
    if (!execution) throw error
    return execution
  }
}

/** Whatever a node that was killed has recorded is seen before another one has its runs: that takes as long as a lease. */
async function watchUntil(
  served: Promise<unknown>,
  observer: pg.Client,
  {
    effects,
    underWay,
    onSeen,
  }: { readonly effects: string; readonly underWay: ReadonlySet<string>; readonly onSeen: (recorded: number) => void },
): Promise<void> {
  const seen = new Set<string>()
  let isOver = false
  const over = served.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const { rows } = await observer.query<Effect>(RECORDED, [[...underWay]])
    const fresh = rows.filter(({ executionId, number }) => !seen.has(keyOf(executionId, number)))
    for (const { executionId, number } of fresh) seen.add(keyOf(executionId, number))
    await appendFile(effects, fresh.map((effect) => `${JSON.stringify({ ...effect, isRecorded: true })}\n`).join(''))
    onSeen(seen.size)
    await Promise.race([over, sleep(WATCH_MS)])
  }
}

/** What is told of a call, in the order in which it happened. */
interface CallFacts {
  /** The marks of each time it was performed. */
  readonly performed: string[]
  /** How often it had been performed when its result was seen; null for one that was not seen. */
  recordedAfter: number | null
}

async function readCalls(path: string): Promise<Map<string, CallFacts>> {
  const calls = new Map<string, CallFacts>()
  // What a killed process was writing may be cut off: a line without its end.
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.endsWith('}'))
  for (const line of lines) {
    const { executionId, number, mark, isRecorded } = JSON.parse(line) as Effect & { readonly isRecorded?: true }
    const key = keyOf(executionId, number)
    const call = calls.get(key) ?? { performed: [], recordedAfter: null }
    calls.set(key, call)
    if (isRecorded) call.recordedAfter = call.performed.length
    else call.performed.push(mark)
  }
  return calls
}

function keyOf(executionId: string, number: number): string {
  return `${executionId} ${number}`
}

async function bookedBy(observer: pg.Client): Promise<Map<string, number>> {
  const { rows } = await observer.query<{ id: string; count: number }>(
    'select execution_id as id, count(*)::int as count from booked group by execution_id',
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

function violationsOf(
  { id, status, output, error }: ExecutionView,
  calls: ReadonlyMap<string, CallFacts>,
  booked: ReadonlyMap<string, number>,
): string[] {
  if (status !== 'SUCCESS') return [`Run ${id} is ${status}: ${JSON.stringify(error)}.`]
  const marks = output as readonly string[]
  const violations = booked.get(id) === 1 ? [] : [`Run ${id} has booked ${booked.get(id) ?? 0} times.`]
  if (marks.length !== ACTIVITIES) violations.push(`Run ${id} has ${marks.length} results.`)
  for (const [index, mark] of marks.entries()) {
    const { performed = [], recordedAfter = null } = calls.get(keyOf(id, index + 1)) ?? {}
    const what = `Activity ${index + 1} of run ${id}`
    if (performed.length > (recordedAfter ?? performed.length)) violations.push(`${what} was performed again.`)
    if (performed.at(-1) !== mark) violations.push(`${what} does not have the result of its last performance.`)
  }
  return violations
}
