import { ASKED } from './asked.ts'
import type { DatedRecord, Figure, Section } from './record.ts'

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
