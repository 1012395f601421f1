import { describe, expect, it } from 'vitest'
import { type Env, systemEnv } from '../../clock.ts'
import { UnreachableError } from './connection.ts'
import { type FollowOptions, followEvents } from './events.ts'

/** What a server sends in one connection: text, or that it cannot be reached, or that it refuses. */
type Sent = string | Error | number | Response

/** No waiting, and a note of how long it would have been. */
function hasty(waits: number[]): Env {
  return {
    ...systemEnv,
    after: (ms, call) => {
      if (ms >= 30_000) return () => {}
      waits.push(ms)
      return systemEnv.after(0, call)
    },
  }
}

function served(sent: readonly Sent[]) {
  const [asked, waits, cuts]: [(string | null)[], number[], string[]] = [[], [], []]
  const open: FollowOptions['open'] = (lastId) => {
    asked.push(lastId)
    const next = sent[asked.length - 1] ?? 'event: end\ndata: {}\n\n'
    if (next instanceof Error) return Promise.reject(next)
    if (next instanceof Response) return Promise.resolve(next)
    if (typeof next === 'string') return Promise.resolve(new Response(next, EVENTS))
    return Promise.resolve(new Response(JSON.stringify({ code: 'no', detail: 'No.' }), { status: next }))
  }
  const { signal } = new AbortController()
  const options = { env: hasty(waits), place: 'here', signal, open, onCut: (reason: string) => void cuts.push(reason) }
  return { asked, waits, cuts, events: followEvents(options) }
}

const AWAY = new UnreachableError('client.unreachable', 'Nobody answers.', { reason: 'ECONNREFUSED' })
const EVENTS = { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }
const line = (id: number) => `id: ${id}\ndata: ${id}\n\n`

async function dataOf(events: AsyncIterable<{ data: unknown }>): Promise<unknown[]> {
  const data: unknown[] = []
  for await (const event of events) data.push(event.data)
  return data
}

describe('a stream of events', () => {
  it('is taken up behind the last event that came, until the server says that it is over', async () => {
    const { events, asked } = served([`retry: 7\n\n: hello\n\n${line(1)}${line(2)}`, line(3)])
    expect(await dataOf(events)).toEqual([1, 2, 3])
    expect(asked).toEqual([null, '2', '3'])
  })

  it('is never asked for without a pause', async () => {
    const { events, waits } = served([`retry: 0\n\n${line(1)}`])
    expect(await dataOf(events)).toEqual([1])
    expect(waits).toEqual([100])
  })

  it('that has fallen silent is cut off and taken up again', async () => {
    const { signal } = new AbortController()
    const [cuts, asked]: [string[], (string | null)[]] = [[], []]
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(line(1))),
    })
    const events = followEvents({
      // Silence is over at once, and so is every wait.
      env: { ...systemEnv, after: (_ms, call) => systemEnv.after(1, call) },
      place: 'here',
      signal,
      open: (lastId) => {
        asked.push(lastId)
        return Promise.resolve(new Response(lastId === null ? silent : 'event: end\ndata: {}\n\n', EVENTS))
      },
      onCut: (reason) => void cuts.push(reason),
    })
    expect(await dataOf(events)).toEqual([1])
    expect([asked, cuts]).toEqual([[null, '1'], ['here has fallen silent.']])
  })

  it('nobody has answered for ten minutes is given up', async () => {
    let now = 0
    const events = followEvents({
      env: {
        ...hasty([]),
        monotonic: () => {
          now += 120_000
          return now
        },
      },
      place: 'here',
      signal: new AbortController().signal,
      open: (lastId) => (lastId === null ? Promise.resolve(new Response(line(1), EVENTS)) : Promise.reject(AWAY)),
    })
    await expect(dataOf(events)).rejects.toBe(AWAY)
  })

  it('waits as long as the server asks for, and longer the longer nobody answers; that is told once', async () => {
    const { events, waits, cuts } = served([`retry: 700\n\n${line(1)}`, AWAY, AWAY, 503, line(2)])
    expect(await dataOf(events)).toEqual([1, 2])
    expect(waits).toEqual([700, 700, 1_400, 2_100, 700])
    expect(cuts).toEqual(['ECONNREFUSED'])
  })

  it.each<[string, Sent[], object]>([
    ['nobody answers at first', [AWAY], AWAY],
    ['the service refuses', [401], { status: 401, code: 'no' }],
    [
      'something else answers',
      [new Response('<html>', { headers: { 'content-type': 'text/html' } })],
      { code: 'client.no_service' },
    ],
    ['an event makes no sense', ['data: {\n\n'], { code: 'client.cut_off' }],
    ['the service refuses later on', [line(1), 404], { status: 404 }],
  ])('fails where %s', async (_, sent, error) => {
    await expect(dataOf(served(sent).events)).rejects.toMatchObject(error)
  })

  it('goes on where an event is cut in two, also within a letter', async () => {
    const bytes = new TextEncoder().encode('data: "ação"\r\n\r\nevent: end\ndata: {}\n\n')
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    const options = { env: hasty([]), place: 'here', signal: new AbortController().signal }
    const open = () => Promise.resolve(new Response(body, EVENTS))
    expect(await dataOf(followEvents({ ...options, open }))).toEqual(['ação'])
  })
})
