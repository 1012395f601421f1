import type { AlertRuleView } from '../../api/wire.ts'
import { duration, number, percent } from '../../language/format.ts'

const GIGABYTE = 2 ** 30
const MEGABYTE = 2 ** 20

/** What an alert of a kind measures, with its unit; a dash for nothing. */
export function alertFigure(kind: AlertRuleView['kind'], value: number | null): string {
  if (value === null) return '–'
  switch (kind) {
    case 'timeoutsFrequent':
      return percent(value)
    case 'schedulerUnavailable':
      return duration(value * 1_000)
    case 'auditFull':
      return value < GIGABYTE ? `${number(value / MEGABYTE, 1)} MB` : `${number(value / GIGABYTE, 1)} GB`
    case 'jobFailed':
    case 'workersSaturated':
    case 'queueCongested':
      return number(value, 1)
  }
}

/** What somebody typed, with the comma of Portuguese or the point of English; null: nothing. */
export function typedFigure(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  return plain === '' ? null : Number(plain)
}
