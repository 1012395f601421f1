import { describe, expect, it } from 'vitest'
import { eventReader, type StreamEvent } from './event-reader.ts'

function read(...pieces: string[]): StreamEvent[] {
  const events: StreamEvent[] = []
  const take = eventReader((event) => events.push(event))
  for (const piece of pieces) take(piece)
  return events
}

describe('a stream of events', () => {
  it.each<[string, string[], StreamEvent[]]>([
    ['has events with an id', ['id: 7\ndata: {"a":1}\n\n'], [{ type: 'message', id: '7', data: '{"a":1}' }]],
    ['names some of them', ['event: counters\ndata: {}\n\n'], [{ type: 'counters', id: null, data: '{}' }]],
    ['says where to go on from', ['retry: 2000\n\nid: 6\n\n'], [{ type: 'message', id: '6', data: null }]],
    ['is kept alive by comments', [': still here\n\n: still here\n\n'], []],
    ['comes in pieces', ['id: 1\nda', 'ta: on', 'e\n', '\ndata: two'], [{ type: 'message', id: '1', data: 'one' }]],
    ['may have data of several lines', ['data: a\ndata:b\n\n'], [{ type: 'message', id: null, data: 'a\nb' }]],
    ['may end lines as Windows does', ['id: 3\r\ndata: x\r\n\r\n'], [{ type: 'message', id: '3', data: 'x' }]],
    ['keeps colons and spaces of data', ['data:  a: b\n\n'], [{ type: 'message', id: null, data: ' a: b' }]],
  ])('%s', (_name, pieces, expected) => {
    expect(read(...pieces)).toEqual(expected)
  })
})
