import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nodeListener } from './node-listener.ts'
import { type Served, serve } from './serve.ts'

type Controller = ReadableStreamDefaultController<Uint8Array>

const PART = 'id: 1\n\n'
const encoder = new TextEncoder()

/** A stream of events that gives what it is told to. */
class Events {
  asked = 0
  readonly cancelled: Promise<void>
  controller: Controller | null = null
  readonly body: ReadableStream<Uint8Array>

  constructor(give: (controller: Controller) => void = () => {}) {
    let cancel: () => void = () => {}
    this.cancelled = new Promise((resolve) => {
      cancel = resolve
    })
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller
        },
        pull: (controller) => {
          this.asked += 1
          give(controller)
        },
        cancel,
      },
      { highWaterMark: 0 },
    )
  }

  give(text = PART): void {
    this.controller?.enqueue(encoder.encode(text))
  }
}

let events: Events
let served: Served

beforeEach(async () => {
  events = new Events()
  const fetch = async () =>
    new Response(events.body, { headers: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } })
  served = await serve({ fetch, close: () => {} }, { port: 0, graceMs: 0 })
})
afterEach(() => served.close())

async function follow(signal?: AbortSignal) {
  const answer = await fetch(`${served.url}/api/jobs/events`, { signal: signal ?? null })
  const reader = answer.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>
  return { answer, reader }
}

describe('a stream of events', () => {
  it('has its status and headers before its first event, and ends whole', async () => {
    const { answer, reader } = await follow()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    expect(answer.headers.get('transfer-encoding')).toBe('chunked')
    events.give()
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(PART)
    events.controller?.close()
    expect((await reader.read()).done).toBe(true)
  })

  it('keeps nothing of events that were taken', async () => {
    // The experimental queryObjects() warns at its first use.
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { reader } = await follow()
    const take = async (count: number): Promise<number> => {
      for (let n = 0; n < count; n += 1) {
        events.give()
        await reader.read()
      }
      return Number(queryObjects(Promise, { format: 'count' }))
    }
    const before = await take(100)
    expect((await take(1_000)) - before).toBeLessThan(100)
    warned.mockRestore()
  })

  it('asks for no more than its client takes', async () => {
    const part = 'x'.repeat(2 ** 20)
    events = new Events((controller) => controller.enqueue(encoder.encode(part)))
    const { reader } = await follow()
    await reader.read()
    for (let turns = 0; turns < 200; turns += 1) await turn()
    // What the buffers of two sockets hold; one that does not wait goes on with every turn.
    expect(events.asked).toBeLessThan(50)
    await reader.cancel()
    await events.cancelled
  })

  it('is told that its client has gone', async () => {
    const leaving = new AbortController()
    await follow(leaving.signal)
    leaving.abort()
    await events.cancelled
  })

  it('is left where its host has ended the answer, and whatever comes then harms nobody', async () => {
    let answer: ServerResponse | undefined
    const fetch = async () => new Response(events.body, { headers: { 'content-type': 'text/event-stream' } })
    const listener = nodeListener({ fetch, close: () => {} })
    const host = createServer((incoming, outgoing) => {
      answer = outgoing
      listener(incoming, outgoing)
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const { port } = host.address() as AddressInfo
    const { body } = await globalThis.fetch(`http://127.0.0.1:${port}/api/jobs/events`)
    answer?.end()
    events.give()
    await events.cancelled
    await body?.cancel()
    await new Promise((resolve) => host.close(resolve))
  })

  it('that fails is cut off, so that nobody takes it for whole', async () => {
    const { reader } = await follow()
    events.give()
    await reader.read()
    events.controller?.error(new Error('gone'))
    await expect(reader.read()).rejects.toThrow('terminated')
  })
})
