import { PontualError, quote } from '../../errors.ts'
import type { Failure } from '../../job/execution/execution.ts'
import { ERASED, isUnreadable } from '../../job/execution/unreadable.ts'
import type { Job } from '../../job/job.ts'
import type { StoredText, TextChange } from '../contents.ts'
import { isSealed } from '../sealed-text.ts'
import type { SealedPart, Sealing, SealingPlace, SealingStatus } from '../sealing.ts'
import type { EngineStore } from '../store.ts'
import type { Box, Place } from './box.ts'
import type { Boxes } from './boxes.ts'
import { entryAt, signalAt } from './encrypted-histories.ts'
import { sealJob } from './encrypted-jobs.ts'
import { encryptedSettings, lineAt } from './encrypted-service.ts'
import type { KeyRing } from './key-ring.ts'
import { sealFailure } from './sealed-body.ts'

const PAGE = 1_000

export interface StoreSealingOptions {
  /** As it is without encryption. */
  readonly store: EngineStore
  readonly ring: KeyRing
  readonly boxes: Boxes
  readonly acceptsPlaintext: boolean
}

/** Changes of keys, and what was stored before there were any, while everything runs. */
export class StoreSealing implements Sealing {
  readonly #options: StoreSealingOptions

  constructor(options: StoreSealingOptions) {
    this.#options = options
  }

  async status(): Promise<SealingStatus> {
    const { store, ring, acceptsPlaintext } = this.#options
    const used = new Map((await store.dataKeys.count()).map(({ keyId, dataKeys }) => [keyId, dataKeys]))
    const ids = [...new Set([...ring.ids, ...used.keys()])]
    const keys = ids.map((id) => ({
      id,
      isCurrent: id === ring.currentId,
      isKnown: ring.has(id),
      dataKeys: used.get(id) ?? 0,
    }))
    return { currentKeyId: ring.currentId, keys, acceptsPlaintext }
  }

  async rotate(limit: number): Promise<number> {
    const { store, ring } = this.#options
    const found = await store.dataKeys.listOthers(ring.currentId, limit)
    // Who wraps the same at the same moment wraps the same secret: whoever is first counts.
    await store.dataKeys.rewrap(
      found.map((seen) => {
        const { keyId, wrapped } = ring.wrap(ring.unwrap(seen), seen.tenant, seen.version)
        return { seen, keyId, wrapped }
      }),
    )
    const used = await store.dataKeys.count()
    return used.reduce((left, { keyId, dataKeys }) => left + (keyId === ring.currentId ? 0 : dataKeys), 0)
  }

  async requireUnused(keyId: string): Promise<void> {
    const { store, ring } = this.#options
    if (keyId === ring.currentId) {
      const message = `Key ${quote(keyId)} is the current one: put another one first, and rotate.`
      throw new PontualError('encryption.key_current', message, { keyId })
    }
    const dataKeys = (await store.dataKeys.count()).find((use) => use.keyId === keyId)?.dataKeys ?? 0
    if (dataKeys === 0) return
    const message = `Key ${quote(keyId)} is in use: it has wrapped ${dataKeys} data keys. Rotate first; without it what they seal is lost.`
    throw new PontualError('encryption.key_in_use', message, { keyId, dataKeys })
  }

  async sealPlaintext(from: SealingPlace | null, limit: number): Promise<SealedPart> {
    return from?.kind === 'executions' ? await this.#sealTexts(from.after, limit) : await this.#sealJobs(from, limit)
  }

  async #sealJobs(from: SealingPlace | null, limit: number): Promise<SealedPart> {
    const { store, boxes } = this.#options
    if (from === null) await this.#sealSettings()
    const after = from?.kind === 'jobs' ? { tenant: from.tenant, name: from.name } : undefined
    const found = await store.jobs.list({ limit, after })
    const plain = found.filter(isPlain)
    const boxOf = await boxes.needed(plain.map(({ tenant }) => tenant))
    // One that was changed meanwhile was sealed by that.
    await store.jobs.put(
      plain.map((job) => ({
        job: { ...sealJob(boxOf(job.tenant), job), version: job.version + 1 },
        expectedVersion: job.version,
        ledger: [],
      })),
    )
    const last = found.at(-1)
    const next: SealingPlace =
      last && found.length === limit
        ? { kind: 'jobs', tenant: last.tenant, name: last.name }
        : { kind: 'executions', after: null }
    return { sealed: plain.length, next }
  }

  /** Secrets and addresses of webhooks. Settings that are changed meanwhile are sealed by that. */
  async #sealSettings(): Promise<void> {
    const { store, boxes } = this.#options
    const sealed = encryptedSettings(store.settings, boxes)
    for (let after: string | undefined; ; ) {
      const tenants = await store.tenants.list({ limit: PAGE, after })
      for (const { tenant } of tenants) {
        const stored = await store.settings.find(tenant)
        if (!stored?.settings.webhooks.some(({ secret, url }) => !isSealed(secret) || !isSealed(url))) continue
        const opened = await sealed.find(tenant)
        if (opened) await sealed.put({ tenant, settings: opened.settings, expectedVersion: opened.version })
      }
      after = tenants.at(-1)?.tenant
      if (tenants.length < PAGE) return
    }
  }

  async #sealTexts(after: string | null, limit: number): Promise<SealedPart> {
    const { store, boxes } = this.#options
    const { last, texts } = await store.contents.read(after, limit)
    if (last === null) return { sealed: 0, next: null }
    const boxOf = await boxes.needed(texts.map(({ tenant }) => tenant))
    const changes = texts.flatMap((each) => sealedText(boxOf(each.tenant), each) ?? [])
    if (changes.length > 0) await store.contents.rewrite(changes)
    return {
      sealed: new Set(changes.map(({ executionId }) => executionId)).size,
      next: { kind: 'executions', after: last },
    }
  }
}

function isPlain({ definition, details }: Job): boolean {
  const texts = [definition.payload, details.approval?.hash ?? null, details.declared?.payload ?? null]
  return texts.some((text) => text !== null && !isSealed(text) && !isUnreadable(text))
}

/** null where there is nothing to seal. */
function sealedText(box: Box, stored: StoredText): TextChange | null {
  const { tenant: _tenant, origin: _origin, name: _name, text: before, ...place } = stored
  if (isSealed(before) || before === ERASED) return null
  if (isOfWords(stored)) return { ...place, before, after: box.sealWords(placeOf(stored), before) }
  if (isUnreadable(before)) return null
  if (stored.column !== 'error' || stored.table === 'history_entries') {
    return { ...place, before, after: box.seal(placeOf(stored), before) }
  }
  const failure = JSON.parse(before) as Failure
  if (failure.stack !== undefined && isSealed(failure.stack)) return null
  return { ...place, before, after: JSON.stringify(sealFailure(box, stored.executionId, failure)) }
}

/** What people have written, and not data. */
function isOfWords({ table, column }: StoredText): boolean {
  return (table === 'execution_logs' && column === 'message') || column === 'progress_note'
}

function placeOf({ table, executionId, origin, part, column, name }: StoredText): Place {
  switch (table) {
    case 'history_entries':
      return entryAt(origin, part, column)
    case 'execution_logs':
      return lineAt(executionId, part, column)
    case 'signals':
      return signalAt(executionId, name ?? '')
    case 'executions':
    case 'results':
    case 'attempts':
    case 'checkpoints':
      return { table, id: executionId, column }
  }
}
