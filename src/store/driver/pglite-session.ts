import type { messages, PGlite } from '@electric-sql/pglite'
import { sqlStateOf } from '../unavailable.ts'
import type { Statement } from './driver.ts'
import type { Asked } from './together.ts'

/** A value as it is bound: text, or bytes as they are. */
export type WireValue = string | Uint8Array | null

/** Has the server plan a text under a name, and say which types it takes and gives. An empty name: until the next one. */
export function parseMessages(name: string, text: string): Buffer[] {
  return [
    message('P', [terminated(name), terminated(text), int16(0)]),
    message('D', [Buffer.from('S'), terminated(name)]),
  ]
}

/** Runs what was planned under a name, to its end. Everything it gives comes as text. */
export function executeMessages(name: string, values: readonly WireValue[]): Buffer[] {
  const formats = values.map((value) => int16(value instanceof Uint8Array ? 1 : 0))
  const bound = [int16(values.length), ...formats, int16(values.length), ...values.flatMap(valueParts), int16(0)]
  return [message('B', [terminated(''), terminated(name), ...bound]), message('E', [terminated(''), int32(0)])]
}

/** Ends what was sent before: until here it is one transaction, unless one was begun. */
const SYNC: Buffer = message('S', [])

function valueParts(value: WireValue): Buffer[] {
  if (value === null) return [int32(-1)]
  const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value)
  return [int32(bytes.length), bytes]
}

/** A letter, the length of what follows including itself, and what follows. */
function message(letter: string, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  return Buffer.concat([Buffer.from(letter), int32(length), ...parts])
}

function terminated(text: string): Buffer {
  return Buffer.from(`${text}\0`)
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(value)
  return buffer
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}

type Message = messages.BackendMessage

/** A statement as the database has planned it. */
interface Prepared {
  readonly name: string
  readonly parameters: readonly number[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** Who sends: what row security lets them see differs, and so do the plans. */
export type Role = 'engine' | 'tenant'

/** What it was planned for is not there any more, or is another by now. */
const UNFIT: ReadonlySet<string> = new Set(['26000', '0A000'])

/**
 * The one connection of a PGlite. A statement is planned once, and then only bound and run: to plan one that reads months of history takes ten times as long
 * as to run it. Several that are sent at once are one call into the database, and one transaction.
 */
export class PgliteSession {
  readonly #db: PGlite
  #made = 0
  readonly #prepared: Readonly<Record<Role, Map<string, Prepared>>> = { engine: new Map(), tenant: new Map() }

  private constructor(db: PGlite) {
    this.#db = db
  }

  /** All who use a database share what it has planned. */
  static of(db: PGlite): PgliteSession {
    const known = sessions.get(db) ?? new PgliteSession(db)
    sessions.set(db, known)
    return known
  }

  /** Sends statements as one, of which at most one, the last, is not planned to be kept. Nobody else may send anything meanwhile. Gives the rows of each. */
  async send(asked: readonly Asked[], role: Role): Promise<unknown[][]> {
    const prepared: Prepared[] = []
    for (const { statement } of asked) prepared.push(await this.#prepare(statement, role))
    const parts = asked.flatMap(({ values }, place) => this.#bound(prepared[place]!, values))
    try {
      return this.#rowsOf(prepared, await this.#call([...parts, SYNC]))
    } catch (error) {
      // Whoever sends it again has it planned anew.
      if (UNFIT.has(sqlStateOf(error) ?? '')) this.#forget()
      throw error
    }
  }

  async #prepare(statement: Statement, role: Role): Promise<Prepared> {
    const known = this.#prepared[role].get(statement.text)
    if (known) return known
    const isKept = !statement.isOnce && !statement.isHead
    this.#made += isKept ? 1 : 0
    const name = isKept ? `pontual_${this.#made}` : ''
    const answers = await this.#call([...parseMessages(name, statement.text), SYNC])
    const prepared = { name, parameters: parametersOf(answers), fields: fieldsOf(answers) }
    if (isKept) this.#prepared[role].set(statement.text, prepared)
    return prepared
  }

  #forget(): void {
    for (const prepared of Object.values(this.#prepared)) prepared.clear()
  }

  #bound({ name, parameters }: Prepared, values: readonly unknown[]): Buffer[] {
    const { serializers } = this.#db
    const serialized = values.map((value, place): WireValue => {
      if (value === null || value === undefined) return null
      const serialize = serializers[parameters[place] ?? 0]
      if (serialize) return serialize(value)
      return typeof value === 'string' ? value : JSON.stringify(value)
    })
    return executeMessages(name, serialized)
  }

  #rowsOf(prepared: readonly Prepared[], answers: readonly Message[]): unknown[][] {
    const { parsers } = this.#db
    const all: unknown[][] = [[]]
    for (const answer of answers) {
      if (answer.name === 'commandComplete' || answer.name === 'emptyQuery') all.push([])
      if (answer.name !== 'dataRow') continue
      const { fields } = prepared[all.length - 1]!
      const { fields: texts } = answer as messages.DataRowMessage
      const row: Record<string, unknown> = {}
      for (const [place, { name, dataTypeID }] of fields.entries()) {
        const text = texts[place] ?? null
        const parse = parsers[dataTypeID]
        row[name] = text === null || !parse ? text : (parse(text, dataTypeID) as unknown)
      }
      all.at(-1)!.push(row)
    }
    return all
  }

  async #call(parts: readonly Buffer[]): Promise<Message[]> {
    return await this.#db.execProtocolStream(Buffer.concat(parts), { syncToFs: false })
  }
}

const sessions = new WeakMap<PGlite, PgliteSession>()

function parametersOf(answers: readonly Message[]): readonly number[] {
  const found = answers.find(({ name }) => name === 'parameterDescription')
  return (found as messages.ParameterDescriptionMessage | undefined)?.dataTypeIDs ?? []
}

function fieldsOf(answers: readonly Message[]): Prepared['fields'] {
  const found = answers.find(({ name }) => name === 'rowDescription')
  return (found as messages.RowDescriptionMessage | undefined)?.fields ?? []
}
