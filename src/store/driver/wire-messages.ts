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
export const SYNC: Buffer = message('S', [])

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
