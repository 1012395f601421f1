import { type Duration, parseDuration } from '../../duration.ts'
import type { App } from '../../engine/app/app.ts'
import { Loop, type Service } from '../../engine/node/loop.ts'
import { InvalidInputError } from '../../errors.ts'
import { invalidOption, requireOptions, requireText } from '../../time/require.ts'
import { send } from '../outbound/send.ts'
import { checkTarget, type OutboundRules, outboundRules, portOf } from '../outbound/target.ts'

export interface PingOptions {
  /** What is asked, with GET, as long as all is well. It is the operator's own and may be anywhere. */
  readonly url: string
  /** How often. Default: a minute. */
  readonly every?: Duration | undefined
}

export interface PingRules {
  readonly url: string
  readonly everyMs: number
  readonly outbound: OutboundRules
}

const SHORTEST_MS = 1_000

const EVERYWHERE = ['0.0.0.0/0', '::/0']

export function pingRules(options: PingOptions | undefined): PingRules | null {
  if (options === undefined) return null
  requireOptions(options, 'deadMansPing', ['url', 'every'])
  const url = requireText(options.url, 'deadMansPing.url')
  if (!URL.canParse(url)) throw invalidOption('…', 'deadMansPing.url', 'an absolute URL such as https://example.com/x')
  const everyMs = parseDuration(options.every ?? '1m', 'deadMansPing.every')
  if (everyMs < SHORTEST_MS) {
    throw new InvalidInputError('option.invalid', `deadMansPing.every must be at least a second, got ${everyMs} ms.`, {
      name: 'deadMansPing.every',
      accepted: 'at least a second',
      received: everyMs,
    })
  }
  const outbound = outboundRules({ ports: [portOf(new URL(url))], networks: EVERYWHERE })
  return { url: checkTarget(url, outbound).href, everyMs, outbound }
}

const PATIENCE_MS = 10_000

/**
 * Asks an address outside again and again, as long as the store answers and a node lives. Who listens there takes silence for trouble: it comes also when nobody
 * is left who could tell of it.
 */
export class DeadMansPing implements Service {
  readonly #opened: App
  readonly #rules: PingRules
  readonly #loop: Loop
  #stopping = new AbortController()
  #failures = 0

  constructor(opened: App, rules: PingRules) {
    const { env, logger } = opened.deps
    this.#opened = opened
    this.#rules = rules
    const step = async () => {
      await this.#ping()
      return 'whenWoken' as const
    }
    this.#loop = new Loop({ name: 'dead-mans-ping', env, logger, everyMs: rules.everyMs, step })
  }

  start(): void {
    this.#stopping = new AbortController()
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop.stop()
  }

  async #ping(): Promise<void> {
    const { store } = this.#opened
    await store.pulse()
    const nodes = await store.nodes.list()
    if (!nodes.some(({ isAlive }) => isAlive)) return
    await this.#send()
  }

  /** That nobody is there is told once: what is outside notices it by itself. */
  async #send(): Promise<void> {
    const { env, logger } = this.#opened.deps
    const { url, outbound: rules } = this.#rules
    const late = new AbortController()
    const cancel = env.after(PATIENCE_MS, () => late.abort())
    try {
      const signal = AbortSignal.any([late.signal, this.#stopping.signal])
      const { status } = await send({ url, method: 'GET', headers: {}, body: null }, { rules, signal })
      if (status < 200 || status > 299) throw new Error(`It was answered with ${status}.`)
      if (this.#failures > 0) logger.info('The ping outside arrives again', { failures: this.#failures })
      this.#failures = 0
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      this.#failures += 1
      // Its path may be all that keeps others from pinging.
      const { origin } = new URL(url)
      if (this.#failures === 1) logger.warn('The ping outside does not arrive', { origin, error })
    } finally {
      cancel()
    }
  }
}
