import { describe, expect, it } from 'vitest'
import { PontualError } from '../../errors.ts'
import { BODY_LIMIT, readJson } from './read-body.ts'
import { RequestError } from './request-error.ts'

const URL = 'http://localhost/api/jobs'
const JSON_TYPE = { 'content-type': 'application/json' }

function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE): Request {
  return new Request(URL, { method: 'POST', body, headers })
}

async function refusal(request: Request): Promise<PontualError> {
  const error: unknown = await readJson(request).catch((thrown: unknown) => thrown)
  if (error instanceof PontualError) return error
  throw new Error('was not refused')
}

describe('a body', () => {
  it('is read as it came', async () => {
    const text = '{"name": "Fechamento ☕", "n": 1.50}'
    expect(await readJson(send(text))).toEqual({ text, value: { name: 'Fechamento ☕', n: 1.5 } })
  })

  it('may be absent, whatever is said about its type', async () => {
    expect(await readJson(new Request(URL, { method: 'POST' }))).toBeNull()
    expect(await readJson(send('', { 'content-type': 'text/plain' }))).toBeNull()
  })

  it('may be as long as the limit', async () => {
    const text = `"${'a'.repeat(BODY_LIMIT - 2)}"`
    expect((await readJson(send(text)))?.text).toHaveLength(BODY_LIMIT)
  })

  it.each<[string, string]>([
    ['application/json', '{}'],
    ['APPLICATION/JSON', '{}'],
    ['application/json; charset=utf-8', '{}'],
    ['application/json;charset="UTF-8"', '{}'],
  ])('is taken as %s', async (type, text) => {
    expect(await readJson(send(text, { 'content-type': type }))).not.toBeNull()
  })

  it.each<[string, Record<string, string>]>([
    ['without a type', { 'content-type': '' }],
    ['as text', { 'content-type': 'text/plain' }],
    ['as a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['as text/json', { 'content-type': 'text/json' }],
    ['as XML', { 'content-type': 'application/xml' }],
    ['in UTF-7', { 'content-type': 'application/json; charset=utf-7' }],
    ['compressed', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
  ])('is not taken %s', async (_what, headers) => {
    expect(await refusal(send('{}', headers))).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['no JSON', '{"a":', 'json_invalid'],
    ['two values', '{}{}', 'json_invalid'],
    ['NaN', '{"a": NaN}', 'json_invalid'],
    ['a byte order mark', '\ufeff{}', 'json_invalid'],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xc3, 0x28, 0x22]), 'invalid_utf8'],
    ['an overlong encoding', new Uint8Array([0x22, 0xc0, 0xaf, 0x22]), 'invalid_utf8'],
  ])('is refused with %s', async (_what, body, code) => {
    expect(await refusal(send(body))).toMatchObject({ status: 400, code })
  })

  it('is refused with what parsers read differently, by its place', async () => {
    expect(await refusal(send('{"a": {"b": 1, "b": 2}}'))).toMatchObject({
      code: 'validation_failed',
      problems: [{ pointer: '/a/b', code: 'duplicate_key' }],
    })
  })

  it.each<[string, Record<string, string>]>([
    ['that nobody has announced', {}],
    ['that was announced', { 'content-length': String(BODY_LIMIT + 1) }],
    ['that was announced as less', { 'content-length': '5' }],
    ['that was announced as nonsense', { 'content-length': 'x' }],
  ])('is refused with one byte beyond the limit %s', async (_how, headers) => {
    const request = send(`"${'a'.repeat(BODY_LIMIT - 1)}"`, { ...JSON_TYPE, ...headers })
    expect(await refusal(request)).toMatchObject({ status: 413 })
  })

  it('is read at once where its length is known', async () => {
    expect(await readJson(send('{"a":1}', { ...JSON_TYPE, 'content-length': '7' }))).toMatchObject({ value: { a: 1 } })
    expect(await readJson(new Request(URL, { method: 'POST', headers: { 'content-length': '0' } }))).toBeNull()
  })

  it('is not read to its end where it does not end', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536))
      },
    })
    const request = new Request(URL, { method: 'POST', body, headers: JSON_TYPE, duplex: 'half' })
    const error = await refusal(request)
    expect(error).toBeInstanceOf(RequestError)
    expect(error).toMatchObject({ status: 413, code: 'payload_too_large' })
    expect(sent).toBeLessThan(2 * BODY_LIMIT)
  })
})
