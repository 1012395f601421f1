import type { KpiView } from '../../api/wire.ts'
import { duration, number } from '../../language/format.ts'

const UNIT_MS = { seconds: 1_000, minutes: 60_000 } as const

/** A value of a KPI with its unit. */
export function kpiValue(value: number | null, unit: KpiView['unit']): string {
  if (value === null) return '–'
  return unit === 'percent' ? `${number(value, 1)}%` : duration(value * UNIT_MS[unit])
}

/** Where a KPI should be: `≥ 95%`, `≤ 30 s`, `40% – 60%`. */
export function kpiTarget({ target: { min, max }, unit }: Pick<KpiView, 'target' | 'unit'>): string {
  if (min !== undefined && max !== undefined) return `${kpiValue(min, unit)} – ${kpiValue(max, unit)}`
  return min === undefined ? `≤ ${kpiValue(max ?? null, unit)}` : `≥ ${kpiValue(min, unit)}`
}
