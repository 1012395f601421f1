import pg from 'pg'
import { type AnyJobType, job } from '../../../src/index.ts'
import type { Pontual } from '../../../src/pontual.ts'
import { postgres } from '../../../src/postgres.ts'
import { builtInTypes } from '../../../src/service/job-types/built-in.ts'
import { openStage, type Stage, somebody } from '../../http/service/stage.ts'
import type { Figure } from '../record/record.ts'
import { judge, type Part, type Verdict } from './part.ts'

const MONTHS_KEPT = 12 * 5
/** What is 90 days old, and what begins with a month, takes up to so much longer. */
const MONTHS_ON_THE_WAY = 5
const AT_FULL_LENGTH_MONTHS = 84
const AT_FULL_LENGTH_MINUTES = 30
const EXECUTIONS = 40
const MOST_SECONDS = 120
const START = Date.UTC(2030, 0, 15)

const quick = job('soak.quick', {
  run: ({ n }: { readonly n: number }, { logger }) => {
    logger.info('A line that is kept as long as its execution', { n })
    return { n }
  },
})
const broken = job('soak.broken', {
  retry: { retries: 0 },
  run: () => {
    throw new Error('It fails for good, and somebody is to be told.')
  },
})
const order = job('soak.kept', {
  durable: true,
  run: async ({ n }: { readonly n: number }, ctx) => await ctx.run('double', () => 2 * n),
})

interface Count {
  readonly month: number
  readonly partitions: number
  /** In tables that are not partitions, by name. */
  readonly rows: ReadonlyMap<string, number>
  readonly bytes: number
}

/**
 * A month of work after the other, on a database whose time is moved on by hand: what is old goes to the archive, and after five years it is gone. From then on
 * neither tables nor partitions are more than they were.
 */
export const years: Part = {
  name: 'years',
  async run({ url, minutes, control, say }) {
    const months = Math.max(8, Math.round(AT_FULL_LENGTH_MONTHS * Math.min(1, minutes / AT_FULL_LENGTH_MINUTES)))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const counts: Count[] = []
    try {
      for (let month = 0; month < months; month += 1) {
        await liveThrough(url, month, control !== 'table')
        counts.push(await count(client, month))
        if (month % 12 === 11) say(`years: ${(month + 1) / 12}, ${counts.at(-1)?.partitions} partitions`)
      }
    } finally {
      await client.end()
    }
    return verdictOf(counts)
  },
}

/** What happens in the middle of a month: work, of which some fails, some is missed and some is asked for twice, and what the nights do. */
async function liveThrough(url: string, month: number, isCleaned: boolean): Promise<void> {
  const startAt = new Date(START)
  startAt.setUTCMonth(startAt.getUTCMonth() + month)
  const types: readonly AnyJobType[] = [quick, broken, order] as readonly AnyJobType[]
  const retention = builtInTypes((): Pontual => stage.test.app)
  const stage = await openStage({ store: postgres(url), jobs: [...types, ...retention], startAt })
  try {
    await workThrough(stage, month)
    if (isCleaned) await cleanByNight(stage)
    await (await stage.test.app.opened()).store.maintain()
  } finally {
    await stage.test.stop()
  }
}

async function workThrough({ test, service }: Stage, month: number): Promise<void> {
  const { app } = test
  const tenant = 'acme'
  const ana = somebody('ana')
  const name = `job of month ${month}`
  const payload = { n: month }
  const { id } = await service.jobs.create(ana, { name, jobType: quick.id, cronExpression: '0 2 * * *', payload })
  await service.jobs.execute(ana, id, {})
  const inputs = Array.from({ length: EXECUTIONS }, (_, n) => ({ n }))
  await app.enqueueMany(quick, inputs, { tenant })
  for (const n of [1, 2, 3]) {
    await app.enqueue(order, { n }, { tenant })
    await app.enqueue(broken, undefined, { tenant })
    await app.enqueue(quick, { n }, { tenant, idempotencyKey: `month ${month}, ${n}` })
  }
  await untilNoneWaits(test)
  await service.jobs.remove(ana, id)
}

