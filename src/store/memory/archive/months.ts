import { type ArchivePart, tooYoung } from '../../archive.ts'

export interface Month {
  /** Such as `2026_08`. */
  readonly name: string
  readonly from: number
  readonly to: number
}

/** The month of an instant, in UTC. */
export function monthAt(at: number): Month {
  const date = new Date(at)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  const name = `${String(year).padStart(4, '0')}_${String(month + 1).padStart(2, '0')}`
  return { name, from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
}

/** As PostgreSQL reckons: the last day of February stands for the one that another year lacks. */
export function fiveYearsBefore(at: number): number {
  const date = new Date(at)
  const day = date.getUTCDate()
  date.setUTCFullYear(date.getUTCFullYear() - 5)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** A part of the archive that need not be kept any longer. */
export function requireExpired(part: ArchivePart | undefined, now: number): ArchivePart {
  if (part && part.to <= fiveYearsBefore(now)) return part
  throw tooYoung()
}
