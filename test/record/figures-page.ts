import { ASKED } from './asked.ts'
import type { Figure, KeptRecord, Section } from './record.ts'

const SECTIONS: readonly (readonly [Section, string])[] = [
  ['load', 'Load held'],
  ['faults', 'Faults survived'],
  ['inputs', 'Bad inputs tried'],
  ['lost', 'Nothing lost'],
]

/** The page of all figures, from what the proofs have kept. */
export function figuresPage(records: readonly KeptRecord[]): string {
  return [
    '# Figures',
    'Made by `npm run figures` from what each command has kept when it was run with `--record` (`docs/proof/records`). Whoever runs a command again with it has his own figures here.',
    '## Runs',
    table(
      ['command', 'date', 'machine', 'took', 'violations'],
      records.map((record) => [
        `\`${record.command}\``,
        record.date,
        record.machine,
        told(Math.round(record.seconds), 's'),
        told(record.violations),
      ]),
    ),
    ...SECTIONS.flatMap(([section, title]) => [`## ${title}`, sectionTable(records, section)]),
    '## What was asked for',
    'Every invariant of the [list](invariants.md), what was asked to be shown of it, and what these runs have shown. What other tests show of it stands in the list.',
    table(
      ['', 'asked for', 'shown'],
      [...ASKED].map(([invariant, asked]) => [invariant, asked, shown(records, invariant)]),
    ),
    '## Gaps',
    gapsOf(records)
      .map((gap) => `- ${gap}`)
      .join('\n') || 'None.',
    '',
  ].join('\n\n')
}

function sectionTable(records: readonly KeptRecord[], section: Section): string {
  const rows = records.flatMap(({ name, figures }) =>
    figures
      .filter((figure) => figure.section === section)
      .map((figure) => [
        figure.what,
        told(figure.value, figure.unit),
        askedOf(figure),
        figure.invariants.join(', '),
        name,
      ]),
  )
  return rows.length === 0 ? 'Nothing yet.' : table(['', 'figure', 'asked for', 'of', 'run'], rows)
}

/** What the runs have to say of an invariant for which a figure was asked. */
function shown(records: readonly KeptRecord[], invariant: string): string {
  const figures = measuredOf(records, invariant)
  if (figures.length === 0) return 'no figure: a gap'
  return figures
    .map((figure) => `${figure.what}: ${told(figure.value, figure.unit)}${isMet(figure) ? '' : ' (a gap)'}`)
    .join('; ')
}

function gapsOf(records: readonly KeptRecord[]): string[] {
  const violated = records.filter(({ violations }) => violations > 0)
  const short = records.flatMap(({ name, figures }) =>
    figures
      .filter((figure) => !isMet(figure))
      .map((figure) => `${name}: ${figure.what}: ${told(figure.value, figure.unit)}, asked for ${askedOf(figure)}.`),
  )
  const unshown = [...ASKED.keys()].filter((invariant) => measuredOf(records, invariant).length === 0)
  return [
    ...violated.map(({ name, violations }) => `${name}: ${told(violations)} violations.`),
    ...short,
    ...(unshown.length > 0 ? [`No run has kept a figure for ${unshown.join(', ')}.`] : []),
    ...records.flatMap(({ name, gaps }) => gaps.map((gap) => `${name}: ${gap}`)),
  ]
}

/** Figures for which something was asked; of equal ones the largest run is enough. */
function measuredOf(records: readonly KeptRecord[], invariant: string): Figure[] {
  return records.flatMap(({ figures }) =>
    figures.filter((figure) => figure.invariants.includes(invariant) && isAsked(figure)),
  )
}

function isAsked({ atLeast, atMost }: Figure): boolean {
  return atLeast !== undefined || atMost !== undefined
}

function isMet({ value, atLeast = -Infinity, atMost = Infinity }: Figure): boolean {
  return value >= atLeast && value <= atMost
}

function askedOf({ atLeast, atMost, unit }: Figure): string {
  const parts = [
    ...(atLeast === undefined ? [] : [`at least ${told(atLeast, unit)}`]),
    ...(atMost === undefined ? [] : [`at most ${told(atMost, unit)}`]),
  ]
  return parts.join(', ')
}

/** `1,234.5 ms`. */
function told(value: number, unit?: string): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : 2
  const text = value.toLocaleString('en-US', { maximumFractionDigits: digits })
  return unit === undefined ? text : `${text} ${unit}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
