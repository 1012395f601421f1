import { describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped } from '../../../test/harness/postgres/database.ts'
import type { ExecutionView } from '../../engine/app/executions.ts'
import { isFinal } from '../../job/execution/execution.ts'
import { job } from '../../job/type/job-type.ts'
import type { Pontual } from '../../pontual.ts'
import { postgres } from '../../store/postgres/postgres.ts'
import type { StoreSource } from '../../store/store.ts'
import { type TestPontual, testPontual } from '../../testing/test-pontual.ts'
import { builtInTypes } from './built-in.ts'
import { maintenanceTypes } from './maintenance.ts'

const quick = job('quick', { cache: '10 years', run: () => 'done' })

async function start(
  store?: StoreSource,
): Promise<TestPontual & { run(type: string, input?: unknown, tenant?: string): Promise<ExecutionView> }> {
  const test: TestPontual = await testPontual({ store, jobs: [quick, ...maintenanceTypes((): Pontual => test.app)] })
  return Object.assign(test, {
    run: async (type: string, input?: unknown, tenant?: string) => {
      const { id } = await test.app.enqueue(type, input, { tenant })
      // A server takes time of its own to answer.
      for (;;) {
        await test.settle()
        const execution = await test.app.execution(id)
        if (execution && isFinal(execution.status)) return execution
      }
    },
  })
}

/** Removes what ended long ago, of its own tenant. */
async function showsPurge(t: Awaited<ReturnType<typeof start>>): Promise<void> {
  const purge = () => t.run('maintenance.purge-executions', { retentionDays: 90 }, 'a')
  for (const tenant of ['a', 'b']) await t.run('quick', undefined, tenant)
  await t.advance('89 days')
  expect(await purge()).toMatchObject({ output: { removed: 0 } })
  await t.advance('2 days')
  expect(await purge()).toMatchObject({ output: { removed: 1 } })
  const left = async (tenant: string) => (await t.app.executions({ tenant, jobType: 'quick' })).length
  expect([await left('a'), await left('b')]).toEqual([0, 1])
}

describe('maintenance.purge-executions', () => {
  it('removes what ended long ago, of its own tenant', async () => {
    await using t = await start()
    await showsPurge(t)
  })

  it.skipIf(isPostgresSkipped())('does so on PostgreSQL, where it may see nothing else', async () => {
    const database = await createDatabase()
    try {
      await using t = await start(postgres(database.url))
      await showsPurge(t)
    } finally {
      await database.drop()
    }
  })

  it('keeps five years unless it is told otherwise', async () => {
    await using t = await start()
    await t.run('quick')
    await t.advance('1826 days')
    expect(await t.run('maintenance.purge-executions')).toMatchObject({ output: { removed: 0 } })
    await t.advance('2 days')
    expect(await t.run('maintenance.purge-executions')).toMatchObject({ output: { removed: 1 } })
  })

  it.each([{ retentionDays: 89 }, { retentionDays: 1.5 }, { retention: 100 }])('refuses %j', async (input) => {
    await using t = await start()
    await expect(t.app.enqueue('maintenance.purge-executions', input)).rejects.toThrow('is invalid')
  })
})

it('maintenance.clear-cache forgets the results of a job type, of its own tenant', async () => {
  await using t = await start()
  for (const tenant of ['a', 'b']) await t.run('quick', undefined, tenant)
  expect(await t.run('maintenance.clear-cache', { jobType: 'quick' }, 'a')).toMatchObject({ output: { removed: 1 } })
  const cachedFrom = async (tenant: string) => (await t.run('quick', undefined, tenant)).cachedFrom ?? null
  expect([await cachedFrom('a'), await cachedFrom('b')]).toEqual([null, expect.any(String)])
})

it('maintenance.verify-audit tells that the chain holds', async () => {
  await using t = await start()
  const { store } = await t.app.opened()
  await store.audit.enable()
  const entry = { operation: 'JOBS_JOB_SIGNAL', userId: 'u', jobId: null, executionId: null, oldValues: null } as const
  await store.audit.append([{ ...entry, tenant: 'default', newValues: { n: 1 } }])
  expect(await t.run('maintenance.verify-audit')).toMatchObject({ output: { isIntact: true, entries: 1 } })
})

it('command.run is there only where it is enabled', () => {
  const ids = (types: ReturnType<typeof builtInTypes>) => types.map(({ id }) => id)
  const app = () => expect.unreachable()
  const maintenance = ['maintenance.purge-executions', 'maintenance.clear-cache', 'maintenance.verify-audit']
  const own = ['pontual.archive', 'pontual.purge', 'pontual.rotate-keys']
  expect(ids(builtInTypes(app))).toEqual(['http.request', ...maintenance, ...own])
  expect(ids(builtInTypes(app, { http: false, command: { programs: ['/bin/ls'] } }))).toEqual([
    'command.run',
    ...maintenance,
    ...own,
  ])
})
