import { cron, initialState, misfireRules, resolveMisfires } from '../dist/time.js'
import { describeEnvironment } from './_environment.mjs'
import { askForImpossible, PATIENCE_MS } from './_impossible.mjs'
import { FIXED_UTC, FORGETFUL_PONTUAL, LIBRARIES, PEERS, PONTUAL } from './_libraries.mjs'
import { measureInTurns, median, timeMs } from './_measure.mjs'
import { compareAnswers, countCalls, measureNext, measureParseAndNext, rowsIn, vectorRows } from './_next.mjs'
import { publish, toText } from './_report.mjs'

const ZONES = ['America/New_York', 'Europe/Berlin', 'America/Sao_Paulo']
const NEW_YORK = 'America/New_York'
const TARGETS = { next: 30, enumeration: 100, count: 10_000, impossibleMs: 1, misfireMs: 50 }
const COUNT_BUDGET_MS = 2_000

const startedAt = performance.now()
const speed = []
const agreement = []
const notes = []

await benchNext()
benchFirstUse()
benchEnumeration()
benchCount()
const impossible = await benchImpossible()
const misfires = benchMisfires()
finish()

/** `next`, with objects parsed before and with all parsed anew. */
async function benchNext() {
  const utc = await agreed('UTC', rowsIn(FIXED_UTC))
  compare('next, UTC (peers: fixed offset)', 'µs', measureNext(utc, { rounds: 5 }), TARGETS.next)
  const namedUtc = await agreed('UTC by name', rowsIn('UTC'))
  compare('next, UTC (peers: named zone)', 'µs', measureNext(namedUtc, { rounds: 5 }))
  const zoned = []
  for (const zone of ZONES) {
    const rows = await agreed(zone, rowsIn(zone))
    compare(`next, ${zone}`, 'µs', measureNext(rows, { rounds: 3, budgetMs: 3_000 }), TARGETS.next)
    zoned.push(...rows)
  }
  const vectors = vectorRows()
  if (vectors) {
    const rows = await agreed('vector expressions', vectors)
    const title = `next, vector expressions (${rows.length} of ${vectors.length} rows)`
    compare(title, 'µs', measureNext(rows, { rounds: 3, budgetMs: 3_000 }), TARGETS.next)
  } else {
    note('../shared/vectors/cron.json is absent: `next` is not measured over the vector expressions.')
  }
  const few = zoned.map((row) => ({ ...row, instants: row.instants.slice(-3) }))
  const times = measureParseAndNext([PONTUAL, FORGETFUL_PONTUAL, ...PEERS], few, { rounds: 3, budgetMs: 4_000 })
  compare('parse and next, zones, expression seen before', 'µs', times)
  times.set(PONTUAL.name, times.get(FORGETFUL_PONTUAL.name))
  compare('parse and next, zones, expression never seen', 'µs', times)
}

/** The rows on which all libraries have an answer; where it is not the same is told. */
async function agreed(title, rows) {
  const { answered, unanswered, differences } = await compareAnswers(rows)
  const calls = countCalls(answered)
  const row = { workload: `${title}: ${calls} calls` }
  for (const { name } of PEERS) {
    const own = differences.filter(({ library }) => library === name)
    const elsewhere = own.filter(({ isAtClockChange }) => !isAtClockChange)
    const { refused, stuck } = unanswered[name]
    row[name] = [
      own.length === 0 ? 'all agree' : `${own.length} differ`,
      ...(elsewhere.length > 0 ? [`${elsewhere.length} not at a clock change`] : []),
      ...(refused > 0 ? [`${refused} rows refused`] : []),
      ...(stuck > 0 ? [`${stuck} rows without return`] : []),
    ].join(', ')
    const [example] = [...elsewhere, ...own]
    if (example) {
      const { expression, zone, after, pontual, theirs } = example
      note(`${name} differs, e.g. "${expression}" in ${zone} after ${after}: Pontual ${pontual}, ${name} ${theirs}.`)
    }
  }
  agreement.push(row)
  return answered
}

