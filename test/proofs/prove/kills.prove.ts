import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { Chance } from '../../harness/chance.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { percentile } from '../torture/dead-rows.ts'
import { countOf } from './count-of.ts'
import { EffectFile } from './effect-file.ts'
import type { EffectLine } from './effect-line.ts'
import { EffectProcess } from './effect-process.ts'
import { poisonNodes } from './poison.ts'
import { Proof } from './proof.ts'
import { feed, untilAllEnded } from './workload.ts'

const LEASE_MS = 5_000

const TIMING = { staleThreshold: LEASE_MS, renewalInterval: 500, staleCheckInterval: 500, pollInterval: 250 }

const PLACES = 4

const SLOTS = 8

const LONGEST_LIFE_MS = 900

interface KillReport {
  readonly kills: number
  /** Attempts that were under way on a node that was killed. */
  readonly interrupted: number
  /** From the death of a node until its work could be claimed. */
  readonly takeoversMs: readonly number[]
  readonly ended: number
  /** Nodes that lived, but were silent for longer than their lease, and said so: the machine is saturated by processes that start. */
  readonly silent: number
}

/** Four nodes at a time are killed in the midst of their work, and come back; a fifth one lives. */
async function killNodes(url: string, kills: number, proof: Proof): Promise<KillReport> {
  await using effects = await EffectFile.create()
  const app = pontual({ store: postgres(url), logger: 'silent' })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const setup = { url, effects: effects.path, maxConnections: 3, ...TIMING }
  const survivor = await EffectProcess.start({ ...setup, node: { name: 'survivor', slots: 2 } })
  const deaths = new Deaths()
  const isOver = () => deaths.count >= kills
  const place = async (_: unknown, index: number) => {
    const chance = new Chance(index)
    while (!isOver()) {
      await using node = await EffectProcess.start({ ...setup, node: { name: `place-${index}`, slots: SLOTS } })
      await sleep(chance.between(50, LONGEST_LIFE_MS))
      node.signal('SIGKILL')
      deaths.note(node)
      await node.ended
    }
  }
  const feeding = feed(app, isOver)
  await Promise.all(Array.from({ length: PLACES }, place))
  await feeding
  // The dead are not coming back: the one that lives has to do what is left, with some help.
  await using helper = await EffectProcess.start({ ...setup, node: { name: 'helper', slots: 50 } })
  await untilAllEnded(app, proof)
  for (const node of [survivor, helper]) deaths.noteLosses(node)
  judgeLedger(await effects.read(), deaths, proof)
  const report = await judgeStored(client, deaths, proof)
  for (const node of [survivor, helper]) await node[Symbol.asyncDispose]()
  await client.end()
  await app.stop()
  return { kills: deaths.count, silent: deaths.silent.size, ...report }
}

/** When which node, and which process, was killed. */
class Deaths {
  readonly ofNode = new Map<string, number>()
  /** Numbers of processes are used again. */
  readonly #ofProcesses = new Map<number, number[]>()
  /** Nodes that were told that they had been silent for too long, and processes in which that happened. */
  readonly silent = new Set<string>()
  readonly silentProcesses = new Set<number>()
  count = 0

  note(node: EffectProcess): void {
    const at = Date.now()
    this.count += 1
    this.#ofProcesses.set(node.pid, [...(this.#ofProcesses.get(node.pid) ?? []), at])
    for (const { nodeId } of node.of('node.started')) this.ofNode.set(nodeId ?? '', at)
    this.noteLosses(node)
  }

