/** One of the events that a server sends. */
export interface ServerEvent {
  /** `message` where the server gives it no name. */
  readonly event: string
  /** Where to go on from: the last id that was sent, with this event or before. */
  readonly id: string | null
  readonly data: unknown
}

/** What a stream of events holds: events, and what the server says about coming back. */
export type StreamPart =
  | { readonly kind: 'event'; readonly event: ServerEvent }
  | { readonly kind: 'retry'; readonly retryMs: number }
  /** Where to go on from, without an event. */
  | { readonly kind: 'place'; readonly id: string }
  /** Nothing but a sign of life. */
  | { readonly kind: 'alive' }

const LONGEST_BLOCK = 4_000_000

/** Reads `text/event-stream`, as the HTML standard has it; data is JSON. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamPart> {
  const decoder = new TextDecoder()
  let rest = ''
  let id: string | null = null
  for await (const bytes of body) {
    rest = (rest + decoder.decode(bytes, { stream: true })).replaceAll('\r\n', '\n')
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    if (rest.length > LONGEST_BLOCK) throw new Error('an event has no end')
    for (const block of blocks) {
      for (const part of partsOf(block, id)) {
        if (part.kind === 'place') id = part.id
        yield part
      }
    }
  }
}

function partsOf(block: string, lastId: string | null): StreamPart[] {
  const fields = block.split('\n').map(fieldOf)
  const lastOf = (name: string) => fields.findLast((field) => field.name === name)?.value
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value)
  const [id, retry] = [lastOf('id'), Number(lastOf('retry') ?? Number.NaN)]
  const parts: StreamPart[] = []
  if (Number.isInteger(retry) && retry >= 0) parts.push({ kind: 'retry', retryMs: retry })
  if (id !== undefined) parts.push({ kind: 'place', id })
  if (data.length > 0) {
    const event = lastOf('event') ?? 'message'
    parts.push({ kind: 'event', event: { event, id: id ?? lastId, data: JSON.parse(data.join('\n')) as unknown } })
  }
  return parts.length > 0 ? parts : [{ kind: 'alive' }]
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':')
  if (colon < 0) return { name: line, value: '' }
  const value = line.slice(colon + 1)
  return { name: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value }
}
