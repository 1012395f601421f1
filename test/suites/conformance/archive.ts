import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyAudit } from '../../../src/service/audit/verify.ts'
import type { ExecutionFilter } from '../../../src/store/executions.ts'
import { Bench, failure, HOUR, type OpenSource, success } from './bench.ts'
import { begun, heldOf, item, MISMATCH, running, settled } from './durable-entries.ts'

const DAY = 24 * HOUR
const KEPT = 90 * DAY
const ALL = { limit: 1_000 } as const

/** What every store does with what is old. */
export function describeArchive(name: string, openSource: OpenSource): void {
  describe(`${name}, archived`, () => {
    const bench = new Bench(openSource)
    let tenant: string
    beforeAll(async () => {
      await bench.open()
      await bench.store.audit.enable()
    })
    beforeEach(async () => {
      await bench.begin()
      // Room for the months to come, as every node makes it.
      await bench.store.maintain()
      tenant = `tenant ${bench.uuid()}`
    })
    afterAll(() => bench.close())

    /** As `pontual.archive` does it. */
    async function archive(): Promise<void> {
      const { archive } = bench.store
      for (const part of await archive.due(KEPT)) expect(await archive.move(part, KEPT)).toBe('done')
      while ((await archive.moveLate(KEPT, 100)) !== 0);
    }

    const long = (days = 130) => bench.advance(days * DAY)

    /** One to which nobody has written. */
    async function monthOfItsOwn(): Promise<void> {
      long()
      await bench.store.maintain()
    }

    const ids = (executions: readonly { readonly id: string }[]) => executions.map(({ id }) => id)

    const find = async (id: string) => (await bench.store.executions.find([id], { archived: true }))[0]

    /** An execution of a job that has ended, with a log, after an attempt that failed. */
    async function ended(change: Parameters<Bench['execution']>[0] = {}): Promise<string> {
      const job = bench.job({ tenant })
      await bench.put(job)
      const held = await bench.running({ tenant, jobId: job.id, payload: '{"a":1}', ...change })
      const line = { attempt: 1, at: bench.now, level: 'info', message: 'said', fields: null } as const
      await bench.store.logs.append([{ ...heldOf(held), ...line, sequence: 1 }])
      const again = { ...heldOf(held), status: 'FAILED', error: failure, delayMs: 0 } as const
      await bench.store.leases.retry([again])
      await bench.store.leases.promote(10)
      const next = await bench.claimOne(held.nodeId)
      await bench.store.leases.finish([success(next, { output: '"done"' })])
      return held.executionId
    }

    describe('executions', () => {
      it('are as they were, for who asks for the archive, and for nobody else', async () => {
        const id = await ended()
        const { executions, logs } = bench.store
        const before = await bench.find(id)
        expect(before).toMatchObject({ status: 'SUCCESS', number: 1, output: '"done"', attempts: [{}, {}] })
        long()
        await archive()
        expect(await executions.find([id])).toEqual([])
        expect(await executions.list({ tenant, ...ALL })).toEqual([])
        expect(await logs.read({ executionId: id, ...ALL })).toEqual([])
        const all = { tenant, archived: true, ...ALL } as const
        expect(await find(id)).toEqual(before)
        expect(await executions.list(all)).toEqual([before])
        expect(await executions.list({ ...all, jobId: before.jobId ?? '' })).toEqual([before])
        const others = Array.from({ length: 200 }, () => bench.uuid())
        for (const jobIds of [undefined, [before.jobId ?? ''], [before.jobId ?? '', ...others]]) {
          expect(await executions.search({ ...all, jobIds })).toEqual([before])
          expect(await executions.search({ ...all, jobIds, statuses: ['SUCCESS'] })).toEqual([before])
          expect(await executions.search({ ...all, jobIds, statuses: ['FAILED'] })).toEqual([])
          expect(await executions.search({ ...all, jobIds, archived: false })).toEqual([])
        }
        expect(await executions.ran({ tenant, since: 0 })).toEqual([])
        expect(await logs.read({ executionId: id, archived: true, ...ALL })).toMatchObject([{ message: 'said' }])
        expect(await bench.store.exists('execution', id)).toBe(true)
      })

      it('are found by what they are looked for by', async () => {
        const id = await ended()
        const { jobId } = await bench.find(id)
        long()
        await archive()
        const filters: [Partial<ExecutionFilter>, string[]][] = [
          [{ statuses: ['SUCCESS'] }, [id]],
          [{ statuses: ['FAILED', 'QUEUED'] }, []],
          [{ jobType: 'import' }, [id]],
          [{ jobType: 'export' }, []],
          [{ tenant: 'nobody' }, []],
          [{ before: id }, []],
          [{ since: bench.now - 131 * DAY }, [id]],
          [{ since: bench.now - 129 * DAY }, []],
        ]
        for (const [filter, expected] of filters) {
          const query = { tenant, archived: true, ...ALL, ...filter }
          expect([filter, ids(await bench.store.executions.list(query))]).toEqual([filter, expected])
          const ofJob = { ...query, jobId: jobId ?? '' }
          expect([filter, ids(await bench.store.executions.list(ofJob))]).toEqual([filter, expected])
        }
      })

      it('and those that failed, too', async () => {
        const held = await bench.running({ tenant })
        await bench.store.leases.finish([success(held, { status: 'FAILED', error: failure })])
        long()
        await archive()
        const failed = { tenant, archived: true, statuses: ['FAILED'], ...ALL } as const
        expect(await bench.store.executions.list(failed)).toMatchObject([{ id: held.executionId, error: failure }])
        const { executions } = bench.store
        const said = { tenant, errorText: failure.message.toUpperCase(), ...ALL } as const
        expect(await executions.search({ ...said, archived: true })).toMatchObject([{ id: held.executionId }])
        expect(await executions.search({ ...said, archived: true, statuses: ['TIMEOUT'] })).toEqual([])
        expect(await executions.search(said)).toEqual([])
      })

      it('are listed together with those that are not there, page by page, without a gap or a repetition', async () => {
        const made: string[] = []
        for (let month = 0; month < 6; month++) {
          for (let each = 0; each < 3; each++) {
            const held = await bench.running({ tenant })
            await bench.store.leases.finish([success(held)])
            made.unshift(held.executionId)
          }
          long(31)
          await bench.store.maintain()
        }
        await archive()
        const query = { tenant, archived: true, limit: 4 }
        const seen: string[] = []
        for (let page = await bench.store.executions.list(query); page.length > 0; ) {
          seen.push(...ids(page))
          page = await bench.store.executions.list({ ...query, before: seen.at(-1) })
        }
        expect(seen).toEqual(made)
        const live = ids(await bench.store.executions.list({ tenant, ...ALL }))
        expect(live.length).toBeGreaterThan(0)
        expect(live).toEqual(made.slice(0, live.length))
        expect(live.length).toBeLessThan(made.length)
      })

      it('that ended within 90 days are not there, however old they are', async () => {
        const held = await bench.running({ tenant })
        const other = await bench.running({ tenant })
        await bench.store.leases.finish([success(other)])
        long(120)
        await bench.store.leases.finish([success(held)])
        long(30)
        await archive()
        expect(await bench.find(held.executionId)).toMatchObject({ status: 'SUCCESS' })
        expect(await bench.store.executions.find([other.executionId])).toEqual([])
        const told = { tenant, since: bench.now - KEPT, ...ALL }
        expect(await bench.store.executions.statistics(told)).toMatchObject({ succeeded: 1 })
        long(61)
        await archive()
        expect(await bench.store.executions.find([held.executionId])).toEqual([])
        expect(await find(held.executionId)).toMatchObject({ status: 'SUCCESS' })
      })

      it('that found no month of their own are moved one by one', async () => {
        bench.advance(200 * DAY)
        const id = await ended()
        const before = await bench.find(id)
        bench.advance(200 * DAY)
        await archive()
        expect(await bench.store.executions.find([id])).toEqual([])
        expect(await find(id)).toEqual(before)
        expect(await verifyAudit(bench.store.audit, tenant)).toMatchObject({ isIntact: true, entries: 1 })
        expect(await bench.store.audit.list({ tenant, ...ALL })).toEqual([])
      })

      it('can be purged, and go with their job', async () => {
        const [one, two] = [await ended(), await ended()]
        const { jobId } = await bench.find(two)
        long()
        await archive()
        const purge = (before: number, of: string) => bench.store.executions.purge(before, 1_000, of)
        expect(await purge(bench.now - 200 * DAY, tenant)).toBe(0)
        expect(await purge(bench.now, 'nobody')).toBe(0)
        await bench.store.jobs.remove([jobId ?? ''])
        expect(await find(two)).toBeUndefined()
        expect(await find(one)).toBeDefined()
        expect(await purge(bench.now, tenant)).toBe(1)
        expect(await find(one)).toBeUndefined()
        expect(await bench.store.exists('execution', one)).toBe(false)
      })

      it('of another tenant are nobody’s', async () => {
        const id = await ended()
        long()
        await archive()
        const own = bench.store.forTenant(tenant)
        const other = bench.store.forTenant('other')
        const look = { archived: true, ...ALL } as const
        expect(ids(await own.executions.find([id], look))).toEqual([id])
        expect(await other.executions.find([id], look)).toEqual([])
        expect(await other.executions.list(look)).toEqual([])
        expect(await other.logs.read({ executionId: id, ...look })).toEqual([])
        expect(await own.logs.read({ executionId: id, ...look })).toHaveLength(1)
        expect(await other.executions.purge(bench.now, 10)).toBe(0)
        expect(await own.executions.purge(bench.now, 10)).toBe(1)
      })
    })

    describe('what has not ended', () => {
      it('stays, and ends as any other', async () => {
        const done = await ended()
        const queued = await bench.enqueue({ tenant, payload: '"q"' })
        const later = await bench.enqueue({ tenant, runAt: bench.now + 400 * DAY })
        const waiting = await bench.enqueue({ tenant, after: [{ id: later, on: 'success' }] })
        long()
        await archive()
        await archive()
        expect(await bench.store.executions.find([done])).toEqual([])
        const statuses = [queued, later, waiting].map(async (id) => (await bench.find(id)).status)
        expect(await Promise.all(statuses)).toEqual(['QUEUED', 'QUEUED', 'WAITING'])
        const open = { tenant, statuses: ['QUEUED', 'WAITING'], ...ALL } as const
        expect(ids(await bench.store.executions.list(open)).toSorted()).toEqual([queued, later, waiting].toSorted())
        const claimed: string[] = []
        for (let round = 0; round < 4; round++) {
          await bench.store.leases.promote(100)
          for (const held of await bench.claim(await bench.node())) {
            expect(held.body).toMatchObject({ tenant })
            claimed.push(held.executionId)
            await bench.store.leases.finish([success(held)])
          }
          long(140)
        }
        expect(claimed).toEqual([queued, later, waiting])
        await archive()
        long(200)
        await archive()
        for (const id of claimed) expect(await find(id)).toMatchObject({ status: 'SUCCESS' })
        expect(await bench.store.executions.list({ tenant, ...ALL })).toEqual([])
      })

      it('is recovered, tried again and logged as before', async () => {
        const held = await bench.running({ tenant })
        const line = { attempt: 1, at: bench.now, level: 'info', fields: null } as const
        await bench.store.logs.append([{ ...heldOf(held), ...line, sequence: 1, message: 'first' }])
        long()
        await archive()
        const recovered = await bench.store.leases.recover({ silentForMs: null, limit: 10 })
        expect(recovered).toHaveLength(1)
        const again = await bench.claimOne(await bench.node())
        expect(again.executionId).toBe(held.executionId)
        await bench.store.logs.append([{ ...heldOf(again), ...line, sequence: 2 ** 33, message: 'second' }])
        const failed = { ...heldOf(again), status: 'FAILED', error: failure, delayMs: 0 } as const
        await bench.store.leases.retry([failed])
        await bench.store.leases.promote(10)
        const last = await bench.claimOne(await bench.node())
        await bench.store.leases.finish([success(last)])
        expect(await bench.find(held.executionId)).toMatchObject({
          status: 'SUCCESS',
          attempts: [{ status: 'LOST' }, { status: 'FAILED' }, { status: 'SUCCESS' }],
        })
        const lines = await bench.store.logs.read({ executionId: held.executionId, ...ALL })
        expect(lines.map(({ message }) => message)).toEqual(['first', 'second'])
      })

      it('follows its history, and hears what comes', async () => {
        const held = await running(bench, { tenant })
        const { histories } = bench.store
        await histories.record([item(held, settled(1), begun(2))])
        await histories.park([{ ...heldOf(held), dueAt: null }])
        long()
        await archive()
        const signal = { executionId: held.executionId, name: 'go', payload: '1', idempotencyKey: null }
        expect(await histories.signal([signal])).toEqual(['sent'])
        const next = await bench.claimOne(await bench.node())
        const [loaded] = await histories.load([heldOf(next)])
        expect(loaded).toMatchObject({ entries: [{ sequence: 1 }, { sequence: 2 }], signals: [{ name: 'go' }] })
        await histories.record([item(next, settled(2))])
        await bench.store.leases.finish([success(next)])
        const read = await histories.read(held.executionId)
        expect(read).toMatchObject([{ status: 'COMPLETED' }, { status: 'COMPLETED' }])
        long()
        await archive()
        expect(await histories.read(held.executionId)).toEqual([])
        expect(await histories.read(held.executionId, { archived: true })).toEqual(read)
      })

      it('that is DIVERGED can be cut', async () => {
        const held = await running(bench, { tenant })
        await bench.store.histories.record([item(held, settled(1), settled(2))])
        await bench.store.histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
        long()
        await archive()
        expect(await bench.find(held.executionId)).toMatchObject({ status: 'DIVERGED' })
        expect(await bench.store.histories.cut(held.executionId, 2)).toBe(true)
        const next = await bench.claimOne(await bench.node())
        expect(await bench.store.histories.load([heldOf(next)])).toMatchObject([{ entries: [{ sequence: 1 }] }])
      })

      it('is given what those gave that it stood behind', async () => {
        const first = await bench.running({ tenant })
        const later = await bench.enqueue({ tenant, jobType: 'late', runAt: bench.now + 200 * DAY })
        const after = [first.executionId, later].map((id) => ({ id, on: 'success' }) as const)
        const behind = await bench.enqueue({ tenant, after })
        await bench.store.leases.finish([success(first, { output: '"given"' })])
        long()
        await archive()
        expect(await bench.store.executions.find([first.executionId])).toEqual([])
        expect(await bench.store.executions.predecessors(behind)).toMatchObject([
          { executionId: first.executionId, jobType: 'import', status: 'SUCCESS', output: '"given"' },
        ])
        const chain = await bench.store.executions.chain(behind, 10)
        expect(chain?.executions.map(({ status }) => status).toSorted()).toEqual(['QUEUED', 'SUCCESS', 'WAITING'])
        expect(chain?.links).toHaveLength(2)
      })

      it('may stand behind what is in the archive', async () => {
        const id = await ended()
        long()
        await archive()
        const behind = await bench.enqueue({ tenant, after: [{ id, on: 'success' }] })
        expect(await bench.find(behind)).toMatchObject({ status: 'QUEUED' })
        expect(await bench.store.executions.predecessors(behind)).toMatchObject([{ output: '"done"' }])
      })

      it('is told how a child ended', async () => {
        const held = await running(bench, { tenant })
        const child = bench.execution({ tenant, jobType: 'child' })
        const entries = [begun(1, { kind: 'child', childId: child.body.id })]
        await bench.store.histories.startChildren([{ ...heldOf(held), entries, child }])
        const [started] = await bench.claim(await bench.node({ jobTypes: ['child'] }), { jobTypes: ['child'] })
        if (!started) throw new Error('The child did not start.')
        await bench.store.leases.finish([success(started, { output: '"grown"' })])
        long()
        await archive()
        const [news] = await bench.store.histories.news([heldOf(held)])
        expect(news?.children).toMatchObject([{ executionId: child.body.id, status: 'SUCCESS', output: '"grown"' }])
        await bench.store.histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
        await bench.store.histories.cut(held.executionId, 2)
        const next = await bench.claimOne(await bench.node())
        const [loaded] = await bench.store.histories.load([heldOf(next)])
        expect(loaded?.children).toMatchObject([{ status: 'SUCCESS', output: '"grown"' }])
      })
    })

    it('a key stays taken', async () => {
      const id = await ended({ idempotencyKey: 'once' })
      long()
      await archive()
      const again = bench.execution({ tenant, idempotencyKey: 'once', payload: '{"a":1}' })
      expect(await bench.store.executions.enqueue([again])).toEqual([{ id, isNew: false, payload: '{"a":1}' }])
    })

    describe('the audit log', () => {
      const append = (count = 1) =>
        bench.store.audit.append(
          Array.from({ length: count }, (_, n) => ({
            tenant,
            operation: 'JOBS_JOB_SIGNAL' as const,
            userId: 'ann',
            jobId: null,
            executionId: null,
            oldValues: null,
            newValues: { n },
          })),
        )
      const sequences = async (archived: boolean) =>
        (await bench.store.audit.list({ tenant, archived, isAscending: true, ...ALL })).map(({ sequence }) => sequence)

      it('is one chain over both', async () => {
        await append(3)
        long()
        await archive()
        await append(2)
        expect(await sequences(false)).toEqual([4, 5])
        expect(await sequences(true)).toEqual([1, 2, 3, 4, 5])
        const newest = await bench.store.audit.list({ tenant, archived: true, limit: 2, after: 5 })
        expect(newest.map(({ sequence }) => sequence)).toEqual([4, 3])
        expect(await verifyAudit(bench.store.audit, tenant)).toMatchObject({ isIntact: true, entries: 5 })
        expect(await verifyAudit(bench.store.forTenant(tenant).audit, tenant)).toMatchObject({ isIntact: true })
        expect(await bench.store.forTenant('other').audit.list({ tenant, archived: true, ...ALL })).toEqual([])
      })

      it('is cut where it is too large, and goes on', async () => {
        await monthOfItsOwn()
        await append(2)
        const { archive: store } = bench.store
        expect(await store.auditBytes()).toBeGreaterThan(0)
        const before = await store.auditBytes()
        bench.advance(1)
        expect(await store.cutAudit()).toBe('done')
        bench.advance(1)
        await append(2)
        expect(await sequences(false)).toEqual([3, 4])
        bench.advance(1)
        expect(await store.cutAudit()).toBe('done')
        bench.advance(1)
        await append(1)
        expect(await store.auditBytes()).toBeLessThanOrEqual(before + 100_000)
        expect(await sequences(true)).toEqual([1, 2, 3, 4, 5])
        expect(await verifyAudit(bench.store.audit, tenant)).toMatchObject({ isIntact: true, entries: 5 })
        long()
        await archive()
        expect(await sequences(false)).toEqual([])
        expect(await verifyAudit(bench.store.audit, tenant)).toMatchObject({ isIntact: true, entries: 5 })
      })

      it('begins anew after five years, with the hash of what is gone', async () => {
        await monthOfItsOwn()
        await append(3)
        const [old] = await bench.store.audit.heads(tenant)
        long(40)
        await bench.store.maintain()
        await append(2)
        long()
        await archive()
        // Five years after the month of the first three, and before those of the others.
        long(5 * 365.25 + 36 - 170)
        await dropExpired()
        expect(await sequences(true)).toEqual([4, 5])
        expect(await bench.store.audit.anchor(tenant)).toEqual(old)
        expect(await verifyAudit(bench.store.audit, tenant)).toMatchObject({ isIntact: true, entries: 5 })
        expect(await verifyAudit(bench.store.forTenant(tenant).audit, tenant)).toMatchObject({ isIntact: true })
        long(60)
        await dropExpired()
        expect(await sequences(true)).toEqual([])
        await append(1)
        expect(await sequences(true)).toEqual([6])
        expect(await verifyAudit(bench.store.audit, tenant)).toMatchObject({ isIntact: true, entries: 6 })
      })
    })

    async function dropExpired(): Promise<void> {
      const { archive: store } = bench.store
      for (const part of await store.expired()) {
        let after: string | null = null
        for (;;) {
          const { count, last }: { count: number; last: string | null } = await store.clear(part, after, 2)
          if (count < 2) break
          after = last
        }
        expect(await store.drop(part)).toBe('done')
      }
    }

    it('what is younger than five years is not dropped', async () => {
      await monthOfItsOwn()
      const id = await ended()
      const { to } = (await bench.store.archive.due(0)).at(0) ?? { to: 0 }
      expect(to).toBeLessThanOrEqual(bench.now)
      long()
      const parts = await bench.store.archive.due(KEPT)
      await archive()
      const mine = parts.filter(
        ({ from, to: end }) => (from ?? 0) <= bench.now - 130 * DAY && end > bench.now - 130 * DAY,
      )
      expect(mine.map(({ kind }) => kind).toSorted()).toEqual(['audit', 'executions'])
      for (const part of mine) {
        const code = 'archive.too_young'
        await expect(bench.store.archive.drop(part)).rejects.toMatchObject({ code })
      }
      const months = mine.filter(({ kind }) => kind === 'executions')
      for (const part of months) await expect(bench.store.archive.clear(part, null, 1)).rejects.toThrow('five years')
      expect(await find(id)).toBeDefined()
    })

    it('after five years nothing is left', async () => {
      const id = await ended({ idempotencyKey: 'old' })
      long()
      await archive()
      long(5 * 366)
      await dropExpired()
      while ((await bench.store.archive.clearLedger(1_000)) > 0);
      expect(await find(id)).toBeUndefined()
      expect(await bench.store.exists('execution', id)).toBe(false)
      const again = bench.execution({ tenant, idempotencyKey: 'old' })
      expect(await bench.store.executions.enqueue([again])).toMatchObject([{ isNew: true }])
    })
  })
}
