import { FLAGS, type Flag } from '../../access/flag.ts'
import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError } from '../../errors.ts'
import { requireBoolean, requireOptions } from '../../time/require.ts'

/**
 * Who is asked about flags: what `OpenFeature.getClient()` gives, whatever provider stands behind it. The key is that of the flag, and the `targetingKey` of
 * the context the tenant.
 */
export interface FlagClient {
  getBooleanValue(flag: string, defaultValue: boolean, context: FlagContext): Promise<boolean>
  /** Where there is this, it is asked, as it tells a flag that nobody knows from one that is on. */
  getBooleanDetails?(flag: string, defaultValue: boolean, context: FlagContext): Promise<FlagDetails>
}

// Not an interface, which would not fit an index of values.
/** Whom a flag is asked for: the tenant. */
export type FlagContext = { readonly targetingKey: string }

interface FlagDetails {
  readonly value: boolean
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
}

/** Where flags are asked for, and what holds where nobody has said anything. */
export interface FlagOptions {
  /** What it answers goes before what is stored. Default: none is asked. */
  readonly client?: FlagClient | undefined
  /** How often it is asked. Default 5 seconds. */
  readonly every?: Duration | undefined
  /** What holds for tenants of which nothing else is said; a flag that is not named is on. Default: as it is stored. */
  readonly defaults?: Readonly<Partial<Record<Flag, boolean>>> | undefined
}

export interface FlagRules {
  readonly client: FlagClient | null
  readonly everyMs: number
  readonly defaults: Readonly<Partial<Record<Flag, boolean>>> | null
}

const EVERY_MS = 5_000
const SHORTEST_MS = 100

/** The options about flags, checked and complete. */
export function flagRules(options: FlagOptions = {}): FlagRules {
  requireOptions(options, 'flags', ['client', 'every', 'defaults'])
  const { client = null, defaults = null } = options
  if (client !== null && typeof client.getBooleanValue !== 'function') {
    const message = 'flags.client must have getBooleanValue(flag, default, context), as OpenFeature.getClient() gives.'
    throw new InvalidInputError('option.invalid', message, { name: 'flags.client', received: client })
  }
  if (defaults !== null) {
    requireOptions(defaults, 'flags.defaults', FLAGS)
    for (const [flag, isOn] of Object.entries(defaults)) requireBoolean(isOn, `flags.defaults.${flag}`)
  }
  return { client, everyMs: Math.max(SHORTEST_MS, parseDuration(options.every ?? EVERY_MS, 'flags.every')), defaults }
}
