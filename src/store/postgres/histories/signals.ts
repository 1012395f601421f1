import type { Queryable, Statement } from '../../driver/driver.ts'
import type { NewSignal, SignalAnswer } from '../../histories.ts'
import { tellFreed } from '../executions/follow-up.ts'
import { type Parts, storable } from '../parts.ts'
import { writeAudit } from '../service/write-audit.ts'

const wakeRuns: Statement = {
  name: 'wakeRuns',
  text: `
select freed, is_marked as "isMarked"
from pontual.wake(array(
  select id
  from pontual.executions
  where id = any($1::uuid[])
    and pontual.is_durable(options)
))`,
}

const sendSignals: Statement = {
  name: 'sendSignals',
  text: `
select turn, answer, place
from pontual.send_signals($2::uuid[], $3::text[], $4::text[], $5::text[], pontual.clock($1::float8))
order by turn`,
}

/** Where somebody stood that was told of something: `woken` is ready now. */
export type Place = 'leases' | 'woken' | 'delayed' | 'ready' | 'results'

interface SignalRow {
  readonly answer: SignalAnswer
  readonly place: Place | null
}

export async function wake(parts: Parts, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const [row] = await parts.driver.query<{ freed: string[]; isMarked: boolean }>(wakeRuns, [ids])
  tellFreed(parts, row?.freed ?? [])
  if (row?.isMarked) parts.hints.send('news')
}

export async function signal(parts: Parts, signals: readonly NewSignal[]): Promise<SignalAnswer[]> {
  if (signals.length === 0) return []
  const isAudited = signals.some(({ audit }) => audit)
  const { driver } = parts
  const rows = isAudited
    ? await driver.transaction((database) => sendAudited(parts, database, signals))
    : await send(parts, driver, signals)
  const told = rows.map(({ place }, index) => ({ id: signals[index]?.executionId ?? '', place }))
  tellPlaces(parts, told)
  return rows.map(({ answer }) => answer)
}

async function send({ testTime }: Parts, database: Queryable, signals: readonly NewSignal[]): Promise<SignalRow[]> {
  return await database.query<SignalRow>(sendSignals, [
    testTime(),
    signals.map(({ executionId }) => executionId),
    signals.map(({ name }) => storable(name)),
    signals.map(({ payload }) => payload),
    signals.map(({ idempotencyKey }) => storable(idempotencyKey)),
  ])
}

async function sendAudited(parts: Parts, database: Queryable, signals: readonly NewSignal[]): Promise<SignalRow[]> {
  const rows = await send(parts, database, signals)
  const sent = signals.filter((_, index) => rows[index]?.answer === 'sent')
  const entries = sent.flatMap(({ audit }) => (audit ? [audit] : []))
  await writeAudit(database, entries, parts.testTime())
  return rows
}

/** Others have to see what is ready, and those who hold something have to ask what has come for it. */
export function tellPlaces(
  parts: Pick<Parts, 'cursor' | 'hints'>,
  told: readonly { readonly id: string; readonly place: Place | null }[],
): void {
  // One that is ready already could not be claimed for a moment, and others may have gone past it.
  tellFreed(
    parts,
    told.filter(({ place }) => place === 'woken' || place === 'ready').map(({ id }) => id),
  )
  if (told.some(({ place }) => place === 'leases')) parts.hints.send('news')
}
