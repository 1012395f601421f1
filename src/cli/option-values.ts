import { readFileSync } from 'node:fs'
import process from 'node:process'
import { parseDuration } from '../duration.ts'
import { InvalidInputError, quote } from '../errors.ts'
import { instantOf } from '../time/instant.ts'
import { invalidOption } from '../time/require.ts'
import { zoneOf } from '../time/zone.ts'

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

/** A value in JSON, as an option has it: the JSON itself, `@file`, or `@-` for standard input. */
export function readInput(text: string, name: string): unknown {
  const isFile = text.startsWith('@')
  const json = isFile ? readFile(text.slice(1), name) : text
  try {
    return JSON.parse(json) as unknown
  } catch (cause) {
    const source = isFile ? quote(text.slice(1)) : quote(text)
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `${name} must be JSON, such as '{"month":3}', or a file with it, such as @input.json; ${source} is not: ${why}`
    throw new InvalidInputError('option.invalid', message, { name }, { cause })
  }
}

function readFile(file: string, name: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new InvalidInputError('option.invalid', `${name}: ${quote(file)} cannot be read: ${why}`, { name }, { cause })
  }
}

/** From when until when nothing fires. */
export interface Outage {
  readonly from: number
  readonly to: number
}

/** Two instants with a slash between them, or a duration that ends now. */
export function readOutage(text: string, now: number): Outage {
  const [from, to, ...rest] = text.split('/')
  if (from !== undefined && to !== undefined && rest.length === 0) {
    return { from: instantOf(from, '--outage (from)'), to: instantOf(to, '--outage (to)') }
  }
  try {
    return { from: instantOf(now - parseDuration(text, '--outage'), '--outage'), to: now }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    const message = `--outage must be two instants with a slash between them, such as "2026-03-02T10:00:00Z/2026-03-02T12:00:00Z", or a duration that ends now, such as 2h, got ${quote(text)}.`
    throw new InvalidInputError('simulation.invalid', message, { received: text })
  }
}
