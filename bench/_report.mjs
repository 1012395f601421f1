import { readFileSync, writeFileSync } from 'node:fs'

const SUMMARY = new URL('./RESULTS.md', import.meta.url)

/**
 * Writes a report into its section of RESULTS.md: `{ title, environment, tables: [{ title, columns, rows }], notes }`, where a row has a
 * text for each column by its key, `columns` is `[{ key, title }]`, and `notes` are `[{ text }]`.
 */
export function publish(report) {
  const [head, ...sections] = readFileSync(SUMMARY, 'utf8').split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith(`## ${report.title}\n`))
  const text = [...others, toMarkdown(report)].map((section) => section.trim()).sort()
  writeFileSync(SUMMARY, `${head.trim()}\n\n${text.join('\n\n')}\n`)
}

/** The report for a terminal: tables in columns. */
export function toText({ title, environment, tables, notes }) {
  const lines = [title, describe(environment)]
  for (const table of tables) lines.push('', `${table.title}`, ...alignTable(table))
  lines.push('', ...notes.map(({ text }) => `- ${text}`))
  return lines.join('\n')
}

function toMarkdown({ title, environment, tables, notes }) {
  const parts = [`## ${title}\n\n${describe(environment)}\n`]
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
