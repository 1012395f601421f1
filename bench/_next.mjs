import { existsSync, readFileSync } from 'node:fs'
import { answersTo } from './_answers.mjs'
import { EXPRESSIONS } from './_expressions.mjs'
import { LIBRARIES, PEERS, PONTUAL } from './_libraries.mjs'
import { measureInTurns } from './_measure.mjs'

/** A row: an expression, a zone, and the instants after which the next fire time is asked for. */
const INSTANTS_PER_EXPRESSION = 12
const VECTORS = new URL('../../shared/vectors/cron.json', import.meta.url)
const HOUR_MS = 3_600_000

/** Half an hour before the clock goes forward, and before it goes back, where it last did so in the zone. */
const CLOCK_CHANGES = {
  'America/New_York': ['2026-03-08T06:30:00Z', '2026-11-01T05:30:00Z'],
  'Europe/Berlin': ['2026-03-29T00:30:00Z', '2026-10-25T00:30:00Z'],
  'America/Sao_Paulo': ['2018-11-04T02:30:00Z', '2019-02-17T01:30:00Z'],
}

/** The expressions of this repository in a zone, from instants all over four years and around the clock changes. */
export function rowsIn(zone) {
  const chance = pseudoRandom(2_024)
  const [from, to] = [Date.UTC(2024, 0, 1), Date.UTC(2028, 0, 1)]
  const changes = (CLOCK_CHANGES[zone] ?? []).map((text) => Date.parse(text))
  return EXPRESSIONS.map((expression) => {
    const spread = Array.from({ length: INSTANTS_PER_EXPRESSION - changes.length }, () => chance(from, to))
    return { expression, zone, instants: [...changes, ...spread] }
  })
}

/** The expressions of the shared vectors that have a next occurrence, in their zones; null where the folder is absent. */
export function vectorRows() {
  if (!existsSync(VECTORS)) return null
  const { vectors } = JSON.parse(readFileSync(VECTORS, 'utf8'))
  // Where both day fields are restricted the vectors take AND, which not every library offers.
  return vectors
    .filter(({ expected, domDow }) => expected !== null && !domDow)
    .map(({ expr, zone, from, inclusive }) => {
      const second = Math.floor(from / 1000) * 1000
      const after = inclusive ? second - 1000 : second
      // More than one, so that no library can answer from what it remembers of the call before.
      return { expression: expr.trim(), zone, instants: [after, after + 41 * 24 * HOUR_MS] }
    })
}

/** The rows that every library answers, how many each does not, and in what they differ from Pontual. */
export async function compareAnswers(rows) {
  const answered = []
  const unanswered = Object.fromEntries(PEERS.map(({ name }) => [name, { refused: 0, stuck: 0 }]))
  const differences = []
  for (const [index, answers] of (await answersTo(rows)).entries()) {
    const row = rows[index]
    if (answers.doesNotReturn) unanswered[answers.doesNotReturn].stuck++
    else for (const { name } of PEERS) if (!answers[name]) unanswered[name].refused++
    if (!LIBRARIES.every(({ name }) => answers[name])) continue
    answered.push(row)
    for (const { name } of PEERS) differences.push(...differencesIn(row, name, answers[PONTUAL.name], answers[name]))
  }
  return { answered, unanswered, differences }
}

function differencesIn(row, library, ours, theirs) {
  return row.instants.flatMap((after, index) =>
    ours[index] === theirs[index] ? [] : [difference(library, row, after, ours[index], theirs[index])],
  )
}

function difference(library, { expression, zone }, after, ours, theirs) {
  const [from, to] = [after - 3 * HOUR_MS, Math.max(ours, theirs) + 3 * HOUR_MS]
  const isAtClockChange = offsetName(zone, from) !== offsetName(zone, to)
  return { library, expression, zone, after: iso(after), pontual: iso(ours), theirs: iso(theirs), isAtClockChange }
}

/** Milliseconds for one `next` of each library, over rows that all of them answer. */
export function measureNext(rows, options) {
  const candidates = LIBRARIES.map((library) => {
    const plan = rows.map(({ expression, zone, instants }) => ({
      parsed: library.parse(expression, zone),
      inputs: instants.map((instant) => library.input(instant)),
    }))
    return { name: library.name, run: () => library.nextAll(plan) }
  })
  return perCall(measureInTurns(candidates, options), rows)
}

/** The same with the expression parsed for every call. */
export function measureParseAndNext(libraries, rows, options) {
  const candidates = libraries.map((library) => {
    const calls = rows.flatMap(({ expression, zone, instants }) =>
      instants.map((instant) => [expression, zone, library.input(instant)]),
    )
    return {
      name: library.name,
      run: () => {
        for (const [expression, zone, input] of calls) library.parseAndNext(expression, zone, input)
      },
    }
  })
  return perCall(measureInTurns(candidates, options), rows)
}

function perCall(times, rows) {
  const calls = countCalls(rows)
  return new Map([...times].map(([name, ms]) => [name, ms / calls]))
}

export function countCalls(rows) {
  return rows.reduce((sum, { instants }) => sum + instants.length, 0)
}

const formats = new Map()

function offsetName(zone, instant) {
  if (!formats.has(zone)) {
    formats.set(zone, new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }))
  }
  return formats
    .get(zone)
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName').value
}

function iso(instant) {
  return new Date(instant).toISOString()
}

/** The same whole seconds in every run. */
function pseudoRandom(seed) {
  let state = seed
  return (from, to) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from + Math.floor((state / 2 ** 32) * ((to - from) / 1000)) * 1000
  }
}
