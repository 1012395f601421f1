import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemEnv } from '../../clock.ts'
import type { ExecutionBody } from '../../job/execution/execution.ts'
import { silentLogger } from '../../logger.ts'
import { weeklyCalendar } from '../../time/calendars/days.ts'
import { pglite } from './pglite.ts'

const folder = mkdtempSync(join(tmpdir(), 'pontual-pglite-'))
const source = pglite()
afterAll(async () => {
  await source.dispose()
  rmSync(folder, { recursive: true })
})

const surroundings = { env: systemEnv, logger: silentLogger }
const calendar = { tenant: 'default', name: 'weekend', definition: weeklyCalendar().toJSON() }

describe('pglite()', () => {
  it('in memory keeps what was stored for as long as its source', async () => {
    const store = await source.open(surroundings)
    await store.calendars.put([calendar])
    await store.close()
    const again = await source.open(surroundings)
    expect(await again.calendars.list('default')).toHaveLength(1)
    await again.close()
  })

  it('in a directory is one database for all of the process, with a lock until the last closes it', async () => {
    const directory = join(folder, 'data')
    const [first, second] = await Promise.all(
      [pglite(directory), pglite(directory)].map((each) => each.open(surroundings)),
    )
    await first?.calendars.put([calendar])
    await first?.close()
    expect(existsSync(`${directory}.lock`)).toBe(true)
    expect(await second?.calendars.list('default')).toHaveLength(1)
    await second?.close()
    expect(existsSync(`${directory}.lock`)).toBe(false)
    const again = await pglite(directory).open(surroundings)
    expect(await again.calendars.list('default')).toHaveLength(1)
    await again.close()
  })

  it('holds independent schemas in one database', async () => {
    const directory = join(folder, 'schemas')
    const [one, other] = [
      await pglite(directory).open(surroundings),
      await pglite(directory, { schema: 'jobs' }).open(surroundings),
    ]
    await one.calendars.put([calendar])
    expect(await one.forTenant('default').calendars.list('default')).toHaveLength(1)
    expect(await other.calendars.list('default')).toEqual([])
    expect(await other.forTenant('default').calendars.list('default')).toEqual([])
    await one.close()
    await other.close()
  })

  it('gives hints to all who share it', async () => {
    const [first, second] = [await source.open(surroundings), await source.open(surroundings)]
    const heard = new Promise((resolve) => second.listen(resolve))
    const createdAt = systemEnv.now()
    const body: ExecutionBody = {
      id: systemEnv.uuid(createdAt),
      tenant: 'default',
      jobId: null,
      jobType: 'mail',
      queue: 'default',
      priority: 'MEDIUM',
      origin: 'enqueue',
      payload: null,
      scheduledAt: null,
      maxAttempts: 1,
      idempotencyKey: null,
      options: null,
      createdAt,
    }
    await first.executions.enqueue([{ body, runAt: null }])
    expect(await heard).toBe('ready')
    await first.close()
    await second.close()
  })
})
