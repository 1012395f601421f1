import { afterAll, it } from 'vitest'
import { DAY_MS } from '../../../../src/duration.ts'
import { cron } from '../../../../src/time/triggers/cron.ts'
import { Comparison } from '../../../suites/oracle/comparison.ts'
import { compareCron, FROM, RULES, TO, windowAround, ZONES } from '../../../suites/oracle/cron-sweep.ts'
import { type Chance, chanceOf, manyExpressions } from '../../../suites/oracle/expressions.ts'
import { type Stretch, WallClock } from '../../../suites/oracle/wall-clock.ts'
import { Proof } from '../proof.ts'

/** How many zones to go through; all, unless the environment asks for fewer. */
const zoneCount = Number(process.env['PONTUAL_PROVE_ZONES'] ?? ZONES.length)
const seed = Number(process.env['PONTUAL_PROVE_SEED'] ?? 1)

const EXPRESSIONS = manyExpressions(300, seed)
/** Each change of the clock in each zone is met by so many expressions. */
const EXPRESSIONS_PER_CHANGE = 8
/** Expressions that fire no more often than this from 1970 to 2037 are followed all the way. */
const RARE = 2_500

const rare = EXPRESSIONS.filter((expression) => cron(expression).count(FROM, TO) <= RARE)

const COMPARISONS = 10_000_000
const proof = new Proof('time')
afterAll(() => proof.keep())

it('I4: cron fires as the oracle says in every zone from 1970 to 2037', () => proof.part(compareZones))

async function compareZones(): Promise<void> {
  const step = ZONES.length / zoneCount
  const zones = Array.from({ length: zoneCount }, (_, index) => ZONES[Math.floor(index * step)] ?? 'UTC')
  const comparison = new Comparison()
  let changes = 0
  for (const [index, zone] of zones.entries()) {
    changes += compareZone(comparison, zone, chanceOf(seed * 1_000 + index))
    if (index % 40 === 39) console.log(`${index + 1} zones, ${comparison.compared.toLocaleString('en')} comparisons …`)
  }
  for (const difference of comparison.differences) proof.violate(JSON.stringify(difference))
  const about = (what: string) => ({ section: 'load', invariants: ['I4'], what }) as const
  proof.count(
    about('fire times of cron compared with an oracle that goes minute by minute'),
    comparison.compared,
    COMPARISONS,
  )
  proof.bound({ ...about('differences from the oracle'), section: 'lost' }, comparison.differed, 0)
  proof.note(about('time zones, all from 1970 to 2037'), zones.length)
  proof.note(about('changes of their clocks, each met by several expressions'), changes)
  proof.note(about('cron expressions'), EXPRESSIONS.length)
}

/** Every expression around changes of a zone's clock, at other times and, where it fires rarely, all the time. */
function compareZone(comparison: Comparison, zone: string, chance: Chance): number {
  const clock = new WallClock(zone)
  const changes = clock.changes(FROM, TO, 5 * DAY_MS)
  const pick = <T>(choices: readonly T[], otherwise: T): T => choices[chance(choices.length || 1)] ?? otherwise
  const compareAround = (instant: number, expression: string) => {
    const window = windowAround(instant, expression, chance)
    const stretches = clock.around(window.from, window.to)
    compareCron(comparison, expression, zone, pick(RULES, {}), window, stretches, chance)
  }
  for (const change of changes) {
    for (let turn = 0; turn < EXPRESSIONS_PER_CHANGE; turn++) compareAround(change, pick(EXPRESSIONS, '* * * * *'))
  }
  const anywhere = () => FROM + chance((TO - FROM) / 1000) * 1000
  for (const expression of EXPRESSIONS) {
    compareAround(pick(changes, anywhere()), expression)
    compareAround(anywhere(), expression)
  }
  const whole = stretchesOf(clock, changes)
  for (const expression of rare) {
    compareCron(comparison, expression, zone, pick(RULES, {}), { from: FROM, to: TO }, whole, chance)
  }
  return changes.length
}

function stretchesOf(clock: WallClock, changes: readonly number[]): Stretch[] {
  const starts = [FROM - 5 * DAY_MS, ...changes]
  return starts.map((start, index) => ({
    start,
    end: starts[index + 1] ?? TO + 5 * DAY_MS,
    offset: clock.offsetAt(start),
  }))
}
