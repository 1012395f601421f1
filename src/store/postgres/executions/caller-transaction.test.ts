import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../../../test/harness/postgres/database.ts'
import { type Pontual, pontual } from '../../../pontual.ts'
import type { TransactionClient } from '../../executions.ts'
import { postgres } from '../postgres.ts'

/** The ways in which libraries hand on a client: plain, rows alone, and errors within errors. */
const STYLES: readonly (readonly [string, (client: TransactionClient) => TransactionClient])[] = [
  ['pg', (client) => client],
  ['Knex and Kysely', (client) => ({ query: (text, values) => client.query(text, values) })],
  [
    'TypeORM',
    (client) => ({
      query: async (text, values) => ((await client.query(text, values)) as { rows: unknown[] }).rows,
    }),
  ],
  [
    'Drizzle',
    (client) => ({
      query: (text, values) =>
        client.query(text, values).catch((cause: unknown) => {
          throw new Error(`Failed query: ${text}`, { cause })
        }),
    }),
  ],
  [
    'Sequelize',
    (client) => ({
      query: (text, values) =>
        client.query(text, values).catch((parent: Error) => {
          throw Object.assign(new Error(parent.message), { parent })
        }),
    }),
  ],
  [
    'Prisma',
    (client) => ({
      query: async (text, values) => {
        try {
          return ((await client.query(text, values)) as { rows: unknown[] }).rows
        } catch (error) {
          const { code, message } = error as { code: string; message: string }
          throw Object.assign(new Error('Raw query failed.'), { code: 'P2010', meta: { code, message } })
        }
      },
    }),
  ],
]

describe.skipIf(isPostgresSkipped())('the transaction of a caller', () => {
  let database: TestDatabase
  let app: Pontual
  let pool: pg.Pool

  beforeAll(async () => {
    database = await createDatabase()
    app = pontual({ store: postgres(database.url), logger: 'silent' })
    pool = new pg.Pool({ connectionString: database.url, max: 2 })
    pool.on('error', () => {})
  })
  afterAll(async () => {
    await pool.end()
    await app.stop()
    await database.drop()
  })

  const stored = async () => (await app.executions()).length

  describe.each(STYLES)('of %s', (_library, wrap) => {
    it.each([
      ['a pool', () => Promise.resolve({ client: pool, release: () => {} })],
      [
        'a client without begin',
        async () => {
          const client = await pool.connect()
          return { client, release: () => client.release() }
        },
      ],
    ])('is refused where it is %s, and nothing is stored', async (_what, take) => {
      const { client, release } = await take()
      const before = await stored()
      const transaction = wrap(client)
      for (const enqueue of [
        () => app.enqueue('work', 1, { transaction }),
        () => app.enqueueMany('work', [1, 2], { transaction }),
      ]) {
        await expect(enqueue()).rejects.toMatchObject({ code: 'option.invalid', details: { name: 'transaction' } })
      }
      expect(await stored()).toBe(before)
      release()
    })

    it('is kept with its commit, and gone with its rollback', async () => {
      const client = await pool.connect()
      const before = await stored()
      for (const [end, count] of [
        ['rollback', 0],
        ['commit', 1],
      ] as const) {
        await client.query('begin')
        await app.enqueue('work', 1, { transaction: wrap(client) })
        await client.query(end)
        expect(await stored()).toBe(before + count)
      }
      client.release()
    })
  })

  it('takes no round trip more with a client of pg', async () => {
    const client = await pool.connect()
    await client.query('begin')
    const texts: string[] = []
    const counted = new Proxy(client, {
      get: (target, key): unknown =>
        key === 'query'
          ? (text: string, values: unknown[]) => {
              texts.push(text)
              return target.query(text, values)
            }
          : Reflect.get(target, key, target),
    })
    await app.enqueue('work', 1, { transaction: counted })
    await client.query('rollback')
    client.release()
    expect(texts.filter((text) => text.includes('lock table'))).toEqual([])
  })
})
