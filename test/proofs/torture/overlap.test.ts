import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job, type OccurrenceRecord, type OverlapRule, type Pontual, pontual, simple } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'

const INTERVAL_MS = 60
const OCCURRENCES = 60
const SLACK_MS = 20_000

/** What runs at once, by name of the job. */
class Running {
  readonly most = new Map<string, number>()
  readonly #now = new Map<string, number>()

  change(name: string, by: number): void {
    const now = (this.#now.get(name) ?? 0) + by
    this.#now.set(name, now)
    this.most.set(name, Math.max(now, this.most.get(name) ?? 0))
  }
}

describe.skipIf(isPostgresSkipped())('runs that outlast their interval, three nodes on one PostgreSQL', () => {
  let database: TestDatabase
  const nodes: Pontual[] = []
  const running = new Running()
  const starts: number[] = []
  const long = job('long', {
    retry: { retries: 2, initial: 50 },
    run: async ({ name, ms }: { name: string; ms: number }, { attempt, scheduledAt, signal }) => {
      running.change(name, 1)
      try {
        await sleep(ms, undefined, { signal })
        // Some are tried again, so that retries meet occurrences.
        if (attempt === 1 && ((scheduledAt ?? 0) / INTERVAL_MS) % 7 < 1) throw new Error('once more')
      } finally {
        running.change(name, -1)
      }
    },
  })
  const mail = job('mail', { rateLimit: { limit: 20, per: '1s' }, run: () => void starts.push(Date.now()) })

  beforeAll(async () => {
    database = await createDatabase()
    for (let count = 0; count < 3; count += 1) {
      const node = pontual({ store: postgres(database.url), jobs: [long, mail], logger: 'silent', pollInterval: 100 })
      nodes.push(node)
      await node.start()
    }
  })
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    await database.drop()
  })

  /** Fires the job to its end, and gives the ledger of all of it. */
  async function runToEnd(name: string, overlap: OverlapRule, ms: number): Promise<OccurrenceRecord[]> {
    const [app] = nodes as [Pontual]
    const startAt = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000
    const trigger = simple({ startAt, interval: INTERVAL_MS, repeatCount: OCCURRENCES - 1 })
    await app.schedule(long, { name, trigger, overlap, input: { name, ms }, onFaulted: 'continue' })
    const endBy = startAt + OCCURRENCES * INTERVAL_MS + SLACK_MS
    for (;;) {
      await sleep(100)
      const { id, schedule } = (await app.job(name)) ?? {}
      const open = await app.executions({ jobId: id, statuses: ['QUEUED', 'RUNNING', 'WAITING'] })
      if (schedule?.nextFireAt === null && open.length === 0) break
      if (Date.now() > endBy) throw new Error(`${open.length} of ${name} have not ended.`)
    }
    const until = startAt + OCCURRENCES * INTERVAL_MS
    const ledger = await app.ledger(name, startAt, until)
    // Skipped occurrences use up no repeats, so a busy machine skips longer, and the last range of them may end after this.
    return ledger.map((entry) => ({
      ...entry,
      count: Math.min(entry.count, Math.ceil((until - entry.from) / INTERVAL_MS)),
    }))
  }

  const counted = (ledger: readonly OccurrenceRecord[]) => ledger.reduce((sum, { count }) => sum + count, 0)
  const ofDecision = (ledger: readonly OccurrenceRecord[], ...decisions: OccurrenceRecord['decision'][]) =>
    ledger.filter(({ decision }) => decisions.includes(decision))

  it.concurrent.each<[OverlapRule, number, OccurrenceRecord['decision']]>([
    ['queue', 1, 'consolidated'],
    ['skip', 1, 'skipped'],
    [{ atMost: 2 }, 2, 'fired'],
  ])('%j: never more than %i at once, and every occurrence is accounted for', async (overlap, most, decision) => {
    const name = JSON.stringify(overlap)
    const ledger = await runToEnd(name, overlap, 150)
    expect(running.most.get(name)).toBeGreaterThan(0)
    expect(running.most.get(name)).toBeLessThanOrEqual(most)
    expect(counted(ledger)).toBe(OCCURRENCES)
    expect(ofDecision(ledger, 'fired', 'firedLate').length).toBeGreaterThan(0)
    expect(ofDecision(ledger, decision).length).toBeGreaterThan(0)
  })

  it.concurrent('replace: what is replaced ends, and the last one runs to its end', async () => {
    const ledger = await runToEnd('replace', 'replace', 150)
    expect(counted(ledger)).toBe(OCCURRENCES)
    const fired = ofDecision(ledger, 'fired', 'firedLate')
    const [app] = nodes as [Pontual]
    const executions = await Promise.all(fired.map(({ executionId }) => app.execution(executionId ?? '')))
    expect(executions.at(-1)?.status).toBe('SUCCESS')
    expect(executions.filter((each) => each?.status === 'CANCELLED').length).toBeGreaterThan(0)
  })

  it.concurrent('a rate limit over three nodes: all run, and as fast as it allows', async () => {
    const [app] = nodes as [Pontual]
    const enqueuedAt = Date.now()
    const inputs = Array.from({ length: 100 }, () => undefined)
    for (const { id } of await app.enqueueMany(mail, inputs)) await app.waitFor(id)
    const startedAt = starts.toSorted((a, b) => a - b)
    expect(startedAt).toHaveLength(100)
    for (const [index, at] of startedAt.entries()) {
      expect(at - enqueuedAt).toBeGreaterThanOrEqual(Math.floor(index / 20) * 1_000)
    }
    expect((startedAt.at(-1) ?? 0) - enqueuedAt).toBeLessThan(4_000 + SLACK_MS)
  })
})
