import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError } from '../../errors.ts'
import { invalidOption, requireOptions, requireText } from '../../time/require.ts'
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
