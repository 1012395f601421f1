/** One event of a stream. Without data it is none for the page, but says where to go on from. */
export interface StreamEvent {
  readonly type: string
  readonly id: string | null
  readonly data: string | null
}

/** Takes text as it comes, in pieces of any length, and tells of each event that is complete, as `text/event-stream` has it. Comments are left out. */
export function eventReader(tell: (event: StreamEvent) => void): (piece: string) => void {
  let rest = ''
  let lines: string[] = []
  return (piece) => {
    const [...complete] = (rest + piece).split('\n')
    rest = complete.pop() ?? ''
    for (const line of complete.map((each) => each.replace(/\r$/, ''))) {
      if (line !== '') {
        lines.push(line)
        continue
      }
      const event = eventOf(lines)
      lines = []
      if (event.id !== null || event.data !== null) tell(event)
    }
  }
}

function eventOf(lines: readonly string[]): StreamEvent {
  const values = (field: string) =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''))
  const data = values('data')
  return {
    type: values('event').at(-1) ?? 'message',
    id: values('id').at(-1) ?? null,
    data: data.length === 0 ? null : data.join('\n'),
  }
}
