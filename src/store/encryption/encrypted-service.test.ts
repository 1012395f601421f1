import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemEnv } from '../../clock.ts'
import { silentLogger } from '../../logger.ts'
import { DEFAULT_SETTINGS } from '../../service/administration/default-settings.ts'
import { memory } from '../memory/memory.ts'
import type { EngineStore, StoreSource } from '../store.ts'
import { encrypted } from './encrypted.ts'

const webhook = { id: 'w1', url: 'https://hooks.example.com/T0/s3cr3t', events: [], secret: 'a-secret-of-16-and-more' }
const settings = { ...DEFAULT_SETTINGS, webhooks: [webhook] }

let plain: EngineStore
let store: EngineStore
beforeEach(async () => {
  const source = memory()
  const watched: StoreSource = {
    kind: source.kind,
    open: async (surroundings) => {
      plain = await source.open(surroundings)
      return plain
    },
  }
  const keys = [{ id: 'a', key: Buffer.alloc(32, 1) }]
  store = await encrypted(watched, { keys }).open({ env: systemEnv, logger: silentLogger })
})
afterEach(() => store.close())

const storedText = async () => JSON.stringify((await plain.settings.find('acme'))?.settings)

it('stores addresses and secrets of webhooks encrypted', async () => {
  await store.settings.put({ tenant: 'acme', settings, expectedVersion: 0 })
  expect(await storedText()).not.toMatch(/hooks\.example|s3cr3t|a-secret/)
  expect((await store.settings.find('acme'))?.settings.webhooks).toEqual([webhook])
})

it('encrypts an address that an earlier version stored in plain text with the next change, or with "keys seal"', async () => {
  await store.settings.put({ tenant: 'acme', settings, expectedVersion: 0 })
  const sealed = (await plain.settings.find('acme'))!.settings
  const old = { ...sealed, webhooks: sealed.webhooks.map((each) => ({ ...each, url: webhook.url })) }
  await plain.settings.put({ tenant: 'acme', settings: old, expectedVersion: 1 })
  await plain.tenants.limit([{ tenant: 'acme', concurrency: 5 }])
  expect((await store.settings.find('acme'))?.settings.webhooks).toEqual([webhook])
  await store.sealing?.sealPlaintext(null, 100)
  expect(await storedText()).not.toContain('s3cr3t')
  expect((await store.settings.find('acme'))?.settings.webhooks).toEqual([webhook])

  await plain.settings.put({ tenant: 'acme', settings: old, expectedVersion: 3 })
  await store.settings.put({ tenant: 'acme', settings, expectedVersion: 4 })
  expect(await storedText()).not.toContain('s3cr3t')
})
