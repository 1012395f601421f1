import { describe, expect, it } from 'vitest'
import type { NewApiKey, NewSession } from '../../../src/store/credentials.ts'
import { type Bench, HOUR, MINUTE } from './bench.ts'

export function describeCredentials(bench: Bench): void {
  const newHash = () => bench.uuid().replaceAll('-', '').repeat(2)
  const newTenant = () => `keys-${bench.uuid()}`

  function key(change: Partial<NewApiKey> = {}): NewApiKey {
    return {
      id: bench.uuid(),
      tenant: 'acme',
      name: 'Integração "fiscal"',
      secretHash: newHash(),
      profile: 'Developer',
      permissions: ['jobs:read', 'jobs:execute'],
      ownerId: 'ana',
      expiresAt: null,
      ...change,
    }
  }

  function session(change: Partial<NewSession> = {}): NewSession {
    return {
      secretHash: newHash(),
      tenant: 'acme',
      userId: 'ana',
      ownerId: null,
      profile: 'Manager',
      permissions: ['jobs:read'],
      source: 'jwt',
      keyId: null,
      expiresAt: bench.now + HOUR,
      ...change,
    }
  }

  describe('a key', () => {
    it('is found by the hash of its secret, of whatever tenant', async () => {
      const [mine, other] = [key(), key({ tenant: 'globex', permissions: [], expiresAt: bench.now + 1 })]
      await bench.store.credentials.addKey(mine)
      await bench.store.credentials.addKey(other)
      const added = { createdAt: bench.now, revokedAt: null, lastUsedAt: null }
      expect(await bench.store.credentials.findKey(mine.secretHash)).toEqual({ ...mine, ...added })
      expect(await bench.store.credentials.findKey(other.secretHash)).toEqual({ ...other, ...added })
      expect(await bench.store.credentials.findKey(newHash())).toBeNull()
    })

    it('is listed with those of its tenant, the newest first, also when it is revoked or over', async () => {
      const tenant = newTenant()
      const [a, b, c] = [key({ tenant }), key({ tenant, expiresAt: bench.now + 1 }), key({ tenant })]
      for (const each of [a, b, c]) {
        await bench.store.credentials.addKey(each)
        bench.advance(MINUTE)
      }
      await bench.store.credentials.addKey(key())
      await bench.store.credentials.revokeKey(tenant, a.id)
      const listed = await bench.store.credentials.listKeys(tenant)
      expect(listed.map(({ id }) => id)).toEqual([c.id, b.id, a.id])
      expect(listed.map(({ revokedAt }) => revokedAt)).toEqual([null, null, bench.now])
      expect(await bench.store.credentials.listKeys(newTenant())).toEqual([])
    })

    it('is stored once: to add it again changes nothing', async () => {
      const added = key()
      await bench.store.credentials.addKey(added)
      await bench.store.credentials.revokeKey('acme', added.id)
      await bench.store.credentials.addKey({ ...added, name: 'again' })
      expect(await bench.store.credentials.findKey(added.secretHash)).toMatchObject({
        name: added.name,
        revokedAt: bench.now,
      })
    })

    it('is revoked once, and by its own tenant', async () => {
      const { id, secretHash, ...rest } = key()
      await bench.store.credentials.addKey({ id, secretHash, ...rest })
      expect(await bench.store.credentials.revokeKey('globex', id)).toBe(false)
      expect((await bench.store.credentials.findKey(secretHash))?.revokedAt).toBeNull()
      const revokedAt = bench.now
      expect(await bench.store.credentials.revokeKey('acme', id)).toBe(true)
      bench.advance(MINUTE)
      expect(await bench.store.credentials.revokeKey('acme', id)).toBe(false)
      expect(await bench.store.credentials.revokeKey('acme', 'no id at all')).toBe(false)
      expect((await bench.store.credentials.findKey(secretHash))?.revokedAt).toBe(revokedAt)
    })

    it('is noted as used, and never as used earlier than before', async () => {
      const [a, b] = [key(), key()]
      await bench.store.credentials.addKey(a)
      await bench.store.credentials.addKey(b)
      const usedAt = bench.now
      await bench.store.credentials.touchKeys([a.id, a.id, 'unknown'])
      bench.advance(-MINUTE)
      await bench.store.credentials.touchKeys([a.id])
      bench.advance(MINUTE)
      await bench.store.credentials.touchKeys([])
      expect((await bench.store.credentials.findKey(a.secretHash))?.lastUsedAt).toBe(usedAt)
      expect((await bench.store.credentials.findKey(b.secretHash))?.lastUsedAt).toBeNull()
      bench.advance(MINUTE)
      await bench.store.credentials.touchKeys([a.id, b.id])
      expect((await bench.store.credentials.findKey(a.secretHash))?.lastUsedAt).toBe(bench.now)
    })
  })

  describe('a session', () => {
    it('is found by the hash of its secret, until it is over', async () => {
      const open = session()
      await bench.store.credentials.addSession(open)
      const createdAt = bench.now
      expect(await bench.store.credentials.findSession(newHash())).toBeNull()
      bench.advance(HOUR - 1)
      expect(await bench.store.credentials.findSession(open.secretHash)).toEqual({ ...open, createdAt })
      bench.advance(1)
      expect(await bench.store.credentials.findSession(open.secretHash)).toBeNull()
    })

    it('is ended by whoever removes it, and no other with it', async () => {
      const [a, b, c] = [session(), session(), session()]
      for (const each of [a, b, c]) await bench.store.credentials.addSession(each)
      await bench.store.credentials.removeSessions([a.secretHash, c.secretHash, newHash()])
      await bench.store.credentials.removeSessions([])
      const found = await Promise.all(
        [a, b, c].map(({ secretHash }) => bench.store.credentials.findSession(secretHash)),
      )
      expect(found.map((each) => each !== null)).toEqual([false, true, false])
    })

    const ends: [string, Partial<NewApiKey>, (id: string) => Promise<unknown>][] = [
      ['is revoked', {}, (id) => bench.store.credentials.revokeKey('acme', id)],
      ['is over', { expiresAt: 0 }, async () => bench.advance(MINUTE)],
    ]
    it.each(ends)('that was exchanged for a key ends when that %s', async (_case, change, end) => {
      const expiresAt = change.expiresAt === undefined ? null : bench.now + MINUTE
      const [owner, other] = [key({ ...change, expiresAt }), key()]
      await bench.store.credentials.addKey(owner)
      await bench.store.credentials.addKey(other)
      const by = (keyId: string) => session({ source: 'apiKey', userId: `key:${keyId}`, ownerId: 'ana', keyId })
      const [mine, others] = [by(owner.id), by(other.id)]
      await bench.store.credentials.addSession(mine)
      await bench.store.credentials.addSession(others)
      expect(await bench.store.credentials.findSession(mine.secretHash)).toEqual({ ...mine, createdAt: bench.now })
      await end(owner.id)
      expect(await bench.store.credentials.findSession(mine.secretHash)).toBeNull()
      expect(await bench.store.credentials.findSession(others.secretHash)).not.toBeNull()
    })

    it('that was exchanged for a key nobody knows is over', async () => {
      const orphan = session({ keyId: bench.uuid() })
      await bench.store.credentials.addSession(orphan)
      expect(await bench.store.credentials.findSession(orphan.secretHash)).toBeNull()
    })

    it('that is over is removed in time, one that is open is kept', async () => {
      const [past, open] = [session({ expiresAt: bench.now + 1 }), session()]
      await bench.store.credentials.addSession(past)
      await bench.store.credentials.addSession(open)
      bench.advance(MINUTE)
      await bench.store.maintain()
      bench.advance(-MINUTE)
      expect(await bench.store.credentials.findSession(past.secretHash)).toBeNull()
      expect(await bench.store.credentials.findSession(open.secretHash)).not.toBeNull()
      bench.advance(MINUTE)
    })
  })
}
