import type { AuditEntryView } from '../answers.ts'

const COLUMNS = [
  'sequence',
  'timestamp',
  'operation',
  'operationType',
  'userId',
  'clienteId',
  'jobId',
  'executionId',
  'oldValues',
  'newValues',
  'previousHash',
  'hash',
] as const satisfies readonly (keyof AuditEntryView)[]

/** What a spreadsheet takes for a formula, or for a way to begin one behind blanks. */
const FORMULA = /^\s*[=+\-@\t\r\n|＝＋－＠]/u

export const CSV_HEAD = `${COLUMNS.join(',')}\r\n`

/** Entries as rows of comma-separated values (RFC 4180), each with its line end. */
export function csvRows(entries: readonly AuditEntryView[]): string {
  return entries.map((entry) => `${COLUMNS.map((column) => csvCell(entry[column])).join(',')}\r\n`).join('')
}

/** A cell that is shown as it is: what would be a formula has an apostrophe before it, and quotes around it. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isFormula = FORMULA.test(text)
  if (!isFormula && !/[",\r\n]/.test(text)) return text
  return `"${isFormula ? "'" : ''}${text.replaceAll('"', '""')}"`
}
