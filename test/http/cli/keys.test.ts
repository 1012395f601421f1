import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KeysOptions, retireKey, rotateKeys, sealPlaintext, showKeys } from '../../../src/cli/commands/keys.ts'
import type { Terminal } from '../../../src/cli/terminal.ts'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { encrypted } from '../../../src/store/encryption/encrypted.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { testTerminal } from './test-terminal.ts'

const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'))

describe.skipIf(isPostgresSkipped())('pontual keys', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
    const store = await encrypted(postgres(database.url), { keys: `old:${OLD}` }).open({
      env: systemEnv,
      logger: silentLogger,
    })
    await store.cache.find([{ tenant: 'acme', jobType: 'import', hash: 'a' }])
    await store.close()
  })
  afterAll(() => database?.drop())

  async function run(
    command: (options: KeysOptions, terminal: Terminal) => Promise<void>,
    keys: string,
  ): Promise<string> {
    const terminal = testTerminal()
    await command({ databaseUrl: database.url, keys, json: false }, terminal)
    return terminal.lines.join('')
  }
  const retire: typeof showKeys = (options, terminal) => retireKey('old', options, terminal)

  it('shows, rotates and retires, in this order', async () => {
    const both = `new:${NEW},old:${OLD}`
    expect(await run(showKeys, both)).toBe(
      'key  state    data keys\nnew  current          0\nold  known            1\n',
    )
    await expect(run(retire, both)).rejects.toThrow('Key "old" is in use: it has wrapped 1 data keys.')
    await expect(run(showKeys, `new:${NEW}`)).rejects.toThrow('what is stored needs old')
    expect(await run(rotateKeys, both)).toContain('new  current          1')
    expect(await run(retire, both)).toBe('Nothing needs key old: it may be taken off the ring.\n')
    expect(await run(showKeys, `new:${NEW}`)).toBe('key  state    data keys\nnew  current          1\n')
  })

  it('seals what was never sealed', async () => {
    expect(await run(sealPlaintext, `new:${NEW}`)).toBe('All is sealed; 0 jobs and executions were not.\n')
  })

  it('asks for keys', async () => {
    await expect(run(showKeys, '')).rejects.toThrow('The key ring cannot be used: it has no key.')
  })
})
