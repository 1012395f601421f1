import { systemEnv } from '../../clock.ts'
import { silentLogger } from '../../logger.ts'
import { encrypted } from '../../store/encryption/encrypted.ts'
import { postgres } from '../../store/postgres/postgres.ts'
import type { Sealing, SealingPlace, SealingStatus } from '../../store/sealing.ts'
import { createProgress } from '../print/executions.ts'
import { formatTable } from '../print/table.ts'
import type { Terminal } from '../terminal.ts'

export interface KeysOptions {
  readonly databaseUrl?: string
  readonly schema?: string
  /** The key ring, as PONTUAL_ENCRYPTION_KEYS has it. */
  readonly keys?: string | undefined
  readonly json: boolean
}

const BATCH = 500

/** `pontual keys status`: which keys there are, and what each of them has wrapped. */
export async function showKeys(options: KeysOptions, terminal: Terminal): Promise<void> {
  await withSealing(options, async (sealing) => tell(await sealing.status(), options, terminal))
}

/** `pontual keys rotate`: wraps all data keys with the current key, while nodes run. To be interrupted and called again. */
export async function rotateKeys(options: KeysOptions, terminal: Terminal): Promise<void> {
  const progress = createProgress(terminal, options)
  await withSealing(options, async (sealing) => {
    for (let left = await sealing.rotate(BATCH); left > 0; left = await sealing.rotate(BATCH)) {
      progress.report(`${left} data keys are left`)
    }
    progress.end()
    tell(await sealing.status(), options, terminal)
  }).finally(() => progress.end())
}

/** `pontual keys retire`: whether a key may be taken off the ring. Fails where what it has wrapped is still there. */
export async function retireKey(keyId: string, options: KeysOptions, terminal: Terminal): Promise<void> {
  await withSealing(options, (sealing) => sealing.requireUnused(keyId))
  terminal.write(
    options.json
      ? `${JSON.stringify({ keyId, isUnused: true })}\n`
      : `Nothing needs key ${keyId}: it may be taken off the ring.\n`,
  )
}

/** `pontual keys seal`: seals what was stored before there was encryption, while nodes run. */
export async function sealPlaintext(options: KeysOptions, terminal: Terminal): Promise<void> {
  let sealed = 0
  const progress = createProgress(terminal, options)
  await withSealing(options, async (sealing) => {
    for (let from: SealingPlace | null = null; ; ) {
      const part = await sealing.sealPlaintext(from, BATCH)
      sealed += part.sealed
      if (part.next === null) return
      progress.report(`${sealed} jobs and executions are sealed`)
      from = part.next
    }
  }).finally(() => progress.end())
  terminal.write(
    options.json ? `${JSON.stringify({ sealed })}\n` : `All is sealed; ${sealed} jobs and executions were not.\n`,
  )
}

async function withSealing(options: KeysOptions, use: (sealing: Sealing) => Promise<void>): Promise<void> {
  const database = postgres(options.databaseUrl, {
    migrate: false,
    maxConnections: 1,
    deadline: '5m',
    schema: options.schema,
  })
  const source = encrypted(database, { keys: options.keys ?? '', plaintext: 'accepted' })
  const store = await source.open({ env: systemEnv, logger: silentLogger })
  try {
    if (store.sealing) await use(store.sealing)
  } finally {
    await store.close()
  }
}

function tell(status: SealingStatus, { json }: KeysOptions, terminal: Terminal): void {
  const { keys, currentKeyId } = status
  if (json) {
    terminal.write(`${JSON.stringify({ currentKeyId, keys })}\n`)
    return
  }
  const rows = keys.map(({ id, isCurrent, isKnown, dataKeys }) => [
    id,
    isCurrent ? 'current' : isKnown ? 'known' : 'MISSING',
    dataKeys,
  ])
  terminal.write(formatTable(['key', 'state', 'data keys'], rows))
}
