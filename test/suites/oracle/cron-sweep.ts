import { DAY_MS, HOUR_MS } from '../../../src/duration.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import type { Comparison } from './comparison.ts'
import { CronOracle, type CronRules } from './cron-oracle.ts'
import type { Chance } from './expressions.ts'
import type { Stretch } from './wall-clock.ts'

export const FROM = Date.UTC(1970, 0, 1)
export const TO = Date.UTC(2038, 0, 1)

export const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone')

/** Every way to treat gaps and overlaps. */
export const RULES: readonly CronRules[] = (['shift', 'skip'] as const).flatMap((gap) =>
  ([undefined, 'first', 'last', 'both'] as const).map((overlap) => ({ gap, overlap })),
)

/** Changes that are odd: by half an hour, two hours or a day, at midnight or a minute after, with seconds, with Ramadan. */
export const ODD_CHANGES: readonly (readonly [zone: string, date: string])[] = [
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['Australia/Lord_Howe', '2017-10-01'],
  ['Australia/Lord_Howe', '2017-04-02'],
  ['Australia/Lord_Howe', '1981-03-01'],
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Apia', '2011-04-02'],
  ['Pacific/Fakaofo', '2011-12-30'],
  ['Pacific/Kiritimati', '1994-12-31'],
  ['Pacific/Kwajalein', '1993-08-21'],
  ['Africa/Casablanca', '2019-05-05'],
  ['Africa/Casablanca', '2019-06-09'],
  ['Africa/Casablanca', '2012-07-20'],
  ['Africa/El_Aaiun', '2026-02-15'],
  ['America/St_Johns', '2007-03-11'],
  ['America/St_Johns', '2007-11-04'],
  ['America/St_Johns', '1988-04-03'],
  ['Asia/Amman', '2017-03-31'],
  ['Asia/Amman', '2017-10-27'],
  ['Antarctica/Troll', '2016-03-27'],
  ['Antarctica/Troll', '2016-10-30'],
  ['Africa/Monrovia', '1972-01-07'],
  ['America/Havana', '2018-03-11'],
  ['America/Havana', '2018-11-04'],
  ['Asia/Kathmandu', '1986-01-01'],
  ['Asia/Pyongyang', '2018-05-04'],
  ['America/Caracas', '2007-12-09'],
  ['America/Santiago', '2017-05-14'],
  ['America/Nuuk', '2023-03-25'],
  ['America/Scoresbysund', '1981-03-29'],
  ['Asia/Gaza', '2015-03-28'],
  ['Asia/Tehran', '2022-09-21'],
  ['Europe/Dublin', '1971-10-31'],
  ['Europe/Volgograd', '2018-10-28'],
  ['America/Recife', '2000-10-08'],
  ['Antarctica/Casey', '2020-10-04'],
  ['Africa/Juba', '2021-01-31'],
  ['Africa/Sao_Tome', '2018-01-01'],
  ['America/Guyana', '1975-08-01'],
]

export interface Window {
  readonly from: number
  readonly to: number
}

/** A range around an instant that is not too long for what an expression fires, and rarely begins on a whole hour. */
export function windowAround(instant: number, expression: string, chance: Chance, mostMs = 3 * DAY_MS): Window {
  const hasSeconds = expression.split(' ').length === 6
  const isDense = hasSeconds && /^[*?]|[-/]/.test(expression.split(' ')[0] ?? '')
  const length = isDense ? HOUR_MS / 2 : /^(\S+ )?[*?]/.test(expression) ? DAY_MS / 2 : mostMs
  const from = instant - Math.floor(length / 2) - chance(length / 4) - chance(2)
  return { from, to: from + length + chance(length / 4) }
}

/** Compares an expression in a zone, under one way to treat gaps and overlaps, with the oracle. */
export function compareCron(
  comparison: Comparison,
  expression: string,
  zone: string,
  rules: CronRules,
  window: Window,
  stretches: readonly Stretch[],
  chance: Chance,
): void {
  const trigger = cron(expression, { ...rules, timeZone: zone })
  const expected = oracleOf(expression, rules).fires(stretches, window.from, window.to)
  const name = `${expression} in ${zone} ${JSON.stringify(rules)}`
  comparison.compare(name, trigger, expected, window.from, window.to, chance)
}

const oracles = new Map<string, CronOracle>()

function oracleOf(expression: string, rules: CronRules): CronOracle {
  const key = JSON.stringify([expression, rules])
  const known = oracles.get(key) ?? new CronOracle(expression, rules)
  oracles.set(key, known)
  return known
}
