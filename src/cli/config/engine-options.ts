import { PONTUAL_OPTIONS, type PontualOptions } from '../../engine/app/options.ts'
import type { Config } from '../../server/define-config.ts'

/** What of a configuration `pontual()` takes as it stands. */
export function engineOptions(config: Config): Omit<PontualOptions, 'store' | 'jobs'> {
  const names: ReadonlySet<string> = new Set(PONTUAL_OPTIONS.filter((name) => name !== 'store' && name !== 'jobs'))
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.has(name)))
}
