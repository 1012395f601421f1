/** What is known about an error beside its sentence; each language builds its own sentence from `code` and `details`. */
export type ErrorDetails = Readonly<Record<string, unknown>>

/** The root of every error that Pontual throws on purpose. */
export class PontualError extends Error {
  /** Stable and never reused, such as `cron.field_invalid`. */
  readonly code: string
  /** What the message names, as data. */
  readonly details: ErrorDetails

  constructor(code: string, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.details = details
  }
}

/** Something handed in cannot be accepted; the message names it, what was received and what is accepted. */
export class InvalidInputError extends PontualError {}

const ECHO_LIMIT = 64

/** A received value as it may stand in a message: text quoted, escaped, and cut so that hostile input cannot flood a log. */
export function quote(received: unknown): string {
  if (typeof received !== 'string') return describeValue(received)
  const cut = received.length > ECHO_LIMIT ? `${received.slice(0, ECHO_LIMIT)}…` : received
  // JSON leaves these as they are, and a terminal or a bidi-aware viewer would act on them.
  return JSON.stringify(cut).replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, escapeUnit)
}

function describeValue(received: unknown): string {
  if (received === undefined) return 'nothing'
  if (typeof received === 'bigint') return `${received}n`
  if (typeof received === 'number' || typeof received === 'boolean' || received === null) return String(received)
  if (received instanceof Date) return Number.isNaN(received.getTime()) ? 'Invalid Date' : received.toISOString()
  if (Array.isArray(received)) return `a list of ${received.length}`
  return typeof received === 'object' ? 'an object' : `a ${typeof received}`
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
