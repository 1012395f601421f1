import { createHash } from 'node:crypto'
import { InvalidInputError, quote } from '../../errors.ts'

export const DEFAULT_SCHEMA = 'pontual'

/** The longest derived name is that of a role, such as `pontual_engine`, and PostgreSQL cuts names at 63 bytes. */
const MAX_LENGTH = 50

/** Words that PostgreSQL accepts as the name of a schema only in quotes, and the prefix of settings that PL/pgSQL reserves. */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column concurrently constraint create cross
  current_catalog current_date current_role current_schema current_time current_timestamp current_user default deferrable desc distinct do else end except
  false fetch for foreign freeze from full grant group having ilike in information_schema initially inner intersect into is isnull join lateral leading left
  like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing plpgsql primary public references returning
  right select session_user similar some symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where
  window with`.split(/\s+/),
)

/** The name of the schema, also as a part of other names, and the advisory locks of Pontual: see `lockOf`. */
const OWN_NAMES = /\bpontual(?![A-Za-z0-9])|\b(?:1886352499|1886352500|1886352501|482905846901)\b/g

/** The most statements of one schema that are kept as composed. */
const MAX_COMPOSED = 2_000

/**
 * The schema that holds the tables and functions of one Pontual. SQL is written for the schema `pontual`; for another one each statement is composed once.
 * The names that a server or a database has only once follow the schema: roles, settings, the notification channel and advisory locks.
 */
export class SchemaName {
  readonly name: string
  readonly #composed = new Map<string, string>()

  constructor(name: string) {
    this.name = name
  }

  /** The text for this schema. It must not be composed again: `pontual_two` contains the name that is replaced. */
  compose(text: string): string {
    if (this.name === DEFAULT_SCHEMA) return text
    const known = this.#composed.get(text)
    if (known !== undefined) return known
    const composed = text.replace(OWN_NAMES, (found) => (found === DEFAULT_SCHEMA ? this.name : this.#lockOf(found)))
    if (this.#composed.size < MAX_COMPOSED) this.#composed.set(text, composed)
    return composed
  }

  /** Another key in place of that of the default schema. The keys of two integers are adjacent, as are those of the default schema. */
  #lockOf(key: string): string {
    const digest = createHash('sha256').update(this.name).digest()
    if (key.length > 10) return String(digest.readUIntBE(0, 6))
    return String((digest.readUInt32BE(6) >>> 3) * 4 + (Number(key) - 1886352499))
  }
}

export const defaultSchema = new SchemaName(DEFAULT_SCHEMA)

export function readSchemaName(name: unknown): SchemaName {
  if (name === undefined || name === DEFAULT_SCHEMA) return defaultSchema
  if (typeof name === 'string' && isAccepted(name)) return new SchemaName(name)
  const message = `schema must be 1 to ${MAX_LENGTH} lowercase letters, digits and underscores, beginning with a letter, and no word that PostgreSQL reserves, got ${quote(name)}.`
  throw new InvalidInputError('store.schema_invalid', message, { schema: name })
}

function isAccepted(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name) && name.length <= MAX_LENGTH && !name.startsWith('pg_') && !RESERVED.has(name)
}
