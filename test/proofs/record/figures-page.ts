import type { DatedRecord, Figure, Section } from './record.ts'

/** What is to be shown of each invariant (docs/proof/invariants.md), in the words in which it was asked for. */
const ASKED: ReadonlyMap<string, string> = new Map([
  ['I1', '100,000 occurrences with 8 schedulers and clocks an hour off, none twice'],
  ['I2', '100,000 occurrences over outages of 0 to 10,000 intervals, none unexplained'],
  ['I3', '12 policies, 500 seeds each, exact counts; under a second after 10⁶ missed'],
  ['I4', '10 million comparisons with an oracle that goes minute by minute, no difference'],
  ['I5', '1,000 cycles of kill -9, one holder at a time'],
  ['I6', '300 pauses past the lease, 250 late writes tried, none accepted'],
  ['I7', '100,000 races of four ends on one execution, one end each'],
  ['I8', '1,000 crashes of the server, 200,000 acknowledged, none lost'],
  ['I9', '10,000 connections cut after the commit was sent, none doubled'],
  ['I10', '1,000 kills, each taken over within the lease and 5 s'],
  ['I11', 'a day of a saturated machine, no work taken from a node that lives'],
  ['I12', 'handlers that end their process five ways, exactly so many attempts as they have'],
  ['I13', '10,000 kills around the steps of durable executions, no recorded step again'],
  ['I14', 'code that does not fit: every one found, nothing written'],
  ['I15', '100,000 timers from 1 ms to 400 days, none early'],
  ['I16', '100,000 signals, each heard once'],
  ['I17', '50,000 snapshots, none above the limit'],
  ['I18', 'no slot lost after that'],
  ['I19', 'the first of another tenant within 5 s behind 100,000 (p99)'],
  ['I20', '100,000 runs of jobs that must not overlap, none beside another'],
  ['I21', '10,000 cancellations at random points'],
  ['I22', '50,000 failing together: no second with more than 5 % of the retries'],
  ['I23', 'clocks an hour off, and a clock of the store that goes back: nothing twice, nothing missed'],
  ['I24', '10⁶ changes, each with one audit entry'],
  ['I25', 'every way of tampering found'],
  ['I26', '10,000 times approve, edit and run at once, nothing without a second person'],
  ['I27', 'every route with what belongs to others: nothing'],
  ['I28', 'without hints, started within the poll interval and a second'],
  ['I29', 'memory that grows by less than 1 MB an hour; claims below 50 ms (p99) beside 10⁶ dead rows; a full disk'],
  ['I30', '500 restarts under load, none lost; one mail for 10,000 failures'],
])

const SECTIONS: Readonly<Record<Section, string>> = {
  load: 'load',
  faults: 'faults survived',
  inputs: 'bad inputs',
  lost: 'losses',
}

const INTRODUCTION = `# Figures

Each proof writes its section under [runs](#runs) when it runs with \`--record\`, for example \`npm run prove -- kills --record\`, and thereby replaces the figures of its previous run. Each section ends with the gaps of its run: figures that fall short of what was asked for, and what the run could not show.`

/** The page after a run: its section is replaced, the overview is made again, and the other sections stay as they are. */
export function withRecord(page: string, record: DatedRecord): string {
  const sections = sectionsOf(page).set(record.name, sectionOf(record))
  const runs = [...sections].sort(([a], [b]) => (a < b ? -1 : 1))
  const parts = [
    INTRODUCTION,
    '## What was asked for',
    'The [invariants](invariants.md) for which a figure was asked, and the figures that the runs have shown. The list of invariants names the other tests.',
    table(
      ['', 'asked for', 'shown'],
      [...ASKED].map(([invariant, asked]) => [invariant, asked, shown(runs, invariant)]),
    ),
    '## Runs',
    ...runs.map(([name, text]) => `### ${name}\n\n${text}`),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The text of each run, by its name. */
function sectionsOf(page: string): Map<string, string> {
  const [, runs = ''] = page.split('\n## Runs\n')
  const sections = runs
    .split(/^### /m)
    .slice(1)
    .map((section) => section.split('\n\n'))
  return new Map(sections.map(([name, ...text]) => [name!, text.join('\n\n').trim()]))
}

function sectionOf(record: DatedRecord): string {
  const { command, date, machine, seconds, violations, figures } = record
  const took = `${quantity(Math.round(seconds), 's')}, ${quantity(violations)} violations`
  const rows = Object.entries(SECTIONS).flatMap(([section, title]) =>
    figures
      .filter((figure) => figure.section === section)
      .map((figure) => [title, figure.what, shownValue(figure), boundsOf(figure), figure.invariants.join(', ')]),
  )
  const gaps = [
    ...(violations > 0 ? [`${quantity(violations)} violations.`] : []),
    ...figures
      .filter((figure) => !isMet(figure))
      .map((figure) => `${figure.what}: ${quantity(figure.value, figure.unit)}, asked for ${boundsOf(figure)}.`),
    ...record.gaps,
  ]
  return [
    `\`${command}\`: ${date}, ${machine}, ${took}.`,
    table(['', 'what', 'figure', 'asked for', 'of'], rows),
    ...(gaps.length > 0 ? [gaps.map((gap) => `- ${gap}`).join('\n')] : []),
  ].join('\n\n')
}

/** The figures that the runs have shown of an invariant, as far as a bound was asked for. */
function shown(runs: readonly (readonly [name: string, text: string])[], invariant: string): string {
  const rows = runs.flatMap(([, text]) =>
    text.split('\n').map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim())),
  )
  const figures = rows.filter(([, , , , asked, of]) => asked && of?.split(', ').includes(invariant))
  return figures.map(([, , what, value]) => `${what}: ${value}`).join('; ') || 'no figure: a gap'
}

function shownValue(figure: Figure): string {
  return `${quantity(figure.value, figure.unit)}${isMet(figure) ? '' : ' (a gap)'}`
}

function isMet({ value, atLeast = -Infinity, atMost = Infinity }: Figure): boolean {
  return value >= atLeast && value <= atMost
}

function boundsOf({ atLeast, atMost, unit }: Figure): string {
  const parts = [
    ...(atLeast === undefined ? [] : [`at least ${quantity(atLeast, unit)}`]),
    ...(atMost === undefined ? [] : [`at most ${quantity(atMost, unit)}`]),
  ]
  return parts.join(', ')
}

/** `1,234.5 ms`. */
function quantity(value: number, unit?: string): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2
  const text = value.toLocaleString('en-US', { maximumFractionDigits: digits })
  return unit === undefined ? text : `${text} ${unit}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