/** The first `next` ever in a zone: what a cached table of transitions costs to build. */
function benchFirstUse() {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone, index) => index % 9 === 0 && !ZONES.includes(zone))
  const times = new Map(LIBRARIES.map(({ name }) => [name, []]))
  for (const zone of zones) {
    for (const library of LIBRARIES) {
      const input = library.input(Date.UTC(2026, 5, 1))
      times.get(library.name).push(timeMs(() => library.parseAndNext('30 4 * * *', zone, input)))
    }
  }
  const medians = new Map([...times].map(([name, each]) => [name, median(each)]))
  compare(`first next ever in a zone (${zones.length} zones)`, 'µs', medians)
}

/** 90 days as New York's calendar has them, over the night the clock goes forward. */
function benchEnumeration() {
  const [from, to] = [Date.parse('2026-01-15T00:00:00-05:00'), Date.parse('2026-04-15T00:00:00-04:00')]
  const lists = new Map()
  const candidates = LIBRARIES.map((library) => ({
    name: library.name,
    run: () => lists.set(library.name, library.list(library.parse('*/5 * * * *', NEW_YORK), from, to)),
  }))
  const times = measureInTurns(candidates, { rounds: 2, budgetMs: 15_000, turnMs: 100 })
  const ours = lists.get(PONTUAL.name)
  const row = { workload: `enumeration: ${ours.length} fire times` }
  for (const { name } of PEERS) {
    const theirs = lists.get(name)
    const isSame = theirs.length === ours.length && theirs.every((date, index) => date.getTime() === ours[index])
    row[name] = isSame ? 'all agree' : `differs: ${theirs.length} fire times`
  }
  agreement.push(row)
  compare(`90 days of */5 * * * *, New York, ${ours.length} listed`, 'ms', times, TARGETS.enumeration)
}

/** Peers have no count: they visit each fire time, as far as they get in their budget. */
function benchCount() {
  const [from, to] = [Date.parse('2016-01-01T00:00:00-05:00'), Date.parse('2026-01-01T00:00:00-05:00')]
  const trigger = PONTUAL.parse('* * * * *', NEW_YORK)
  const total = trigger.count(from, to)
  const times = measureInTurns([{ name: PONTUAL.name, run: () => trigger.count(from, to) }], { rounds: 9 })
  const row = { workload: `count: ${total}` }
  for (const library of PEERS) {
    const { visited, end, elapsed } = visitFor(library, from)
    times.set(library.name, (elapsed / visited) * total)
    const ours = trigger.count(from, end)
    row[library.name] = ours === visited ? `all ${visited} visited agree` : `differs: ${visited} for ${ours}`
  }
  agreement.push(row)
  compare(`ten years of * * * * *, New York, ${total} counted`, 'ms', times, TARGETS.count, '*')
  note(`* extrapolated in proportion from the fire times visited in ${COUNT_BUDGET_MS / 1000} s.`)
}

function visitFor(library, from) {
  const parsed = library.parse('* * * * *', NEW_YORK)
  let [visited, end, elapsed] = [0, from, 0]
  while (elapsed < COUNT_BUDGET_MS) {
    const chunkEnd = end + 7 * 86_400_000
    elapsed += timeMs(() => {
      visited += library.list(parsed, end, chunkEnd).length
    })
    end = chunkEnd
  }
  return { visited, end, elapsed }
}

async function benchImpossible() {
  const rows = []
  for (const expression of ['0 0 30 2 *', '0 0 31 4,6 *']) {
    for (const { name } of [FORGETFUL_PONTUAL, ...PEERS]) {
      const isPontual = name === FORGETFUL_PONTUAL.name
      const asked = await askForImpossible(name, expression, NEW_YORK, Date.UTC(2026, 0, 1))
      const { answer, firstMs, medianMs } = asked
      if (isPontual && answer !== 'null') throw new Error(`Pontual: ${expression} must give null, got ${answer}.`)
      rows.push({
        expression,
        library: isPontual ? PONTUAL.name : name,
        answer: firstMs === undefined ? `does not return within ${PATIENCE_MS / 1000} s` : answer,
        first: firstMs === undefined ? '' : `${digits(firstMs)} ms`,
        median: medianMs === undefined ? '' : `${digits(medianMs)} ms`,
        target: isPontual ? `< ${TARGETS.impossibleMs} ms` : '',
        met: isPontual ? verdict(medianMs < TARGETS.impossibleMs) : '',
      })
    }
  }
  return rows
}

