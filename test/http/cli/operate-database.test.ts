import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { OperatedService, operate } from './operated-service.ts'

describe.skipIf(isPostgresSkipped())('a database that is asked itself', () => {
  let database: TestDatabase
  let service: OperatedService
  beforeAll(async () => {
    database = await createDatabase()
    service = await new OperatedService(postgres(database.url)).start()
  })
  afterAll(async () => {
    await service?.stop()
    await database?.drop()
  })

  const ask = (...args: string[]) =>
    operate([...args, '--tenant', 'acme'], { environment: { DATABASE_URL: database.url } })

  it('answers as a service would', async () => {
    const { items } = JSON.parse((await ask('jobs', '--json')).output) as { items: { name: string }[] }
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['Break', 'IMPORTS', 'Two words', 'Wait']))
  })

  it('runs a job on whatever node there is, and shows its log', async () => {
    const { output, exitCode } = await ask('run', 'Import', '--input', '{"month":3}', '--wait')
    expect(output).toContain('importing {"input":{"month":3}}')
    expect([exitCode, output.trim().split('\n').at(-1)]).toEqual([0, expect.stringMatching(/^SUCCESS/)])
  })

  it('runs a job type that its nodes announce as enqueueable, and no other', async () => {
    const done = await ask('run', '--type', 'report', '--input', '{"year":2026}', '--wait')
    expect([done.exitCode, done.output]).toEqual([0, expect.stringMatching(/SUCCESS/)])
    for (const type of ['import', 'delete']) {
      expect(await ask('run', '--type', type)).toMatchObject({
        exitCode: 4,
        error: expect.stringContaining(`Job type "${type}" is not declared enqueueable`) as string,
      })
    }
    expect(await ask('run', '--type', 'reprot')).toMatchObject({ exitCode: 2 })
  })

  it('tells who has asked by the name he has on this machine', async () => {
    const { output } = await ask('executions', 'show', 'Import')
    expect(output).toMatch(/by manual \(cli:.+\)/)
  })

  it('has no person to say yes', async () => {
    expect(await ask('approve', 'Break')).toMatchObject({
      exitCode: 4,
      error: expect.stringContaining('it takes a person whom the service knows') as string,
    })
  })

  it('is of a tenant', async () => {
    const asked = operate(['jobs', '--json', '--database-url', database.url])
    expect(JSON.parse((await asked).output)).toEqual({ items: [], nextCursor: null })
  })

  it('is left as its nodes have set it up', async () => {
    const untouched = await createDatabase()
    try {
      expect(await operate(['jobs', '--database-url', untouched.url])).toMatchObject({ exitCode: 0 })
      const store = await openStore(untouched.url)
      expect(await store.audit.isEnabled()).toBe(false)
      await store.close()
    } finally {
      await untouched.drop()
    }
  })

  it('is named where it does not answer', async () => {
    const asked = await operate(['jobs', '--database-url', 'postgres://nobody@127.0.0.1:9/none'])
    expect(asked.exitCode).toBe(3)
  })
})

async function openStore(url: string) {
  return await postgres(url, { migrate: false }).open({ env: systemEnv, logger: silentLogger })
}