/** Moves time on by seconds, in which nodes look for work. */
async function untilNoneWaits(test: Stage['test']): Promise<void> {
  for (let seconds = 0; seconds < MOST_SECONDS; seconds += 1) {
    await test.advance('1s')
    const { QUEUED, RUNNING, WAITING } = await test.app.counts()
    if (QUEUED + RUNNING + WAITING === 0) return
  }
  throw new Error(`There is work left after ${MOST_SECONDS} seconds.`)
}

/** What Pontual's own jobs do every night. */
async function cleanByNight({ test }: Stage): Promise<void> {
  for (const type of ['pontual.archive', 'pontual.purge']) {
    const { id } = await test.app.enqueue(type, undefined)
    await untilNoneWaits(test)
    const night = await test.app.execution(id)
    if (night?.status !== 'SUCCESS') throw new Error(`${type} ended as ${night?.status}: ${night?.error?.message}`)
  }
}

async function count(client: pg.Client, month: number): Promise<Count> {
  const { rows: tables } = await client.query<{ name: string; isPartition: boolean; bytes: number }>(`
    select relname as name, relispartition as "isPartition", pg_total_relation_size(oid)::float8 as bytes
    from pg_class
    where relnamespace = 'pontual'::regnamespace
      and relkind = 'r'`)
  const rows = new Map<string, number>()
  for (const { name, isPartition } of tables) {
    if (isPartition) continue
    const answer = await client.query<{ count: number }>(`select count(*)::int as count from pontual."${name}"`)
    rows.set(name, answer.rows[0]?.count ?? 0)
  }
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0)
  return { month, partitions: tables.filter(({ isPartition }) => isPartition).length, rows, bytes }
}

function verdictOf(counts: readonly Count[]): Verdict {
  const last = counts.at(-1)
  const settled = counts.find(({ month }) => month === MONTHS_KEPT + MONTHS_ON_THE_WAY)
  const of = { section: 'load', invariants: ['I29'] } as const
  const figures: Figure[] = [
    { ...of, what: 'months of work, archived and dropped', value: counts.length, atLeast: AT_FULL_LENGTH_MONTHS },
    {
      ...of,
      what: 'partitions at the end',
      value: last?.partitions ?? 0,
      ...(settled && { atMost: settled.partitions }),
    },
    { ...of, what: 'size of all tables at the end', value: mib(last), unit: 'MiB' },
  ]
  const verdict = judge(figures)
  if (!settled || !last) return verdict
  const grown = [...last.rows].filter(([name, after]) => after > (settled.rows.get(name) ?? 0) + NOISE_ROWS)
  const months = last.month - settled.month
  const sentence = ([name, after]: readonly [string, number]) =>
    `${name} has ${after} rows after ${last.month + 1} months, where it had ${settled.rows.get(name) ?? 0} ${months} months before`
  return {
    ...verdict,
    faults: [...verdict.faults, ...grown.filter(([name]) => !KEPT.has(name)).map((each) => `${sentence(each)}.`)],
    gaps: [
      ...verdict.gaps,
      ...grown.flatMap((each) => (KEPT.has(each[0]) ? [`${sentence(each)}: ${KEPT.get(each[0])}.`] : [])),
    ],
  }
}

/** What happens to stand in a table at the end of a month. */
const NOISE_ROWS = 2

/** What nothing removes, and why. It grows with what people make and delete, not with what runs. */
const KEPT: ReadonlyMap<string, string> = new Map([
  ['jobs', 'a job that was deleted over the API is kept for ever'],
  ['execution_counters', 'one for each job, also for one that was deleted'],
  [
    'audit_anchors',
    'one for each tenant and each part of its audit log that was dropped, so that what is left can be verified',
  ],
])

function mib(count: Count | undefined): number {
  return Number(((count?.bytes ?? 0) / 2 ** 20).toFixed(1))
}