/** Ten million missed occurrences, decided about without a list of them. */
function benchMisfires() {
  const missed = 10_000_000
  const start = Date.UTC(2026, 0, 1)
  const now = start + (missed - 1) * 1000
  const rows = []
  for (const zone of ['UTC', NEW_YORK]) {
    const state = initialState(cron('* * * * * *', { timeZone: zone }), start - 1)
    for (const policy of ['fireNow', 'fireOnce', 'skipToNext', 'smart', 'fireAll']) {
      const job = { state, rules: misfireRules({ policy }) }
      let resolution
      const run = () => {
        resolution = resolveMisfires(job, now)
      }
      const firstMs = timeMs(run)
      const decided = resolution.ledger.reduce((sum, { count }) => sum + count, 0)
      if (decided !== missed) throw new Error(`${policy} decides about ${decided} occurrences, expected ${missed}.`)
      const ms = measureInTurns([{ name: policy, run }], { rounds: 9, turnMs: 10 }).get(policy)
      rows.push({
        policy,
        zone,
        fires: String(resolution.fire.length),
        first: `${digits(firstMs)} ms`,
        median: `${digits(ms)} ms`,
        target: `< ${TARGETS.misfireMs} ms`,
        met: verdict(Math.max(ms, firstMs) < TARGETS.misfireMs),
      })
    }
  }
  return rows
}

/** A row of the table of speed. Times are milliseconds by library; `mark` follows figures of peers that need a word. */
function compare(workload, unit, times, target, mark = '') {
  const fastest = PEERS.map(({ name }) => name).reduce((a, b) => (times.get(a) <= times.get(b) ? a : b))
  const ratio = times.get(fastest) / times.get(PONTUAL.name)
  const row = { workload, unit }
  for (const { name } of LIBRARIES) {
    const value = times.get(name) * (unit === 'µs' ? 1000 : 1)
    row[name] = `${digits(value)}${name === PONTUAL.name ? '' : mark}`
  }
  row.ratio = `${digits(ratio)}x ${fastest}${mark}`
  row.target = target === undefined ? '' : `>= ${grouped(target)}x`
  row.met = target === undefined ? '' : verdict(ratio >= target)
  speed.push(row)
  console.error(`${workload}: ${row.pontual} ${unit}, ${row.ratio}`)
}

function finish() {
  const library = LIBRARIES.map(({ name }) => ({ key: name, title: name }))
  const judged = titles({ target: 'target', met: 'met' })
  const report = {
    title: 'Time: next, enumeration, count, misfires',
    environment: describeEnvironment(LIBRARIES.map(({ name }) => name)),
    tables: [
      {
        title: 'Speed, median time; the ratio is to the fastest peer',
        columns: [
          ...titles({ workload: 'workload', unit: 'unit' }),
          ...library,
          ...titles({ ratio: 'ratio' }),
          ...judged,
        ],
        rows: speed,
      },
      {
        title: 'A date that never comes, in New York: parse and next, in a thread of its own',
        columns: [
          ...titles({
            expression: 'expression',
            library: 'library',
            answer: 'answer',
            first: 'first, cold',
            median: 'median',
          }),
          ...judged,
        ],
        rows: impossible,
      },
      {
        title: 'Misfires: 10 million missed occurrences of * * * * * *',
        columns: [
          ...titles({ policy: 'policy', zone: 'zone', fires: 'fires', first: 'first, cold', median: 'median' }),
          ...judged,
        ],
        rows: misfires,
      },
      {
        title: 'Agreement with Pontual on what is timed',
        columns: [...titles({ workload: 'workload' }), ...library.filter(({ key }) => key !== PONTUAL.name)],
        rows: agreement,
      },
    ],
    notes,
  }
  publish(report)
  console.log(toText(report))
  const missed = [...speed, ...impossible, ...misfires].filter(({ met }) => met === 'MISSED').length
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  console.log(`\n${missed === 0 ? 'All targets met' : `Targets MISSED: ${missed}`}, ${seconds} s.`)
}

function titles(byKey) {
  return Object.entries(byKey).map(([key, title]) => ({ key, title }))
}

function note(text) {
  notes.push({ text })
}

function verdict(isMet) {
  return isMet ? 'yes' : 'MISSED'
}

/** Three digits that count; large numbers whole. */
function digits(value) {
  return value >= 100 ? grouped(Math.round(value)) : String(Number(value.toPrecision(3)))
}

function grouped(value) {
  return value.toLocaleString('en-US')
}
