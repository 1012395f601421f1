import { FLAGS, type Flag } from '../../access/flag.ts'
import type { Env } from '../../clock.ts'
import type { Service } from '../../engine/node/loop.ts'
import { Loop, type NextStep } from '../../engine/node/loop.ts'
import type { Logger } from '../../logger.ts'
import type { ProvidedFlag } from '../../store/flags.ts'
import type { EngineStore } from '../../store/store.ts'
import type { FlagClient, FlagRules } from './flag-options.ts'

export interface FollowFlagsOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: Pick<EngineStore, 'tenants' | 'flags'>
  readonly client: FlagClient
  readonly everyMs: number
}

/** Follows the provider, where there is one. */
export function flagDuties(
  { env, logger, store }: Pick<FollowFlagsOptions, 'env' | 'logger' | 'store'>,
  { client, everyMs }: FlagRules,
): readonly Service[] {
  return client === null ? [] : [new FollowFlags({ env, logger, store, client, everyMs })]
}

/** Tenants that are asked about together. */
const PAGE = 200
/** A provider that takes longer has not answered. */
const PATIENCE_MS = 5_000
/** The code by which OpenFeature tells that nobody has said anything about a flag. */
const UNKNOWN = 'FLAG_NOT_FOUND'

/** Asks a provider of flags about all tenants, again and again, and keeps in the store what has changed. While it fails, its last answers hold. */
export class FollowFlags extends Loop {
  readonly #options: FollowFlagsOptions
  /** The last answers, by tenant and flag; null where the provider knows nothing of it. */
  #known = new Map<string, boolean | null>()
  #isFailing = false

  constructor(options: FollowFlagsOptions) {
    const { env, logger, everyMs } = options
    super({ name: 'flags', env, logger, everyMs, step: () => this.#ask() })
    this.#options = options
  }

  async #ask(): Promise<NextStep> {
    const { tenants } = this.#options.store
    const known = new Map<string, boolean | null>()
    let failure: unknown = null
    for (let after: string | undefined; ; ) {
      const page = await tenants.list({ limit: PAGE, after })
      const asked = page.flatMap(({ tenant }) => FLAGS.map((flag) => ({ tenant, flag })))
      const answers = await Promise.allSettled(asked.map((each) => this.#answer(each.tenant, each.flag)))
      for (const answer of answers) if (answer.status === 'rejected') failure ??= answer.reason
      await this.#keep(
        asked.flatMap((each, index) => {
          const answer = answers[index]
          return answer?.status === 'fulfilled' ? [{ ...each, isEnabled: answer.value }] : []
        }),
      )
      for (const { tenant, flag } of asked) {
        const said = this.#known.get(keyOf(tenant, flag))
        if (said !== undefined) known.set(keyOf(tenant, flag), said)
      }
      after = page.at(-1)?.tenant
      if (page.length < PAGE) break
    }
    // Of tenants that are gone nothing is remembered.
    this.#known = known
    this.#tell(failure)
    return 'whenWoken'
  }

  /** null: the provider knows nothing of it. Rejects where it could not be asked. */
  async #answer(tenant: string, flag: Flag): Promise<boolean | null> {
    const { client } = this.#options
    const context = { targetingKey: tenant }
    const isOn = this.#known.get(keyOf(tenant, flag)) ?? true
    if (!client.getBooleanDetails) return await this.#inTime(client.getBooleanValue(flag, isOn, context))
    const { value, errorCode, errorMessage } = await this.#inTime(client.getBooleanDetails(flag, isOn, context))
    if (errorCode === undefined) return value
    if (errorCode === UNKNOWN) return null
    throw new Error(errorMessage ? `${errorCode}: ${errorMessage}` : errorCode)
  }

  async #inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const { env } = this.#options
    let cancel = () => {}
    const over = new Promise<never>((_, reject) => {
      cancel = env.after(PATIENCE_MS, () => reject(new Error(`No answer within ${PATIENCE_MS} ms.`)))
    })
    try {
      return await Promise.race([asked, over])
    } finally {
      cancel()
    }
  }

  async #keep(answers: readonly ProvidedFlag[]): Promise<void> {
    const changed = answers.filter(({ tenant, flag, isEnabled }) => this.#known.get(keyOf(tenant, flag)) !== isEnabled)
    if (changed.length === 0) return
    await this.#options.store.flags.provide(changed)
    for (const { tenant, flag, isEnabled } of changed) this.#known.set(keyOf(tenant, flag), isEnabled)
  }

  /** Once per outage. */
  #tell(failure: unknown): void {
    const { logger } = this.#options
    if (failure !== null && !this.#isFailing) {
      logger.warn('The provider of flags does not answer; its last answers hold', { error: failure })
    }
    if (failure === null && this.#isFailing) logger.info('The provider of flags answers again')
    this.#isFailing = failure !== null
  }
}

function keyOf(tenant: string, flag: Flag): string {
  return `${flag} ${tenant}`
}
