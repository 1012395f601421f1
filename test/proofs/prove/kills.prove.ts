import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { percentile } from '../torture/dead-rows.ts'
import { countOf } from './count-of.ts'
import { killNodes, LEASE_MS } from './kills.ts'
import { poisonNodes } from './poison.ts'
import { Proof } from './proof.ts'

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
