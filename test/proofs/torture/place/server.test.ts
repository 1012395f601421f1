import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPostgresSkipped } from '../../../harness/postgres/database.ts'
import type { TorturedServer } from '../stage.ts'
import { startTorturedServer } from './server.ts'

const LOADER = new URL('../../../harness/typescript-loader.mjs', import.meta.url).href
const SERVER = fileURLToPath(new URL('./server.ts', import.meta.url))

describe.skipIf(isPostgresSkipped())('a server that is tortured', () => {
  let server: TorturedServer & AsyncDisposable
  beforeAll(async () => {
    server = await startTorturedServer({ sizeMb: 300 })
    await query('create table noted (value text)')
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    expect(existsSync(server.folder)).toBe(false)
  })

  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: server.url })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  it('writes what it commits to the disk', async () => {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes']
    const rows = await Promise.all(names.map((name) => query(`select current_setting('${name}') as setting`)))
    expect(rows.flat()).toEqual(names.map(() => ({ setting: 'on' })))
  })

  it.each(['kill', 'immediate'] as const)(
    'has what it committed after a crash (%s), and is away meanwhile',
    async (how) => {
      await query(`insert into noted values ('before ${how}')`)
      await server.crash(how, async () => {
        await expect(query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
      })
      expect(await query(`select from noted where value = 'before ${how}'`)).toHaveLength(1)
    },
  )

  it('stands still for as long as it is told', async () => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    let hasAnswered = false
    let answer: Promise<void> = Promise.resolve()
    await server.freeze(async () => {
      answer = client.query('select 1').then(() => {
        hasAnswered = true
      })
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(hasAnswered).toBe(false)
    })
    await answer
    await client.end()
  })

  it('tells how often it has refused something', async () => {
    const before = await server.refusals('42P01')
    await expect(query('select * from nowhere')).rejects.toThrow()
    await expect.poll(() => server.refusals('42P01')).toBe(before + 1)
  })

  it('leaves nothing behind where its process is killed', { timeout: 60_000 }, async () => {
    const text = `import { startTorturedServer } from ${JSON.stringify(SERVER)}
      const server = await startTorturedServer({ sizeMb: 300 })
      process.stdout.write(JSON.stringify({ folder: server.folder, url: server.url }))
      setInterval(() => {}, 1_000)`
    const owner = spawn(process.execPath, ['--import', LOADER, '--input-type=module', '--eval', text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [told] = (await once(owner.stdout, 'data')) as [Buffer]
    const { folder, url } = JSON.parse(told.toString()) as { folder: string; url: string }
    expect(existsSync(folder)).toBe(true)
    owner.kill('SIGKILL')
    await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false)
    await expect(new pg.Client({ connectionString: url }).connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
