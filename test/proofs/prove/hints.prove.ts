import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { findPgBouncer, startPgBouncer } from '../../harness/postgres/pgbouncer.ts'
import { percentile } from '../torture/dead-rows.ts'
import { countOf } from './count-of.ts'
import { type Deafness, DeafProxy } from './deaf-proxy.ts'
import { Proof } from './proof.ts'
import { measureStarts, POLL_MS } from './starts-without-hints.ts'

const STARTS = 100
const LATEST_MS = POLL_MS + 1_000

describe('without hints', () => {
  const proof = new Proof('hints')
  afterAll(() => proof.keep())

  const judge = (where: string, waits: readonly number[]) => {
    const about = (what: string) => ({ section: 'faults', invariants: ['I28'], what }) as const
    proof.count(about(`executions started ${where}`), waits.length, STARTS)
    const longest = Math.round(percentile(waits, 100))
    proof.bound(about(`longest wait for a start ${where}, polling every ${POLL_MS} ms`), longest, LATEST_MS, 'ms')
  }

  it.each<[Deafness, string]>([
    ['mute', 'where the listener’s connection is half open'],
    ['cut', 'where the listener’s connection is cut every time'],
  ])('I28: %s: work starts within the poll interval and a second', (deafness, where) =>
    proof.part(async () => {
      const database = await createDatabase()
      await using proxy = await DeafProxy.before(database.url, deafness)
      judge(where, await measureStarts(proxy.url, database.url, countOf('STARTS', STARTS)))
      proof.require(proxy.silenced > 0, () => 'Nobody wanted to listen.')
      await database.drop()
    }),
  )

  it('I28: behind PgBouncer: work starts within the poll interval and a second', () =>
    proof.part(async () => {
      const program = findPgBouncer()
      if (program === null) return proof.gap('I28: there is no PgBouncer on this machine.')
      const database = await createDatabase()
      const bouncer = await startPgBouncer(program, database.url)
      judge(
        'behind PgBouncer in transaction mode',
        await measureStarts(bouncer.url, database.url, countOf('STARTS', STARTS)),
      )
      await bouncer.stop()
      await database.drop()
    }))
})