  /** Whether a process died between two instants. */
  hasDied(pid: number, from: number, to: number): boolean {
    return (this.#ofProcesses.get(pid) ?? []).some((at) => at >= from && at <= to)
  }

  noteLosses(node: EffectProcess): void {
    for (const { nodeId } of node.of('node.lost')) {
      this.silent.add(nodeId ?? '')
      this.silentProcesses.add(node.pid)
    }
  }
}

/** No attempt began twice, and none before the process of the one before it was dead, or had lost its lease. */
function judgeLedger(lines: readonly EffectLine[], deaths: Deaths, proof: Proof): void {
  const last = new Map<string, EffectLine>()
  for (const line of lines.filter(({ event }) => event === 'began')) {
    const before = last.get(line.executionId)
    last.set(line.executionId, line)
    if (!before) continue
    const told = () => `${JSON.stringify(before)} and then ${JSON.stringify(line)}`
    proof.require(line.attempt > before.attempt, told)
    const isOver = deaths.hasDied(before.pid, before.at, line.at)
    proof.require(isOver || deaths.silentProcesses.has(before.pid), told)
  }
}

/** All have succeeded, epochs and attempts have grown by one each time, only the dead have lost anything, and it could be taken in time. */
async function judgeStored(
  client: pg.Client,
  deaths: Deaths,
  proof: Proof,
): Promise<Pick<KillReport, 'interrupted' | 'takeoversMs' | 'ended'>> {
  const { rows: lost } = await client.query<{ node: string; since: number; until: number }>(`
    select
      node_id as node,
      extract(epoch from started_at)::float8 * 1000 as since,
      extract(epoch from ended_at)::float8 * 1000 as until
    from pontual.attempts
    where status = 'LOST'`)
  const takeoversMs: number[] = []
  for (const { node, since, until } of lost) {
    const diedAt = deaths.ofNode.get(node)
    if (deaths.silent.has(node)) continue
    if (diedAt === undefined) proof.violate(`Node ${node} lost its work without being killed, or told why.`)
    else takeoversMs.push(until - Math.max(since, diedAt))
  }
  const { rows } = await client.query<{ ended: number; unlike: number; uneven: number }>(`
    select
      (select count(*)::int from pontual.results) as ended,
      (select count(*)::int from pontual.results where status <> 'SUCCESS') as unlike,
      (
        select count(*)::int
        from pontual.results
        where attempt <> 1 + (select count(*) from pontual.attempts where attempts.execution_id = results.execution_id)
          or epoch <> attempt
      ) as uneven`)
  const { ended = 0, unlike = 0, uneven = 0 } = rows[0] ?? {}
  proof.require(unlike === 0, () => `${unlike} of ${ended} have not succeeded.`)
  proof.require(uneven === 0, () => `${uneven} have another epoch than attempts.`)
  return { interrupted: lost.length, takeoversMs, ended }
}

const ASKED = 1_000
const OF_EACH_KIND = 10
const TAKEOVER_MS = LEASE_MS + 5_000

describe('a process that dies', () => {
  const proof = new Proof('kills')
  afterAll(() => proof.keep())

  it('I5, I10: loses nothing and does nothing twice at once, and its work can be taken within the lease and five seconds', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const report = await killNodes(database.url, countOf('KILLS', ASKED), proof)
      await database.drop()
      const { kills, interrupted, ended, silent } = report
      const takeovers = report.takeoversMs.toSorted((a, b) => a - b)
      const about = (what: string) => ({ section: 'faults', invariants: ['I5', 'I10'], what }) as const
      proof.count(about('kill -9 of nodes in the midst of their work'), kills, ASKED)
      proof.note(about('attempts under way on a node that was killed'), interrupted)
      proof.require(takeovers.length > 0, () => 'Nothing was under way on any node that was killed.')
      const longest = Math.round(takeovers.at(-1) ?? 0)
      proof.bound(about(`longest takeover, with a lease of ${LEASE_MS} ms`), longest, TAKEOVER_MS, 'ms')
      proof.note(about('median takeover'), Math.round(percentile(takeovers, 50)), 'ms')
      proof.note(about('nodes that lived and were silent past their lease, since the machine was saturated'), silent)
      proof.note({ ...about('executions on nodes that were killed, all succeeded once'), section: 'lost' }, ended)
    }))

  it('I12: by its own work does so exactly as often as that has attempts, and other work goes on', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { executions, deaths, beside } = await poisonNodes(database.url, countOf('POISONS', OF_EACH_KIND), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I12'], what }) as const
      proof.count(
        about('executions that exit, kill, exhaust, block or reject their process, in exactly three attempts each'),
        executions,
        5 * OF_EACH_KIND,
      )
      proof.note(about('processes that died of them'), deaths)
      proof.note({ ...about('executions beside them, all succeeded in one attempt'), section: 'lost' }, beside)
    }))
})
