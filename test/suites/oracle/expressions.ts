/** Chance from a seed, so that a failure can be repeated. */
export type Chance = (size: number) => number

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return (size) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % size
  }
}

/** One or more expressions for every form a field can take, most of them in the hours in which clocks are changed. */
export const EXPRESSIONS: readonly string[] = [
  '* * * * *',
  '*/5 * * * *',
  '*/7 * * * *',
  '30 * * * *',
  '0 * * * *',
  '0,30 * * * *',
  '59 * * * *',
  '15-20 * * * *',
  '55-5 * * * *',
  '10/20 * * * *',
  '0 */2 * * *',
  '30 1-3 * * *',
  '0 22-2 * * *',
  '*/30 0 * * *',
  '1 0-3/3 * * *',
  '0 0 * * *',
  '30 0 * * *',
  '59 23 * * *',
  '0 1 * * *',
  '30 1 * * *',
  '0 2 * * *',
  '30 2 * * *',
  '0 3 * * *',
  '30 3 * * *',
  '0,30 0,1,2,3 * * *',
  '45 12 * * *',
  '0 0 1 * *',
  '0 0 L * *',
  '30 2 L-2 * *',
  '0 0 LW * *',
  '0 6 L-5W * *',
  '0 0 15W * *',
  '0 12 1W * *',
  '0 0 31 * *',
  '0 0 29 2 *',
  '0 2 1-7 * *',
  '30 1 */2 * *',
  '0 0 * * SUN',
  '30 2 * * 7',
  '0 0 * * FRI-TUE',
  '30 1 * * 1-5',
  '0 2 * * 0L',
  '30 1 * * SUN#1',
  '0 3 * 3,10,11 0#2',
  '30 0 * 10-3 *',
  '0 0 13 * FRI',
  '30 2 1,15 * SUN',
  '*/30 * 1-7 * 0',
  '0 0 ? * 6',
  '0 0 30 2 *',
  '* * * * * *',
  '*/13 * * * * *',
  '30 */15 * * * *',
  '0 30 2 * * *',
  '15 30 1 * * *',
  '59 59 23 * * *',
  '0-10/5 0 0-3 * * *',
  '55-5 59 * * * *',
  '1 1 1 1 1 ?',
  '0 0 0 L 2 *',
  '20 44 0 * * *',
  '0 */30 1,2 ? * SUN#2',
]

/** A random expression of five or six fields, in any of the forms. */
export function randomExpression(chance: Chance): string {
  const pick = <T>(choices: readonly T[]): T => choices[chance(choices.length)] as T
  const number = (min: number, max: number) => min + chance(max - min + 1)
  const list = (min: number, max: number) =>
    Array.from({ length: 1 + chance(3) }, () => number(min, max))
      .concat(number(min, max))
      .join(',')
  const field = (min: number, max: number, fixed: number) => {
    const form = chance(10 + fixed)
    if (form === 0) return '*'
    if (form === 1) return '?'
    if (form === 2) return `*/${number(1, max)}`
    if (form === 3) return `${number(min, max)}-${number(min, max)}`
    if (form === 4) return `${number(min, max)}-${number(min, max)}/${number(1, Math.min(9, max))}`
    if (form === 5) return `${number(min, max)}/${number(1, max)}`
    if (form === 6) return list(min, max)
    if (form === 7) return `${number(min, max)},${number(min, max)}-${number(min, max)}`
    return String(number(min, max))
  }
  const night = () => pick(['0', '1', '2', '3', '0-3', '23-4', '*', '1,2', '*/2', field(0, 23, 0), field(0, 23, 20)])
  const dayOfMonth = () =>
    pick([
      '*',
      '*',
      '*',
      '?',
      'L',
      `L-${number(0, 30)}`,
      'LW',
      `L-${number(0, 30)}W`,
      `${number(1, 31)}W`,
      field(1, 31, 4),
    ])
  const month = () => pick(['*', '*', '*', '*', 'MAR', 'oct-apr', '3,4,9-11', field(1, 12, 3)])
  const weekday = () => pick(['0', '1', '6', '7', 'SUN', 'Fri', 'sat'])
  const dayOfWeek = () =>
    pick([
      '*',
      '*',
      '*',
      '?',
      weekday(),
      `${weekday()}L`,
      `${weekday()}#${number(1, 5)}`,
      `${weekday()},${weekday()}`,
      `${number(0, 6)}-${number(0, 6)}`,
      `${number(1, 6)}-7`,
      `${number(0, 6)}-${number(0, 6)}/2`,
      '*/2',
    ])
  const five = `${field(0, 59, 6)} ${night()} ${dayOfMonth()} ${month()} ${dayOfWeek()}`
  return chance(3) === 0 ? `${field(0, 59, 15)} ${five}` : five
}

/** The expressions above and random ones, up to so many. */
export function manyExpressions(count: number, seed: number): string[] {
  const chance = chanceOf(seed)
  const all = new Set(EXPRESSIONS.slice(0, count))
  while (all.size < count) all.add(randomExpression(chance))
  return [...all]
}
