import { parseDuration } from '../../duration.ts'
import { InvalidInputError } from '../../errors.ts'
import { instantOf } from '../../time/instant.ts'
import { invalidOption } from '../../time/require.ts'
import { zoneOf } from '../../time/zone.ts'

interface Around {
  readonly now: number
  /** In which days begin. */
  readonly zone: string
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-/
const ACCEPTED =
  'a duration such as 30m, 2h or 7d, a day such as 2026-01-31, or an instant such as 2026-01-31T09:00:00Z'

/** An instant as somebody says it who looks back: a duration before now, the beginning of a day, or the instant itself. */
export function readMoment(text: string, name: string, around: Around): number {
  return read(text, name, around, -1)
}

/** The same for who looks ahead: a duration is one from now on. */
export function readMomentAhead(text: string, name: string, around: Around): number {
  return read(text, name, around, 1)
}

function read(text: string, name: string, { now, zone }: Around, direction: 1 | -1): number {
  try {
    if (DAY.test(text)) return zoneOf(zone).toInstant(instantOf(`${text}T00:00:00Z`, name))
    if (INSTANT.test(text)) return instantOf(text.toUpperCase(), name)
    return instantOf(Math.max(0, now + direction * parseDuration(text, name)), name)
  } catch (error) {
    if (error instanceof InvalidInputError) throw invalidOption(text, name, ACCEPTED)
    throw error
  }
}
