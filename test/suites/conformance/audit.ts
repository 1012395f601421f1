import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditDraft, AuditEntry, AuditOperation } from '../../../src/access/audit.ts'
import { permissionsOf } from '../../../src/access/profile.ts'
import type { Execution } from '../../../src/job/execution/execution.ts'
import type { Job } from '../../../src/job/job.ts'
import { hashAuditEntry, NO_HASH } from '../../../src/store/audit.ts'
import type { NewExecution } from '../../../src/store/executions.ts'
import type { Ending } from '../../../src/store/leases.ts'
import { Bench, failure, LEASE_MS, type OpenSource, success } from './bench.ts'
import { heldOf, MISMATCH } from './durable-entries.ts'

type Told = Pick<AuditEntry, 'operation' | 'userId'> & { readonly oldValues: unknown; readonly newValues: unknown }

/** What every store does that has its audit log on. */
export function describeAudit(name: string, openSource: OpenSource): void {
  describe(`${name}, audited`, () => {
    const bench = new Bench(openSource)
    let tenant: string
    beforeAll(() => bench.open())
    beforeEach(async () => {
      await bench.begin()
      tenant = `tenant ${bench.uuid()}`
    })
    afterAll(() => bench.close())

    const entries = (of = tenant) => bench.store.audit.list({ tenant: of, limit: 10_000, isAscending: true })

    const told = async (of = tenant): Promise<Told[]> => (await entries(of)).map(toldOf)

    const draft = (operation: AuditOperation, change: Partial<AuditDraft> = {}): AuditDraft => ({
      operation,
      userId: 'ann',
      jobId: null,
      executionId: null,
      oldValues: null,
      newValues: null,
      ...change,
    })

    const append = (...drafts: readonly AuditDraft[]) =>
      bench.store.audit.append(drafts.map((each) => ({ ...each, tenant })))

    /** A job of the tenant. */
    async function job(change: Parameters<Bench['job']>[0] = {}): Promise<Job> {
      const made = bench.job({ tenant, ...change })
      await bench.put(made)
      return made
    }

    type Change = Partial<NewExecution['body']> & Partial<Omit<NewExecution, 'body'>>

    const enqueue = ({ id }: Job, change: Change = {}) => bench.enqueue({ tenant, jobId: id, ...change })

    /** An execution of the job that somebody holds. */
    async function running(of: Job, change: Change = {}) {
      return await bench.running({ tenant, jobId: of.id, ...change })
    }

    it('nothing is recorded before it is switched on, once and for all', async () => {
      const { audit } = bench.store
      expect(await audit.isEnabled()).toBe(false)
      const held = await running(await job())
      await bench.store.leases.finish([success(held)])
      await append(draft('JOBS_JOB_SIGNAL'))
      expect(await entries()).toEqual([])
      expect((await bench.find(held.executionId)).number).toBeNull()

      await audit.enable()
      await audit.enable()
      expect(await audit.isEnabled()).toBe(true)
      await append(draft('JOBS_JOB_SIGNAL'))
      expect(await told()).toMatchObject([{ operation: 'JOBS_JOB_SIGNAL' }])
    })

    describe('once it is on', () => {
      beforeAll(() => bench.store.audit.enable())

      it('entries of a tenant form a chain, each with the hash of the one before it', async () => {
        const [jobId, executionId] = [bench.uuid(), bench.uuid()]
        await append(
          draft('JOBS_JOB_CREATE', { jobId, newValues: { name: 'ß "ü" 😀\n', none: null, list: [1, 'two'] } }),
        )
        bench.advance(1_234)
        await append(
          draft('JOBS_JOB_UPDATE', { jobId, oldValues: {}, newValues: { name: '' } }),
          draft('JOBS_JOB_SIGNAL', { jobId, executionId, userId: null }),
        )
        await bench.store.audit.append([{ ...draft('JOBS_JOB_SIGNAL'), tenant: `${tenant} too` }])
        const found = await entries()
        expect(found.map(toldOf)).toEqual([
          {
            operation: 'JOBS_JOB_CREATE',
            userId: 'ann',
            oldValues: null,
            newValues: { name: 'ß "ü" 😀\n', none: null, list: [1, 'two'] },
          },
          { operation: 'JOBS_JOB_UPDATE', userId: 'ann', oldValues: {}, newValues: { name: '' } },
          { operation: 'JOBS_JOB_SIGNAL', userId: null, oldValues: null, newValues: null },
        ])
        expect(found[2]).toMatchObject({ tenant, jobId, executionId, at: bench.now, sequence: 3 })
        expect(found[0]).toMatchObject({ at: bench.now - 1_234, sequence: 1, previousHash: NO_HASH, executionId: null })
        expectChain(found)
        expect(await bench.store.audit.heads(tenant)).toEqual([{ tenant, sequence: 3, hash: found[2]?.hash }])
        expect((await entries(`${tenant} too`))[0]).toMatchObject({ sequence: 1, previousHash: NO_HASH })
      })

      it('heads stand in the order of tenants', async () => {
        const tenants = ['b', 'ä', 'B', 'a'].map((suffix) => `${tenant} ${suffix}`)
        await bench.store.audit.append(tenants.map((each) => ({ ...draft('JOBS_JOB_SIGNAL'), tenant: each })))
        const heads = (await bench.store.audit.heads()).map((head) => head.tenant)
        expect(heads.filter((each) => each.startsWith(tenant))).toEqual(
          ['B', 'a', 'b', 'ä'].map((each) => `${tenant} ${each}`),
        )
        expect(await bench.store.audit.heads(`${tenant} unknown`)).toEqual([])
      })

      it('values that no database holds are kept', async () => {
        await append(draft('JOBS_JOB_UPDATE', { newValues: { name: 'nul \0, half \ud800' } }))
        const found = await entries()
        expect(found.map(toldOf)).toMatchObject([{ newValues: { name: 'nul \0, half \ud800' } }])
        expectChain(found)
      })

      it('list gives what is asked for, the newest first', async () => {
        const [jobId, executionId] = [bench.uuid(), bench.uuid()]
        const from = bench.now
        await append(draft('JOBS_JOB_CREATE', { jobId }))
        bench.advance(1_000)
        await append(
          draft('JOBS_JOB_PAUSE', { jobId, userId: 'bob' }),
          draft('JOBS_JOB_EXECUTE', { jobId, executionId }),
        )
        bench.advance(1_000)
        await append(draft('JOBS_SETTINGS_UPDATE'))
        const ask = async (filter: object) => {
          const found = await bench.store.audit.list({ tenant, limit: 100, ...filter })
          return found.map(({ sequence }) => sequence)
        }
        expect(await ask({})).toEqual([4, 3, 2, 1])
        expect(await ask({ isAscending: true })).toEqual([1, 2, 3, 4])
        expect(await ask({ limit: 2, after: 4 })).toEqual([3, 2])
        expect(await ask({ limit: 2, after: 1, isAscending: true })).toEqual([2, 3])
        expect(await ask({ limit: 0 })).toEqual([])
        expect(await ask({ jobId })).toEqual([3, 2, 1])
        expect(await ask({ jobId, after: 3 })).toEqual([2, 1])
        expect(await ask({ executionId })).toEqual([3])
        expect(await ask({ userId: 'bob' })).toEqual([2])
        expect(await ask({ operations: ['JOBS_JOB_CREATE', 'JOBS_SETTINGS_UPDATE'] })).toEqual([4, 1])
        expect(await ask({ operations: [] })).toEqual([])
        expect(await ask({ from: from + 1_000, to: from + 2_000 })).toEqual([3, 2])
        expect(await ask({ tenant: `${tenant} unknown` })).toEqual([])
      })

      describe('a change of a job', () => {
        it('carries its entry', async () => {
          const made = bench.job({ tenant })
          const audit = draft('JOBS_JOB_CREATE', { jobId: made.id, newValues: { name: made.name } })
          expect(await bench.store.jobs.put([{ job: made, expectedVersion: null, ledger: [], audit }])).toEqual([
            'stored',
          ])
          expect(await entries()).toMatchObject([{ operation: 'JOBS_JOB_CREATE', jobId: made.id, at: bench.now }])
        })

        it('that is refused writes none', async () => {
          const { jobs } = bench.store
          const first = await job({ name: 'first' })
          const audit = draft('JOBS_JOB_UPDATE')
          const answers = await jobs.put([
            { job: { ...first, version: 9 }, expectedVersion: 8, ledger: [], audit },
            { job: bench.job({ tenant, name: 'first' }), expectedVersion: null, ledger: [], audit },
            { job: bench.job({ tenant, name: 'second' }), expectedVersion: null, ledger: [] },
          ])
          expect(answers).toEqual(['conflict', 'nameTaken', 'stored'])
          expect(await entries()).toEqual([])
        })

        it('stands in the chain in the order given', async () => {
          const names = ['c', 'a', 'b', 'd']
          await bench.store.jobs.put(
            names.map((name) => {
              const made = bench.job({ tenant, name })
              const audit = draft('JOBS_JOB_CREATE', { jobId: made.id, newValues: { name } })
              return { job: made, expectedVersion: null, ledger: [], ...(name !== 'b' && { audit }) }
            }),
          )
          const found = await entries()
          expect(found.map(toldOf).map(({ newValues }) => newValues)).toEqual([
            { name: 'c' },
            { name: 'a' },
            { name: 'd' },
          ])
          expectChain(found)
        })
      })

      describe('an end', () => {
        const finish = (held: Parameters<typeof success>[0], change: Partial<Ending> = {}) =>
          bench.store.leases.finish([success(held, change)])

        const FAILED = { status: 'FAILED', error: failure } as const

        const rows: readonly [string, (of: Job) => Promise<string>, Partial<Told>][] = [
          [
            'with success',
            async (of) => {
              const held = await running(of)
              bench.advance(1_500)
              await finish(held)
              return held.executionId
            },
            { operation: 'JOBS_JOB_EXECUTE', userId: null, oldValues: null },
          ],
          [
            'with a result, of a run that somebody asked for',
            async (of) => {
              const held = await running(of, { options: { requestedBy: 'bob "b"' } })
              await finish(held, { output: '{"rows":3}' })
              return held.executionId
            },
            { operation: 'JOBS_JOB_EXECUTE', userId: 'bob "b"', oldValues: null },
          ],
          [
            'by failure',
            async (of) => {
              const held = await running(of, { options: { requestedBy: 'bob' } })
              await finish(held, FAILED)
              return held.executionId
            },
            {
              operation: 'JOBS_JOB_FAIL',
              userId: 'bob',
              oldValues: null,
              newValues: { errorMessage: 'No such month.', retryCount: 0 },
            },
          ],
          [
            'by failure that faults its job',
            async (of) => {
              const held = await running(of)
              await finish(held, { ...FAILED, faultsJobId: of.id })
              return held.executionId
            },
            {
              operation: 'JOBS_JOB_FAIL',
              userId: null,
              oldValues: { status: 'ACTIVE' },
              newValues: { errorMessage: 'No such month.', retryCount: 0, status: 'FAULTED' },
            },
          ],
          [
            'by time',
            async (of) => {
              const held = await running(of)
              await finish(held, { status: 'TIMEOUT', error: { name: 'TimeoutError', message: 'After 5 min.' } })
              return held.executionId
            },
            { operation: 'JOBS_JOB_FAIL', newValues: { errorMessage: 'After 5 min.', retryCount: 0 } },
          ],
          [
            'by cancellation before it ran',
            async (of) => {
              const id = await enqueue(of, { options: { requestedBy: 'bob' } })
              await bench.store.executions.cancel([{ id, reason: 'Wrong month.', by: 'eve' }])
              return id
            },
            { operation: 'JOBS_JOB_CANCEL', userId: 'eve', oldValues: null, newValues: { reason: 'Wrong month.' } },
          ],
          [
            'by cancellation while it ran, by Pontual itself',
            async (of) => {
              const held = await running(of, { options: { requestedBy: 'bob' } })
              await bench.store.executions.cancel([{ id: held.executionId, reason: null }])
              return held.executionId
            },
            { operation: 'JOBS_JOB_CANCEL', userId: null, newValues: { reason: 'Cancelled.' } },
          ],
          [
            'of a durable one that was asked to end, by whoever asked first',
            async (of) => {
              const held = await running(of, { options: { durable: true } })
              const id = held.executionId
              await bench.store.executions.cancel([{ id, reason: 'Enough.', by: 'eve' }])
              await bench.store.executions.cancel([{ id, reason: 'Again.', by: 'bob' }])
              expect(await told()).toEqual([])
              await finish(held, { status: 'CANCELLED', error: { name: 'CancelledError', message: 'Enough.' } })
              return id
            },
            { operation: 'JOBS_JOB_CANCEL', userId: 'eve', newValues: { reason: 'Enough.' } },
          ],
          [
            'by the loss of its node',
            async (of) => {
              const held = await running(of, { maxAttempts: 1 })
              bench.advance(LEASE_MS + 1)
              await bench.store.leases.recover({ silentForMs: null, limit: 10 })
              return held.executionId
            },
            {
              operation: 'JOBS_JOB_FAIL',
              userId: null,
              oldValues: { status: 'ACTIVE' },
              newValues: {
                errorMessage: 'The node that ran it stopped renewing its lease.',
                retryCount: 0,
                status: 'FAULTED',
              },
            },
          ],
          [
            'by consolidation',
            async (of) => {
              await bench.store.occurrences.fire([bench.firing(of)])
              const [fired] = await bench.store.executions.list({ tenant, limit: 1 })
              if (!fired) throw new Error('Nothing was fired.')
              await bench.store.occurrences.consolidate([
                {
                  executionId: fired.id,
                  jobId: of.id,
                  scheduledAt: fired.scheduledAt ?? 0,
                  epoch: null,
                  decision: 'consolidated',
                  cause: 'outage',
                },
              ])
              return fired.id
            },
            { operation: 'JOBS_JOB_CANCEL', userId: null, newValues: { reason: 'Consolidated into another run.' } },
          ],
        ]

        it.each(rows)('%s is told once', async (_what, perform, expected) => {
          const of = await job()
          const id = await perform(of)
          const found = await entries()
          expect(found.map(toldOf)).toMatchObject([expected])
          const [entry] = found
          const execution = await bench.find(id)
          expect(entry).toMatchObject({ jobId: of.id, executionId: id, at: execution.finishedAt })
          if (entry?.operation === 'JOBS_JOB_EXECUTE') expect(toldOf(entry).newValues).toEqual(ranAs(execution))
          expect(execution.number).toBe(1)
          expectChain(found)
        })

        it('that heals its job says so', async () => {
          const of = await job()
          await finish(await running(of), { ...FAILED, faultsJobId: of.id })
          bench.advance(5)
          await finish(await running(of), { healsJobId: of.id })
          bench.advance(5)
          await finish(await running(of), { healsJobId: of.id })
          expect(await told()).toMatchObject([
            { operation: 'JOBS_JOB_FAIL', oldValues: { status: 'ACTIVE' }, newValues: { status: 'FAULTED' } },
            { operation: 'JOBS_JOB_EXECUTE', oldValues: { status: 'FAULTED' }, newValues: { status: 'ACTIVE' } },
            { operation: 'JOBS_JOB_EXECUTE', oldValues: null },
          ])
        })

        it('that ends others behind it is told with all of them', async () => {
          const of = await job()
          const first = await running(of)
          const second = await enqueue(of, { after: [{ id: first.executionId, on: 'success' }] })
          const third = await enqueue(of, { after: [{ id: second, on: 'success' }] })
          await enqueue(of, { after: [{ id: third, on: 'success' }], isDeclared: true })
          await finish(first, FAILED)
          const found = await entries()
          expect(found.map(({ operation, executionId }) => [operation, executionId])).toEqual([
            ['JOBS_JOB_FAIL', first.executionId],
            ['JOBS_JOB_CANCEL', second],
            ['JOBS_JOB_CANCEL', third],
          ])
          expect((await bench.find(third)).number).toBe(3)
          expectChain(found)
        })

        it('of one that stands behind an end that is not the one is told as well', async () => {
          const of = await job()
          const first = await running(of)
          await finish(first)
          const second = await enqueue(of, { after: [{ id: first.executionId, on: 'failure' }] })
          expect((await entries()).map(({ operation, executionId }) => [operation, executionId])).toEqual([
            ['JOBS_JOB_EXECUTE', first.executionId],
            ['JOBS_JOB_CANCEL', second],
          ])
        })

        it('behind a job that was removed is told as well', async () => {
          const [removed, kept] = [await job(), await job()]
          const first = await enqueue(removed)
          const second = await enqueue(kept, { after: [{ id: first, on: 'success' }] })
          await bench.store.jobs.remove([removed.id])
          const found = await entries()
          expect(found).toMatchObject([{ operation: 'JOBS_JOB_CANCEL', executionId: second, jobId: kept.id }])
          expectChain(found)
        })

        it('of several tenants goes to the chain of each', async () => {
          const other = `${tenant} too`
          const [mine, theirs] = [await job(), bench.job({ tenant: other })]
          await bench.put(theirs)
          const nodeId = await bench.node()
          for (const of of [mine, theirs, mine]) await bench.enqueue({ tenant: of.tenant, jobId: of.id })
          await bench.store.leases.finish((await bench.claim(nodeId)).map((held) => success(held)))
          expect(await told()).toHaveLength(2)
          expect(await told(other)).toHaveLength(1)
          expectChain(await entries())
          expectChain(await entries(other))
        })

        it('of an execution without a job is recorded with its job type if a person or a key requested it', async () => {
          const jobType = 'report "é"'
          const requested = { tenant, options: { requestedBy: 'bob' } }
          const [done, failed] = [await bench.running(requested), await bench.running(requested)]
          const cancelled = await bench.enqueue({ ...requested, jobType })
          const ofJob = await running(await job())
          bench.advance(1_500)
          await finish(done)
          await finish(failed, FAILED)
          await bench.store.executions.cancel([{ id: cancelled, reason: 'Wrong.', by: 'eve' }])
          await finish(ofJob)
          const found = await entries()
          expect(found.map(toldOf)).toMatchObject([
            { operation: 'JOBS_JOB_EXECUTE', userId: 'bob' },
            {
              operation: 'JOBS_JOB_FAIL',
              userId: 'bob',
              newValues: { jobType: 'import', errorMessage: 'No such month.' },
            },
            { operation: 'JOBS_JOB_CANCEL', userId: 'eve', newValues: { jobType, reason: 'Wrong.' } },
            { operation: 'JOBS_JOB_EXECUTE', userId: null },
          ])
          const execution = await bench.find(done.executionId)
          expect(found[0]).toMatchObject({ jobId: null, executionId: done.executionId, at: execution.finishedAt })
          expect(found.map((entry) => toldOf(entry).newValues)[0]).toEqual({ jobType: 'import', ...ranAs(execution) })
          expect([execution.number, (await bench.find(ofJob.executionId)).number]).toEqual([null, 1])
          expectChain(found)
        })

        it('of what has no job is not told, nor are attempts', async () => {
          const held = await bench.running({ tenant })
          await finish(held)
          const second = await running(await job())
          await bench.store.leases.retry([{ ...heldOf(second), status: 'FAILED', error: failure, delayMs: 5 }])
          expect(await entries()).toEqual([])
          expect((await bench.find(held.executionId)).number).toBeNull()
        })

        it('reported again is told once', async () => {
          const held = await running(await job())
          await finish(held, FAILED)
          await finish(held, FAILED)
          await finish(held)
          expect(await told()).toHaveLength(1)
        })

        it('counts attempts but the first', async () => {
          const of = await job()
          const held = await running(of)
          await bench.store.leases.retry([{ ...heldOf(held), status: 'FAILED', error: failure, delayMs: 0 }])
          await bench.store.leases.promote(10)
          await finish(await bench.claimOne(held.nodeId), FAILED)
          expect(await told()).toMatchObject([{ newValues: { retryCount: 1 } }])
        })

        it('keeps of an error what a database can hold, and not all of a long one', async () => {
          const of = await job()
          const message = `\0 \ud800 "\\" \u2028 😀${'x'.repeat(3_000)}`
          await finish(await running(of, { options: { requestedBy: 'ann' } }), {
            status: 'FAILED',
            error: { name: 'Error', message, stack: 'at canary' },
          })
          const found = await entries()
          const holdable = message.replace('\0', '\ufffd').replace('\ud800', '\ufffd')
          const kept = Array.from(holdable).slice(0, 2_000).join('')
          expect(found.map(toldOf)).toEqual([
            {
              operation: 'JOBS_JOB_FAIL',
              userId: 'ann',
              oldValues: null,
              newValues: { errorMessage: kept, retryCount: 0 },
            },
          ])
          expectChain(found)
        })
      })

      it('executions of a job are numbered in the order of their ends', async () => {
        const { leases, executions } = bench.store
        const [one, other] = [await job(), await job()]
        const nodeId = await bench.node()
        const ids: string[] = []
        for (const of of [one, other, one, one]) ids.push(await enqueue(of))
        const held = await bench.claim(nodeId)
        const ofIndex = (index: number) => {
          const found = held.find(({ executionId }) => executionId === ids[index])
          if (!found) throw new Error(`Execution ${index} was not claimed.`)
          return success(found)
        }
        await leases.finish([ofIndex(2)])
        bench.advance(1)
        await leases.finish([ofIndex(1), ofIndex(3)])
        const numbers = async () => (await executions.find(ids)).map(({ number }) => number)
        expect(await numbers()).toEqual([null, 1, 1, 2])
        await executions.cancel([{ id: ids[0] ?? '', reason: null }])
        expect(await numbers()).toEqual([3, 1, 1, 2])
        const listed = await executions.list({ jobId: one.id, limit: 10 })
        expect(listed.map(({ number }) => number)).toEqual([2, 1, 3])
      })

      it('what is removed or purged leaves its entries, and its number is not given again', async () => {
        const of = await job()
        await bench.store.leases.finish([success(await running(of))])
        bench.advance(1)
        await bench.store.executions.purge(bench.now, 100)
        const second = await running(of)
        await bench.store.leases.finish([success(second)])
        expect((await bench.find(second.executionId)).number).toBe(2)
        await bench.store.jobs.remove([of.id])
        expect(await told()).toHaveLength(2)
      })

      it('what is done for one tenant is told as well', async () => {
        const own = bench.store.forTenant(tenant)
        const made = bench.job({ tenant })
        const audit = draft('JOBS_JOB_CREATE', { jobId: made.id })
        expect(await own.jobs.put([{ job: made, expectedVersion: null, ledger: [], audit }])).toEqual(['stored'])
        const first = bench.execution({ tenant, jobId: made.id }).body
        const second = bench.execution({ tenant, jobId: made.id, after: [{ id: first.id, on: 'success' }] })
        await own.executions.enqueue([{ body: first, runAt: null }, second])
        expect(await own.executions.cancel([{ id: first.id, reason: 'No.', by: 'bob' }])).toEqual(['cancelled'])
        // Behind one that has ended already, in a transaction that ends nothing else.
        const third = bench.execution({ tenant, jobId: made.id, after: [{ id: first.id, on: 'success' }] })
        await own.executions.enqueue([third])
        await own.audit.append([{ ...draft('JOBS_JOB_SIGNAL', { jobId: made.id }), tenant }])
        const found = await entries()
        expect(found.map(({ operation, userId, executionId }) => [operation, userId, executionId])).toEqual([
          ['JOBS_JOB_CREATE', 'ann', null],
          ['JOBS_JOB_CANCEL', 'bob', first.id],
          ['JOBS_JOB_CANCEL', null, second.body.id],
          ['JOBS_JOB_CANCEL', null, third.body.id],
          ['JOBS_JOB_SIGNAL', 'ann', null],
        ])
        expectChain(found)
        expect(await own.audit.list({ tenant, limit: 10, isAscending: true })).toEqual(found)
        expect(await own.audit.heads(tenant)).toEqual(await bench.store.audit.heads(tenant))
        expect((await own.executions.find([second.body.id])).map(({ number }) => number)).toEqual([2])
      })

      it('for one tenant, nothing of another is read or written', async () => {
        const other = `${tenant} too`
        await append(draft('JOBS_JOB_SIGNAL'))
        const theirs = bench.store.forTenant(other)
        expect(await theirs.audit.list({ tenant, limit: 10 })).toEqual([])
        expect(await theirs.audit.heads(tenant)).toEqual([])
        expect(await theirs.audit.heads()).toEqual([])
        await expect(theirs.audit.append([{ ...draft('JOBS_JOB_SIGNAL'), tenant }])).rejects.toThrow()
        expect(await told()).toHaveLength(1)
      })

      it('what is sent to a durable run, or begins it again, is told if it was done', async () => {
        const { histories } = bench.store
        const held = await bench.running({ tenant, options: { durable: true } })
        const { executionId } = held
        const signal = { executionId, name: 'go', payload: null, idempotencyKey: null }
        const audit = { ...draft('JOBS_JOB_SIGNAL', { executionId }), tenant }
        expect(await histories.signal([{ ...signal, audit }, signal])).toEqual(['sent', 'sent'])
        expect(await histories.signal([{ ...signal, executionId: bench.uuid(), audit }])).toEqual(['unknown'])

        const restart = { ...draft('JOBS_JOB_RESTART', { executionId }), tenant }
        expect(await histories.cut(executionId, 1, restart)).toBe(false)
        await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
        expect(await histories.cut(executionId, 1, restart)).toBe(true)
        const fork = bench.execution({ tenant, options: { durable: true } })
        for (let tries = 0; tries < 2; tries += 1) {
          expect(await histories.fork(executionId, 1, fork, restart)).toBe(true)
        }
        expect(await histories.fork(bench.uuid(), 1, bench.execution({ tenant }), restart)).toBe(false)
        const operations = (await told()).map(({ operation }) => operation)
        expect(operations).toEqual(['JOBS_JOB_SIGNAL', 'JOBS_JOB_RESTART', 'JOBS_JOB_RESTART'])
      })

      it('calendars are changed together with their entries', async () => {
        const { calendars } = bench.store
        const definition = { type: 'weekly', weekdays: [0, 6], timeZone: 'UTC' } as const
        const key = { tenant, name: 'br' }
        await calendars.put([{ ...key, definition }], draft('JOBS_CALENDAR_UPDATE', { newValues: { name: 'br' } }))
        expect(await calendars.remove([key], draft('JOBS_CALENDAR_DELETE'))).toBe(1)
        expect(await calendars.remove([key], draft('JOBS_CALENDAR_DELETE'))).toBe(0)
        await calendars.put([], draft('JOBS_CALENDAR_UPDATE'))
        expect((await told()).map(({ operation }) => operation)).toEqual([
          'JOBS_CALENDAR_UPDATE',
          'JOBS_CALENDAR_DELETE',
        ])
      })

      it('flags are switched together with their entry', async () => {
        const audit = draft('JOBS_FLAG_UPDATE', { newValues: { HANGFIRE_DASHBOARD: false } })
        await bench.store.flags.put({ tenant, flags: [{ flag: 'HANGFIRE_DASHBOARD', isEnabled: false }], audit })
        expect(await told()).toMatchObject([
          { operation: 'JOBS_FLAG_UPDATE', newValues: { HANGFIRE_DASHBOARD: false } },
        ])
        expect((await bench.store.flags.read(tenant)).HANGFIRE_DASHBOARD.isEnabled).toBe(false)
      })

      it('settings are stored together with their entry, if they are', async () => {
        const settings = {
          adminAddresses: [],
          mailEvents: [],
          digestMinutes: 0,
          language: 'en',
          concurrency: null,
          allowsSelfApproval: false,
          allowsSeconds: false,
          webhooks: [],
          pending: null,
        } as const
        const audit = draft('JOBS_SETTINGS_UPDATE', { newValues: { language: 'en' } })
        const put = () => bench.store.settings.put({ tenant, settings, expectedVersion: 0, audit })
        expect([await put(), await put()]).toEqual([true, false])
        expect(await told()).toMatchObject([{ operation: 'JOBS_SETTINGS_UPDATE', newValues: { language: 'en' } }])
      })

      it('keys are made and revoked together with their entries', async () => {
        const { credentials } = bench.store
        const id = bench.uuid()
        const key = {
          id,
          tenant,
          name: 'ci',
          secretHash: id,
          profile: 'Admin',
          permissions: [...permissionsOf('Admin')],
          ownerId: 'ann',
          expiresAt: null,
        } as const
        await credentials.addKey(key, draft('JOBS_APIKEY_CREATE'))
        await credentials.addKey(key, draft('JOBS_APIKEY_CREATE'))
        expect(await credentials.revokeKey(tenant, id, draft('JOBS_APIKEY_DELETE'))).toBe(true)
        expect(await credentials.revokeKey(tenant, id, draft('JOBS_APIKEY_DELETE'))).toBe(false)
        expect((await told()).map(({ operation }) => operation)).toEqual(['JOBS_APIKEY_CREATE', 'JOBS_APIKEY_DELETE'])
      })
    })
  })
}

function toldOf({ operation, userId, oldValues, newValues }: AuditEntry): Told {
  return { operation, userId, oldValues: parsed(oldValues), newValues: parsed(newValues) }
}

function parsed(text: string | null): unknown {
  return text === null ? null : JSON.parse(text)
}

function ranAs({ startedAt, finishedAt }: Execution): object {
  const at = startedAt ?? 0
  return { executionTime: new Date(at).toISOString(), durationMs: (finishedAt ?? 0) - at }
}

/** Numbers without gaps, and hashes that are right. */
export function expectChain(entries: readonly AuditEntry[]): void {
  let previousHash = NO_HASH
  for (const [index, { hash, ...entry }] of entries.entries()) {
    expect(entry).toMatchObject({ sequence: index + 1, previousHash })
    expect(hash).toBe(hashAuditEntry(entry))
    previousHash = hash
  }
}
