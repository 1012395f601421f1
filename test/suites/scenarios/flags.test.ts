import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Flag } from '../../../src/access/flag.ts'
import { job } from '../../../src/job/type/job-type.ts'
import type { Pontual } from '../../../src/pontual.ts'
import { postgres } from '../../../src/postgres.ts'
import { createService } from '../../../src/service/service.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { cron, type MisfireOptions, once } from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { somebody } from '../../http/service/stage.ts'
import { Cluster } from './cluster.ts'
import { clock, occurrencesOf, type Recording, recording, sums } from './observed.ts'
import { RecordedEvents, RecordedLog } from './recorded.ts'

const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)
const START = on('09:59:30')
/** Long enough for several polls, as a server tells of work when it likes; shorter than any wait for a retry. */
const SOON = '10s'
const TENANT = 'default'
const ana = somebody('ana', 'Admin', { tenant: TENANT })

/** Switches a flag through the service of one node. */
async function put(node: Pontual, flag: Flag, isEnabled: boolean | null): Promise<void> {
  const service = createService(node, { duties: false })
  await service.administration.switchFlag(ana, flag, isEnabled, 'en')
}

const everyMinute = (misfire: MisfireOptions = {}): Recording =>
  recording('tick', { trigger: cron('* * * * *'), misfire })

function describeNodes(openStore: () => StoreSource): void {
  const two = async (cluster: Cluster, types: readonly Recording[]) => {
    const setup = { jobs: types.map(({ type }) => type), application: 'work' }
    return (await cluster.startAll([setup, setup])) as [Pontual, Pontual]
  }

  it('of two nodes neither fires or begins anything within a second of one being told, until the other is', async () => {
    const tick = everyMinute({ policy: 'fireAll' })
    const single = recording('single')
    await using cluster = new Cluster(START, { store: openStore() })
    const [first, second] = await two(cluster, [tick, single])
    await cluster.advance('60s')
    expect(occurrencesOf(tick)).toEqual(['10:00'])

    await put(first, 'JOBS_SCHEDULING', false)
    const waiting = await Promise.all([first, second].map((node) => node.enqueue(single.type)))
    await cluster.advance('5m')
    expect(occurrencesOf(tick)).toEqual(['10:00'])
    expect(single.runs).toEqual([])
    expect(await second.job('tick')).toMatchObject({ status: 'ACTIVE', statusReason: null })

    await put(second, 'JOBS_SCHEDULING', true)
    await cluster.advance(SOON)
    expect(single.runs.map(({ executionId }) => executionId).sort()).toEqual(waiting.map(({ id }) => id).sort())
    expect(occurrencesOf(tick)).toEqual(['10:00'])
    await cluster.advance('60s')
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:06'])
    expect(sums(await second.ledger('tick', START, on('11:00')))).toEqual([
      '1 fired 10:00',
      '5 skipped 10:01-10:05 flag',
      '1 fired 10:06',
    ])
  })

  it('without retries a failure is final on both nodes, and with them again it is tried again', async () => {
    const work = job('work', {
      retry: { retries: 3, initial: '1m' },
      run: () => {
        throw new Error('no such file')
      },
    })
    await using cluster = new Cluster(START, { store: openStore() })
    using events = new RecordedEvents()
    const setup = { jobs: [work], application: 'work' }
    const [first, second] = (await cluster.startAll([setup, setup])) as [Pontual, Pontual]
    await put(first, 'JOB_RETRY_POLICY', false)
    await cluster.advance('1s')
    const failed = await Promise.all(Array.from({ length: 6 }, () => second.enqueue(work)))
    await cluster.advance(SOON)
    for (const { id } of failed) expect(await first.execution(id)).toMatchObject({ status: 'FAILED', attempt: 1 })
    expect(events.of('execution.failed')).toHaveLength(6)
    expect(events.of('execution.retried')).toEqual([])

    await put(second, 'JOB_RETRY_POLICY', null)
    await cluster.advance('1s')
    const { id } = await first.enqueue(work)
    await cluster.advance(SOON)
    expect(await second.execution(id)).toMatchObject({ status: 'QUEUED', attempt: 1 })
    expect(events.of('execution.retried')).toHaveLength(1)
  })
}

describe('in memory', () => {
  describeNodes(() => memory())

  it('what only fires once waits in the queue, and runs when it is switched on', async () => {
    const single = recording('single', { trigger: once(on('10:01')) })
    await using cluster = new Cluster(START)
    const [node] = (await cluster.startAll([{ jobs: [single.type] }])) as [Pontual]
    await put(node, 'JOBS_SCHEDULING', false)
    await cluster.advance('5m')
    expect(single.runs).toEqual([])
    await put(node, 'JOBS_SCHEDULING', null)
    await cluster.advance('1s')
    expect(occurrencesOf(single)).toEqual(['10:01'])
  })

  it('what a job is to make up for waits in the queue', async () => {
    const tick = everyMinute({ policy: 'fireAll', causes: { flag: 'fireAll' } })
    await using cluster = new Cluster(START)
    const [node] = (await cluster.startAll([{ jobs: [tick.type] }])) as [Pontual]
    await put(node, 'JOBS_SCHEDULING', false)
    await cluster.advance('3m')
    expect(tick.runs).toEqual([])
    await put(node, 'JOBS_SCHEDULING', true)
    await cluster.advance('1s')
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:01', '10:02'])
  })

  it('what fires too often to be told fills neither the log nor the queue', async () => {
    const { logger, lines } = new RecordedLog()
    const tick = recording('tick', { trigger: cron('* * * * * *') })
    await using cluster = new Cluster(START)
    const [node] = (await cluster.startAll([{ jobs: [tick.type], logger }])) as [Pontual]
    await put(node, 'JOBS_SCHEDULING', false)
    const before = tick.runs.length
    await cluster.advance('2m')
    expect(tick.runs).toHaveLength(before)
    expect(lines.filter(({ message }) => message === 'job.misfired')).toEqual([])
    expect(await node.executions({ statuses: ['QUEUED'], limit: 9 })).toEqual([])
    expect(clock((await node.job('tick'))?.schedule.nextFireAt ?? null)).toBe('10:01:31')
  })

  it('a node that starts without retries knows so from its first failure on', async () => {
    const store = memory()
    const work = job('work', {
      run: () => {
        throw new Error('no such file')
      },
    })
    const before = new Cluster(START, { store })
    const [first] = (await before.startAll([{ jobs: [] }])) as [Pontual]
    await put(first, 'JOB_RETRY_POLICY', false)
    const { id } = await first.enqueue(work)
    await before.stop()
    await using cluster = new Cluster(START, { store, seed: 2 })
    const [node] = (await cluster.startAll([{ jobs: [work] }])) as [Pontual]
    expect(await node.execution(id)).toMatchObject({ status: 'FAILED', attempt: 1 })
  })
})

describe.skipIf(isPostgresSkipped())('on PostgreSQL', { timeout: 60_000 }, () => {
  const databases: TestDatabase[] = []
  beforeAll(async () => {
    databases.push(await createDatabase(), await createDatabase())
  })
  afterAll(async () => {
    for (const database of databases) await database.drop()
  })
  let next = 0
  describeNodes(() => postgres(databases[next++]?.url ?? ''))
})
