import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FinalStatus } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import { Bench, failure, MINUTE, type OpenSource, START_AT, success } from './bench.ts'
import { ManualEnv } from './manual-env.ts'

const EVERY = 15_000

/** Alerts of jobs that have failed, where the audit log is on. */
export function describeJobAlerts(name: string, openSource: OpenSource): void {
  describe(`${name}, alerts of jobs`, () => {
    // Ids of its own: what people are told of outlives what they are told.
    const bench = new Bench(openSource, new ManualEnv(START_AT, 2))
    let tenant: string
    beforeAll(async () => {
      await bench.open()
      await bench.store.audit.enable()
    })
    beforeEach(async () => {
      await bench.begin()
      tenant = `tenant ${bench.uuid()}`
    })
    afterAll(() => bench.close())

    async function job(): Promise<Job> {
      const made = bench.job({ tenant })
      await bench.put(made)
      return made
    }

    /** Executions that end together. */
    async function ends(...all: readonly (readonly [Job, FinalStatus])[]): Promise<string[]> {
      for (const [{ id }] of all) await bench.enqueue({ tenant, jobId: id })
      const node = await bench.node()
      const held = await bench.claim(node, { limit: all.length })
      const inOrder = held.toSorted((a, b) => (a.executionId < b.executionId ? -1 : 1))
      bench.advance(MINUTE)
      await bench.store.leases.finish(
        inOrder.map((each, at) => {
          const status = all[at]?.[1] ?? 'SUCCESS'
          return success(each, { status, error: status === 'SUCCESS' ? null : failure })
        }),
      )
      await bench.store.nodes.remove(node)
      return inOrder.map(({ executionId }) => executionId)
    }

    const list = (isOpen?: boolean) => bench.store.alerts.list({ tenant, limit: 100, isOpen })
    const look = async () => {
      bench.advance(EVERY)
      return await bench.store.alerts.watch(EVERY, 10)
    }

    it.each(['FAILED', 'TIMEOUT'] as const)('a job that ends as %s opens one', async (status) => {
      const failed = await job()
      const [executionId] = await ends([failed, status])
      expect(await list()).toEqual([
        {
          id: executionId,
          tenant,
          scope: 'tenant',
          kind: 'jobFailed',
          jobId: failed.id,
          executionId,
          value: null,
          threshold: null,
          since: bench.now,
          openedAt: bench.now,
          closedAt: null,
          outcome: null,
        },
      ])
      const untold = await bench.store.alerts.untold(10_000)
      expect(untold.filter(({ alert }) => alert.tenant === tenant)).toMatchObject([
        { news: 'opened', jobName: failed.name },
      ])
    })

    it('a job has one open at a time, of its first failure', async () => {
      const failed = await job()
      const [first] = await ends([failed, 'FAILED'], [failed, 'FAILED'])
      await ends([failed, 'TIMEOUT'])
      expect((await list()).map(({ executionId }) => executionId)).toEqual([first])
    })

    it('each job has its own', async () => {
      await ends([await job(), 'FAILED'], [await job(), 'FAILED'], [await job(), 'SUCCESS'])
      expect(await list(true)).toHaveLength(2)
    })

    it('the next success closes it, at that instant', async () => {
      const failed = await job()
      await ends([failed, 'FAILED'])
      const openedAt = bench.now
      await ends([await job(), 'SUCCESS'])
      expect(await list(true)).toHaveLength(1)
      await ends([failed, 'SUCCESS'])
      expect(await list()).toMatchObject([{ openedAt, closedAt: openedAt + 2 * MINUTE, outcome: 'recovered' }])
      await ends([failed, 'SUCCESS'])
      expect(await list()).toMatchObject([{ closedAt: openedAt + 2 * MINUTE }])
      await ends([failed, 'FAILED'])
      expect(await list()).toMatchObject([{ closedAt: null }, { outcome: 'recovered' }])
    })

    const together: [string, FinalStatus[], object[]][] = [
      ['a failure and then a success is over at once', ['FAILED', 'SUCCESS'], [{ outcome: 'recovered' }]],
      ['a success and then a failure is open', ['SUCCESS', 'FAILED'], [{ outcome: null }]],
      ['something cancelled changes nothing', ['FAILED', 'CANCELLED'], [{ outcome: null }]],
    ]
    it.each(together)('of what ends together, %s', async (_fact, statuses, expected) => {
      const one = await job()
      await ends(...statuses.map((status) => [one, status] as const))
      expect(await list()).toMatchObject(expected)
    })

    it('what is cancelled opens none and closes none', async () => {
      const cancelled = await job()
      await ends([cancelled, 'CANCELLED'])
      expect(await list()).toEqual([])
      await ends([cancelled, 'FAILED'])
      const waiting = await bench.enqueue({ tenant, jobId: cancelled.id })
      await bench.store.executions.cancel([{ id: waiting, reason: null }])
      expect(await list(true)).toHaveLength(1)
    })

    it('an execution without a job opens none', async () => {
      const held = await bench.running({ tenant })
      await bench.store.leases.finish([success(held, { status: 'FAILED', error: failure })])
      expect(await list()).toEqual([])
    })

    it('a job that is deleted closes its own', async () => {
      const failed = await job()
      await ends([failed, 'FAILED'], [await job(), 'FAILED'])
      const deleted = { ...(await bench.findJob(failed.id)), status: 'DELETED', version: 2 } as const
      await bench.store.jobs.put([{ job: deleted, expectedVersion: 1, ledger: [] }])
      await look()
      expect(await list()).toMatchObject([
        { outcome: null },
        { jobId: failed.id, outcome: 'removed', closedAt: bench.now },
      ])
    })

    it('a tenant that wants none has none', async () => {
      const rule = { tenant, scope: 'tenant', kind: 'jobFailed', threshold: null, clearAt: null } as const
      const failed = await job()
      await ends([failed, 'FAILED'])
      await bench.store.alerts.putRule({ ...rule, isEnabled: false, holdSeconds: 0, clearSeconds: 0 })
      await look()
      expect(await list()).toMatchObject([{ outcome: 'disabled' }])
      await ends([failed, 'FAILED'])
      expect(await list(true)).toEqual([])
      await bench.store.alerts.putRule({ ...rule, isEnabled: true, holdSeconds: 0, clearSeconds: 0 })
      await ends([failed, 'FAILED'])
      expect(await list(true)).toHaveLength(1)
    })

    it('how long jobs took to recover is told, of those that did', async () => {
      const [quick, slow, gone] = [await job(), await job(), await job()]
      const { alerts } = bench.store
      const since = bench.now
      expect(await alerts.recoveries(tenant, since)).toEqual({ count: 0, meanMs: null })
      await ends([quick, 'FAILED'], [slow, 'FAILED'], [gone, 'FAILED'])
      await ends([quick, 'SUCCESS'])
      await bench.store.jobs.remove([gone.id])
      await look()
      bench.advance(MINUTE - EVERY)
      await ends([slow, 'SUCCESS'])
      expect(await alerts.recoveries(tenant, since)).toEqual({ count: 2, meanMs: 2 * MINUTE })
      expect(await alerts.recoveries(tenant, bench.now)).toEqual({ count: 1, meanMs: 3 * MINUTE })
      expect(await alerts.recoveries('nobody', since)).toEqual({ count: 0, meanMs: null })
    })
  })
}
