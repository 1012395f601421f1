import { describe, expect, it } from 'vitest'
import { isFinal } from '../../../src/job/execution/execution.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { silentLogger } from '../../../src/logger.ts'
import type { Pontual } from '../../../src/pontual.ts'
import { builtInTypes } from '../../../src/service/job-types/built-in.ts'
import { encrypted } from '../../../src/store/encryption/encrypted.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { type TestPontual, testPontual } from '../../../src/testing/test-pontual.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { ManualEnv } from '../conformance/manual-env.ts'
import { NEW, OLD } from './vault.ts'

const TENANTS = Array.from({ length: 12 }, (_, n) => `tenant-${n}`)
const echo = job('echo', { run: (input: unknown) => input })

let seeds = 100

/** Keys come and go while everything runs. */
export function describeRotation(openRaw: () => StoreSource): void {
  async function start(store: StoreSource): Promise<TestPontual> {
    seeds += 1
    const made: { test?: TestPontual } = {}
    const app = (): Pontual => {
      if (!made.test) throw new Error('It has not begun.')
      return made.test.app
    }
    made.test = await testPontual({ store, seed: seeds, jobs: [echo, ...builtInTypes(app)] })
    return made.test
  }

  async function ended({ app, settle }: { app: Pontual; settle: () => Promise<void> }, id: string) {
    for (let turn = 0; turn < 2_000; turn += 1) {
      await settle()
      const found = await app.execution(id)
      if (found && isFinal(found.status)) return found
    }
    throw new Error('It does not end.')
  }
  const watched = (it: TestPontual) => ({ app: it.app, settle: () => it.settle() })

  /** One execution of each tenant, under the old key. */
  async function fill(raw: StoreSource): Promise<string[]> {
    const it = await start(encrypted(raw, { keys: [OLD] }))
    const ids = []
    for (const tenant of TENANTS) ids.push((await it.app.enqueue('echo', { tenant }, { tenant })).id)
    for (const id of ids) await ended(watched(it), id)
    await it.stop()
    return ids
  }

  const statusOf = async (source: StoreSource) => {
    const store = await source.open({ env: new ManualEnv(Date.UTC(2026, 0, 1)), logger: silentLogger })
    try {
      return await store.sealing?.status()
    } finally {
      await store.close()
    }
  }

  describe('S41 rotation', () => {
    it('rewraps while others write and read, and every read succeeds', async () => {
      const raw = openRaw()
      const before = await fill(raw)
      await using it = await start(encrypted(raw, { keys: [NEW, OLD] }))
      // Another node that has not heard of the order yet.
      await using other = await start(encrypted(raw, { keys: [OLD, NEW] }))
      const { store } = await it.app.opened()
      const ids = [...before]
      for (let left = TENANTS.length; left > 0; ) {
        left = (await store.sealing?.rotate(1)) ?? 0
        const tenant = TENANTS[left % TENANTS.length] ?? ''
        ids.push((await (left % 2 ? it : other).app.enqueue('echo', { tenant }, { tenant })).id)
      }
      for (const id of ids) {
        const found = await ended(watched(it), id)
        expect(found).toMatchObject({
          status: 'SUCCESS',
          input: { tenant: found.tenant },
          output: { tenant: found.tenant },
        })
      }
    })

    it('goes on where it was interrupted, and tells how far it is', async () => {
      const raw = openRaw()
      await fill(raw)
      const both = encrypted(raw, { keys: [NEW, OLD] })
      const first = await both.open({ env: new ManualEnv(Date.UTC(2026, 0, 1)), logger: silentLogger })
      const { keys = [] } = (await first.sealing?.status()) ?? {}
      const all = keys.reduce((sum, { dataKeys }) => sum + dataKeys, 0)
      expect(await first.sealing?.rotate(5)).toBe(all - 5)
      await first.close()
      expect(await statusOf(both)).toMatchObject({
        currentKeyId: 'new',
        keys: [
          { id: 'new', isCurrent: true, isKnown: true, dataKeys: 5 },
          { id: 'old', isCurrent: false, isKnown: true, dataKeys: all - 5 },
        ],
      })
      const second = await both.open({ env: new ManualEnv(Date.UTC(2026, 0, 1)), logger: silentLogger })
      expect(await second.sealing?.rotate(100)).toBe(0)
      await second.close()
    })

    it('a process without keys does not start where they are needed', async () => {
      const raw = openRaw()
      await fill(raw)
      await expect(start(raw)).rejects.toMatchObject({ code: 'encryption.keys_lacking', details: { missing: ['old'] } })
    })

    it('a key is not retired before what it has wrapped is gone, and not needed after', async () => {
      const raw = openRaw()
      const [id = ''] = await fill(raw)
      await expect(statusOf(encrypted(raw, { keys: [NEW] }))).rejects.toMatchObject({ code: 'encryption.keys_lacking' })
      const both = encrypted(raw, { keys: [NEW, OLD] })
      const store = await both.open({ env: new ManualEnv(Date.UTC(2026, 0, 1)), logger: silentLogger })
      await expect(store.sealing?.requireUnused('old')).rejects.toMatchObject({
        code: 'encryption.key_in_use',
        details: { keyId: 'old' },
      })
      await expect(store.sealing?.requireUnused('new')).rejects.toMatchObject({ code: 'encryption.key_current' })
      await store.sealing?.rotate(100)
      await expect(store.sealing?.requireUnused('old')).resolves.toBeUndefined()
      await store.close()
      await using it = await start(encrypted(raw, { keys: [NEW] }))
      expect(await it.app.execution(id)).toMatchObject({ input: { tenant: TENANTS[0] } })
    })

    it('pontual.rotate-keys does it as a job, of the tenant of the application only', async () => {
      const raw = openRaw()
      await fill(raw)
      const both = encrypted(raw, { keys: [NEW, OLD] })
      await using it = await start(both)
      const { id } = await it.app.enqueue('pontual.rotate-keys')
      const done = await ended(watched(it), id)
      expect(done).toMatchObject({ status: 'SUCCESS', progress: 1, output: { keyId: 'new' } })
      expect((await statusOf(both))?.keys).toMatchObject([{ id: 'new' }, { id: 'old', dataKeys: 0 }])
      const foreign = await it.app.enqueue('pontual.rotate-keys', undefined, { tenant: 'tenant-1' })
      expect(await ended(watched(it), foreign.id)).toMatchObject({ status: 'FAILED', attempt: 1 })
    })
  })

  describe('what was stored before there was encryption', () => {
    async function plain(raw: StoreSource): Promise<string> {
      const it = await start(raw)
      const { id } = await it.app.enqueue('echo', { card: '4242-secret' })
      await ended(watched(it), id)
      await it.app.schedule('echo', { name: 'nightly', trigger: cron('0 2 * * *'), input: { card: '4242-secret' } })
      await it.stop()
      return id
    }

    it('is not opened by accident', async () => {
      const raw = openRaw()
      await plain(raw)
      await expect(statusOf(encrypted(raw, { keys: [NEW] }))).rejects.toMatchObject({
        code: 'encryption.plaintext_found',
      })
    })

    it('is read while it is accepted, is sealed batch by batch, and then needs to be accepted no more', async () => {
      const raw = openRaw()
      const id = await plain(raw)
      const it = await start(encrypted(raw, { keys: [NEW], plaintext: 'accepted' }))
      expect(await it.app.execution(id)).toMatchObject({ input: { card: '4242-secret' } })
      const { id: sealing } = await it.app.enqueue('pontual.rotate-keys')
      expect(await ended(watched(it), sealing)).toMatchObject({ status: 'SUCCESS', output: { sealed: 2 } })
      await it.stop()
      const intruder = await raw.open({ env: new ManualEnv(Date.UTC(2026, 0, 1)), logger: silentLogger })
      expect(JSON.stringify(await intruder.contents.read(null, 100))).not.toContain('4242-secret')
      expect(JSON.stringify(await intruder.jobs.list({ limit: 9 }))).not.toContain('4242-secret')
      await intruder.close()
      await using after = await start(encrypted(raw, { keys: [NEW] }))
      expect(await after.app.execution(id)).toMatchObject({
        input: { card: '4242-secret' },
        output: { card: '4242-secret' },
      })
    })
  })
}
