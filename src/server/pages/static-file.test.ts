import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chosenEncoding, type Encoding, StaticFile } from './static-file.ts'

const TEXT = 'x'.repeat(5_000)
const fileOf = (name: string, text: string = TEXT) => new StaticFile(name, new TextEncoder().encode(text))
const ask = (file: StaticFile, headers: Record<string, string> = {}, method = 'GET') =>
  file.answer(new Request('http://localhost/jobs/file', { method, headers }))
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

it.each([
  ['assets/main-AbCd1234.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['assets/main-Ef_gh-78.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  ['assets/logo.png', 'image/png', 'no-cache'],
  ['main-AbCd1234.js', 'text/javascript; charset=utf-8', 'no-cache'],
  ['pontual.svg', 'image/svg+xml', 'no-cache'],
  ['robots.txt', 'text/plain; charset=utf-8', 'no-cache'],
  ['what.ever', 'application/octet-stream', 'no-cache'],
])('%s is %s, and kept: %s', async (name, type, caching) => {
  const { status, headers } = await ask(fileOf(name))
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, type, caching])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

describe('packing', () => {
  const file = fileOf('pontual.svg')

  it('is done as it is asked for', async () => {
    const [plain, packed, zipped] = await Promise.all([
      ask(file),
      ask(file, { 'accept-encoding': 'gzip, br' }),
      ask(file, { 'accept-encoding': 'gzip' }),
    ])
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(String(await bytesOf(plain))).toBe(TEXT)
    expect(packed.headers.get('content-encoding')).toBe('br')
    expect(String(brotliDecompressSync(await bytesOf(packed)))).toBe(TEXT)
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(String(gunzipSync(await bytesOf(zipped)))).toBe(TEXT)
    expect(new Set([plain, packed, zipped].map(({ headers }) => headers.get('etag'))).size).toBe(3)
    for (const { headers } of [plain, packed, zipped]) expect(headers.get('vary')).toBe('Accept-Encoding')
  })

  it.each<[string, StaticFile]>([
    ['what is small', fileOf('small.svg', 'x')],
    ['what is packed already', fileOf('picture.png')],
  ])('is not done to %s', async (_what, unpacked) => {
    const { headers } = await ask(unpacked, { 'accept-encoding': 'br' })
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([null, null])
  })
})

describe('what a browser has already', () => {
  const file = fileOf('pontual.svg')

  it('is not sent again', async () => {
    const tag = (await ask(file)).headers.get('etag') ?? ''
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await ask(file, { 'if-none-match': known })
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', tag])
    }
    expect((await ask(file, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await ask(file, { 'if-none-match': tag, 'accept-encoding': 'br' })).status).toBe(200)
  })
})

it('HEAD tells all but the content', async () => {
  const answer = await ask(fileOf('pontual.svg'), {}, 'HEAD')
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '5000', ''])
})

it.each<[string | null, Encoding | null]>([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0,gzip;q=0', null],
  ['gzip;q=1.0, br;q=0.1', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', null],
  ['identity', null],
  ['', null],
  [null, null],
])('"%s" is answered as %s', (asked, expected) => {
  expect(chosenEncoding(asked)).toBe(expected)
})
