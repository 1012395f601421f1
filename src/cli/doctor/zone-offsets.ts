import type { ZoneOffset } from '../../store/postgres/inspect/zones.ts'
import { zoneOf } from '../../time/zone.ts'

/** Zones whose rules have changed since 2018, with an instant at which those who know differ from those who do not. */
const CHANGED: readonly (readonly [string, string])[] = [
  ['America/Sao_Paulo', '2020-01-15T12:00:00Z'],
  ['Asia/Amman', '2023-01-15T12:00:00Z'],
  ['America/Mexico_City', '2023-07-15T12:00:00Z'],
  ['America/Ciudad_Juarez', '2023-07-15T12:00:00Z'],
  ['Africa/Cairo', '2023-07-15T12:00:00Z'],
  ['America/Nuuk', '2024-07-15T12:00:00Z'],
  ['Asia/Almaty', '2024-07-15T12:00:00Z'],
  ['America/Asuncion', '2025-07-15T12:00:00Z'],
]

/** What this process makes of zones whose rules have changed. */
export function ownOffsets(): readonly ZoneOffset[] {
  return CHANGED.map(([zone, instant]) => {
    const at = Date.parse(instant)
    return { zone, at, offsetMs: isKnown(zone) ? zoneOf(zone).toLocal(at) - at : null }
  })
}

export function isKnown(zone: string): boolean {
  try {
    zoneOf(zone)
    return true
  } catch {
    return false
  }
}
