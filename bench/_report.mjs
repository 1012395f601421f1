import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const RESULTS = new URL('./results/', import.meta.url)
const SUMMARY = new URL('./RESULTS.md', import.meta.url)

/**
 * A report: `{ name, title, environment, tables: [{ title, columns, rows }], notes }`, where a row has a text for
 * each column by its key, `columns` is `[{ key, title }]`, and `notes` are `[{ text }]`.
 */
export function publish(report) {
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(new URL(`${report.name}.json`, RESULTS), `${JSON.stringify(report, null, 2)}\n`)
  const reports = readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(new URL(name, RESULTS), 'utf8')))
  writeFileSync(
    SUMMARY,
    `# Benchmark results\n\nWritten by \`npm run bench\`; do not edit.\n${reports.map(toMarkdown).join('')}`,
  )
}

/** The report for a terminal: tables in columns. */
export function toText({ title, environment, tables, notes }) {
  const lines = [title, describe(environment)]
  for (const table of tables) lines.push('', `${table.title}`, ...alignTable(table))
  lines.push('', ...notes.map(({ text }) => `- ${text}`))
  return lines.join('\n')
}

function toMarkdown({ title, environment, tables, notes }) {
  const parts = [`\n## ${title}\n\n${describe(environment)}\n`]
  for (const { title: tableTitle, columns, rows } of tables) {
    const cells = [
      columns.map((column) => column.title),
      columns.map(() => '---'),
      ...rows.map((row) => columns.map(({ key }) => (row[key] ?? '').replaceAll('|', '\\|'))),
    ]
    parts.push(`\n### ${tableTitle}\n\n${cells.map((each) => `| ${each.join(' | ')} |\n`).join('')}`)
  }
  parts.push('\n', ...notes.map(({ text }) => `- ${text}\n`))
  return parts.join('')
}

function alignTable({ columns, rows }) {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ key }) => row[key] ?? ''))]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index].length)))
  const lines = cells.map((line) =>
    line
      .map((text, index) => text.padEnd(widths[index]))
      .join('  ')
      .trimEnd(),
  )
  return [lines[0], widths.map((width) => '-'.repeat(width)).join('  '), ...lines.slice(1)]
}

function describe({ cpu, cores, node, icu, tz, date, versions, database }) {
  const libraries = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const parts = [date, `${cpu}, ${cores} cores`, `Node ${node}, ICU ${icu}, tz ${tz}`, libraries.join(', ')]
  return [...parts, ...(database ? [database] : [])].join(' · ')
}
