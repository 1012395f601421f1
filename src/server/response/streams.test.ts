import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../logger.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { type StreamSource, Streams } from './streams.ts'

const request = new Request('http://localhost/api/jobs/events')
const decoder = new TextDecoder()

function open(source: StreamSource, isStillAllowed = () => Promise.resolve(true)) {
  const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
  const streams = new Streams({ env, logger: silentLogger, perTenant: 1 })
  const answer = () => streams.open({ request, tenant: 'a', isStillAllowed, source })
  return { env, streams, answer }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

async function read(reader: Reader): Promise<string | null> {
  const { done, value } = await reader.read()
  return done ? null : decoder.decode(value)
}

function readerOf(response: Response): Reader {
  if (!response.body) throw new Error('no stream')
  return response.body.getReader()
}

/** Gives nothing until it is told to end. */
const silence: StreamSource = async function* (signal) {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  yield 'never seen'
}

describe('a stream', () => {
  it('gives what its source does, and ends with it', async () => {
    const { answer } = open(async function* () {
      yield 'one'
      yield 'two'
    })
    const reader = readerOf(await answer())
    expect([await read(reader), await read(reader), await read(reader)]).toEqual(['one', 'two', null])
  })

  it('asks its source for no more than is read', async () => {
    let given = 0
    const { env, answer } = open(async function* () {
      for (;;) {
        given += 1
        yield 'x'.repeat(1_000)
      }
    })
    const reader = readerOf(await answer())
    await env.settle()
    expect(given).toBe(0)
    await read(reader)
    await env.settle()
    expect(given).toBe(1)
    await reader.cancel()
  })

  it('says that it is alive while its source is silent, and loses nothing of it', async () => {
    let give: (text: string) => void = () => {}
    const { env, answer } = open(async function* () {
      yield await new Promise<string>((resolve) => {
        give = resolve
      })
    })
    const reader = readerOf(await answer())
    const beat = read(reader)
    await env.moveTo(15_000)
    expect(await beat).toBe(': still here\n\n')
    give('late')
    expect([await read(reader), await read(reader)]).toEqual(['late', null])
  })

  it.each<[string, (env: ManualEnv, streams: Streams, reader: Reader) => Promise<unknown>]>([
    ['after a quarter of an hour', (env) => env.moveTo(15 * 60_000)],
    ['when the server closes', async (_env, streams) => streams.close()],
    ['when the client goes', (_env, _streams, reader) => reader.cancel()],
  ])('ends %s, and tells its source', async (_when, act) => {
    let isAborted = false
    const { env, streams, answer } = open(async function* (signal) {
      signal.addEventListener('abort', () => {
        isAborted = true
      })
      yield* silence(signal)
    })
    const reader = readerOf(await answer())
    const waiting = read(reader).catch(() => null)
    await env.settle()
    await act(env, streams, reader)
    await waiting
    expect(isAborted).toBe(true)
    // Its place is free again.
    await expect(answer()).resolves.toBeInstanceOf(Response)
  })

  it('ends once whoever asked may not have it any more', async () => {
    let isAllowed = true
    const { env, answer } = open(silence, () => Promise.resolve(isAllowed))
    const reader = readerOf(await answer())
    const waiting = read(reader)
    await env.moveTo(5_000)
    isAllowed = false
    await env.moveTo(10_000)
    expect(await waiting).toBeNull()
  })

  it('ends where its source fails', async () => {
    const { answer } = open(async function* () {
      yield 'one'
      throw new Error('the store is gone')
    })
    const reader = readerOf(await answer())
    expect([await read(reader), await read(reader)]).toEqual(['one', null])
  })

  it('ends at once where the server has closed', async () => {
    const { streams, answer } = open(silence)
    streams.close()
    expect(await read(readerOf(await answer()))).toBeNull()
  })

  it('is one too many for its tenant', async () => {
    const { streams, answer } = open(silence)
    await answer()
    await expect(answer()).rejects.toMatchObject({ status: 429, code: 'too_many_streams' })
    streams.close()
  })

  it('is not opened to look at its head', async () => {
    const { streams } = open(silence)
    const head = new Request(request.url, { method: 'HEAD' })
    const options = { request: head, tenant: 'a', isStillAllowed: () => Promise.resolve(true), source: silence }
    for (const _each of [1, 2, 3]) expect((await streams.open(options)).body).toBeNull()
  })
})
