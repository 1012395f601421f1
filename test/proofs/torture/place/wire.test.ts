import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../../harness/postgres/database.ts'
import type { Wire } from '../stage.ts'
import { openWire } from './wire.ts'

describe.skipIf(isPostgresSkipped())('a wire', () => {
  let database: TestDatabase
  let direct: pg.Client
  let wire: Wire & AsyncDisposable
  const clients: pg.Client[] = []

  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    clients.push(client)
    await client.connect()
    return client
  }
  const values = async () => {
    const { rows } = await direct.query<{ value: string }>('select value from noted order by value')
    return rows.map(({ value }) => value)
  }

  beforeAll(async () => {
    database = await createDatabase()
    direct = await connect(database.url)
    await direct.query('create table noted (value text)')
  })
  beforeEach(async () => {
    await direct.query('truncate noted')
    wire = await openWire(database.url)
  })
  afterEach(async () => {
    await wire[Symbol.asyncDispose]()
  })
  afterAll(async () => {
    for (const client of clients) client.connection.stream.destroy()
    await database.drop()
  })

  it('that is stalled lets nothing pass, and afterwards what was on its way', async () => {
    const client = await connect(wire.url)
    wire.set('stalled')
    const answer = client.query("insert into noted values ('late')")
    expect(await Promise.race([answer, sleep(200, 'silence')])).toBe('silence')
    expect(await values()).toEqual([])
    wire.set('open')
    await answer
    expect(await values()).toEqual(['late'])
  })

  it('that is stalled delivers what was asked by somebody who has given up', async () => {
    const client = await connect(wire.url)
    wire.set('stalled')
    client.query("insert into noted values ('given up')").catch(() => {})
    await sleep(50)
    client.connection.stream.destroy()
    wire.set('open')
    await expect.poll(values).toEqual(['given up'])
  })

  it('that is gone cuts connections and lets no new one through', async () => {
    const client = await connect(wire.url)
    wire.set('gone')
    await expect(client.query('select 1')).rejects.toThrow()
    await expect(connect(wire.url)).rejects.toThrow()
    wire.set('open')
    expect((await (await connect(wire.url)).query('select 1')).rowCount).toBe(1)
  })

  it('delays in both directions, and keeps the order when it becomes faster', async () => {
    const client = await connect(wire.url)
    wire.set({ delayMs: 150 })
    const begunAt = performance.now()
    await client.query('select 1')
    expect(performance.now() - begunAt).toBeGreaterThanOrEqual(298)
    const answers = ['a', 'b'].map((text) => client.query<{ text: string }>('select $1::text as text', [text]))
    wire.set('open')
    expect((await Promise.all(answers)).map(({ rows }) => rows[0]?.text)).toEqual(['a', 'b'])
  })

  it('counts the connections that it cuts', async () => {
    await connect(wire.url)
    await connect(wire.url)
    expect(wire.cut()).toBe(2)
    expect(wire.cut()).toBe(0)
  })

  it.each<[string, (client: pg.Client) => Promise<unknown>]>([
    ['a statement', (client) => client.query("insert into noted values ('kept')")],
    [
      'a prepared one',
      (client) => client.query({ name: 'note', text: 'insert into noted values ($1)', values: ['kept'] }),
    ],
    [
      'one whose writing is inside',
      (client) => client.query("with kept as (insert into noted values ('kept') returning *) select * from kept"),
    ],
    [
      'a transaction',
      async (client) => {
        await client.query('begin')
        await client.query("insert into noted values ('kept')")
        await client.query('commit')
      },
    ],
  ])('loses the answer to %s that was committed', async (_what, write) => {
    const client = await connect(wire.url)
    const over = new AbortController()
    const lost = wire.cutAfterCommits(over.signal)
    await client.query('select 1')
    await expect(write(client)).rejects.toThrow()
    expect(await values()).toEqual(['kept'])
    over.abort()
    expect(await lost).toBe(1)
  })

  it('loses no answer that tells of a failure', async () => {
    const client = await connect(wire.url)
    const over = new AbortController()
    const lost = wire.cutAfterCommits(over.signal)
    await expect(client.query('insert into nowhere values (1)')).rejects.toMatchObject({ code: '42P01' })
    over.abort()
    expect(await lost).toBe(0)
    expect((await client.query('select 1')).rowCount).toBe(1)
  })

  it('silences who listens, and nobody else', async () => {
    const [listener, other] = [await connect(wire.url), await connect(wire.url)]
    const heard: string[] = []
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await listener.query('listen news')
    await direct.query("notify news, 'first'")
    await expect.poll(() => heard).toEqual(['first'])
    expect(wire.stallListeners()).toBe(1)
    expect(wire.stallListeners()).toBe(0)
    await direct.query("notify news, 'second'")
    expect((await other.query('select 1')).rowCount).toBe(1)
    const answer = listener.query('select 1').catch(() => {})
    expect(await Promise.race([answer, sleep(200, 'silence')])).toBe('silence')
    expect(heard).toEqual(['first'])
  })
})
