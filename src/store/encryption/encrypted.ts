import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import { requireOneOf, requireOptions } from '../../time/require.ts'
import type { EngineStore, StoreSource, TenantStore } from '../store.ts'
import { Boxes } from './boxes.ts'
import { encryptedExecutions, encryptedOccurrences } from './encrypted-executions.ts'
import { encryptedHistories, encryptedTenantHistories } from './encrypted-histories.ts'
import { encryptedJobs } from './encrypted-jobs.ts'
import { encryptedLeases } from './encrypted-leases.ts'
import {
  encryptedCache,
  encryptedLogs,
  encryptedRequests,
  encryptedSettings,
  encryptedTenantLogs,
} from './encrypted-service.ts'
import { KeyRing, type KeyRingOptions } from './key-ring.ts'
import { Owners } from './owners.ts'
import { StoreSealing } from './store-sealing.ts'

/** With which keys a store is sealed. */
export interface EncryptionOptions {
  /**
   * Keys of 32 bytes, each with an id that names it for ever: the first one is the current one, the others open what they have wrapped. Also as text,
   * `id:base64,older:base64`. They stand in no store: who loses them loses what is sealed.
   */
  readonly keys: KeyRingOptions
  /**
   * What becomes of what was never sealed. `refused`: it cannot be read, and an execution with such a payload fails; whoever can write to the database
   * cannot put words into a job's mouth. `accepted`: for the time between switching encryption on and sealing what was there before. Default: refused.
   */
  readonly plaintext?: 'accepted' | 'refused' | undefined
}

/**
 * A store whose contents are encrypted with AES-256-GCM before it stores them: payloads, results, histories, signals, checkpoints, log lines and the words of
 * errors. Names, times and statuses stay as they are.
 *
 * @example
 * const store = encrypted(postgres(process.env.DATABASE_URL), { keys: process.env.PONTUAL_ENCRYPTION_KEYS ?? '' })
 */
export function encrypted(source: StoreSource, options: EncryptionOptions): StoreSource {
  const { keys, plaintext = 'refused' } = requireOptions(options, 'encrypted()', ['keys', 'plaintext'])
  const ring = new KeyRing(requireKeys(keys))
  const acceptsPlaintext = requireOneOf(plaintext, 'plaintext', ['accepted', 'refused'] as const) === 'accepted'
  return {
    kind: source.kind,
    open: async (surroundings) => {
      const store = await source.open(surroundings)
      try {
        await requireFit(store, ring, acceptsPlaintext)
      } catch (error) {
        await store.close()
        throw error
      }
      const boxes = new Boxes({ ring, dataKeys: store.dataKeys, acceptsPlaintext })
      return encryptedStore(store, boxes, new StoreSealing({ store, ring, boxes, acceptsPlaintext }))
    },
  }
}

function requireKeys(keys: unknown): KeyRingOptions {
  if (typeof keys === 'string' || Array.isArray(keys)) return keys as KeyRingOptions
  throw new InvalidInputError('encryption.keys_missing', `keys must be a list or text, got ${quote(keys)}.`, {
    received: keys,
  })
}

/** To begin with keys that do not fit would fail every execution, one after the other. */
async function requireFit(store: EngineStore, ring: KeyRing, acceptsPlaintext: boolean): Promise<void> {
  const used = await store.dataKeys.count()
  const missing = used.map(({ keyId }) => keyId).filter((keyId) => !ring.has(keyId))
  if (missing.length > 0) {
    const message = `The key ring has ${ring.ids.join(', ')}, but what is stored needs ${missing.join(', ')}. A key may go once "pontual keys rotate" is done.`
    throw new PontualError('encryption.keys_lacking', message, { missing, known: ring.ids })
  }
  if (used.length > 0 || acceptsPlaintext) return
  const [executions, jobs] = await Promise.all([store.executions.list({ limit: 1 }), store.jobs.list({ limit: 1 })])
  if (executions.length === 0 && jobs.length === 0) return
  const message =
    'The store holds jobs or executions that are not encrypted. Open it with plaintext: "accepted" (PONTUAL_ENCRYPTION_PLAINTEXT=accepted), run "pontual keys seal", and then without.'
  throw new PontualError('encryption.plaintext_found', message)
}

/** A store that seals what handlers take, give and say before another one stores it, and opens it again. */
function encryptedStore(store: EngineStore, boxes: Boxes, sealing: StoreSealing): EngineStore {
  const owners = new Owners(store.executions)
  return {
    ...store,
    ...encryptedNouns(store, boxes, owners),
    leases: encryptedLeases(store.leases, boxes, owners),
    histories: encryptedHistories(store.histories, boxes, owners),
    logs: encryptedLogs(store.logs, boxes, owners),
    sealing,
    forTenant: (tenant) => encryptedTenantStore(store.forTenant(tenant), boxes),
  }
}

function encryptedTenantStore(store: TenantStore, boxes: Boxes): TenantStore {
  const owners = new Owners(store.executions)
  return {
    ...store,
    ...encryptedNouns(store, boxes, owners),
    histories: encryptedTenantHistories(store.histories, boxes, owners),
    logs: encryptedTenantLogs(store.logs, boxes, owners),
  }
}

function encryptedNouns(store: TenantStore, boxes: Boxes, owners: Owners) {
  return {
    jobs: encryptedJobs(store.jobs, boxes),
    occurrences: encryptedOccurrences(store.occurrences, boxes),
    executions: encryptedExecutions(store.executions, boxes, owners),
    cache: encryptedCache(store.cache, boxes),
    requests: encryptedRequests(store.requests, boxes),
    settings: encryptedSettings(store.settings, boxes),
  }
}
