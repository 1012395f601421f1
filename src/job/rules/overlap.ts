import { invalidOption, requireInteger, requireOneOf, requireOptions } from '../../time/require.ts'

/**
 * What happens to an occurrence of a job that is due before the run before it has ended.
 *
 * - `allow`: it runs beside it
 * - `queue`: it waits, and only one does: those that come due meanwhile become one run by the misfire policy for `overlap`
 * - `skip`: it is recorded as skipped
 * - `replace`: the run before it is cancelled, and it runs
 * - `{ atMost: n }`: up to n run at once, the rest waits
 */
export type OverlapRule = 'allow' | 'queue' | 'skip' | 'replace' | { readonly atMost: number }

const NAMES = ['allow', 'queue', 'skip', 'replace'] as const

const MOST = 10_000

/** The rule of an option, checked and safe to store as JSON. */
export function overlapRule(option: OverlapRule, name = 'overlap'): OverlapRule {
  if (typeof option === 'string') return requireOneOf(option, name, NAMES)
  if (typeof option !== 'object' || option === null) {
    throw invalidOption(option, name, `one of ${NAMES.join(', ')}, or { atMost: n }`, '', {
      case: 'overlap',
      values: NAMES,
    })
  }
  return { atMost: requireInteger(requireOptions(option, name, ['atMost']).atMost, `${name}.atMost`, 1, MOST) }
}

/** How many executions of a job may run at once; null: any number. */
export function concurrencyOf(rule: OverlapRule): number | null {
  if (rule === 'allow') return null
  return typeof rule === 'string' ? 1 : rule.atMost
}
