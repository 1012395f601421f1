import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Headers, openSecured, type Secured } from './world.ts'

let world: Secured
let ana: Headers
beforeAll(async () => {
  world = await openSecured()
  ana = await world.bearer()
})
afterAll(() => world[Symbol.asyncDispose]())

const put = (adminAddresses: unknown) => world.ask(ana, 'PUT', '/api/jobs/settings', { body: { adminAddresses } })

describe('S44 addresses that mails could be led astray by', () => {
  it.each([
    'ana@example.com\r\nBcc: all@evil.example',
    'ana@example.com\nSubject: forged',
    'ana@example.com\u0000',
    'ana@example.com, eva@evil.example',
    'ana@example.com;eva@evil.example',
    '"eva@evil.example ana"@example.com',
    'Ana <ana@example.com>',
    'undisclosed: ana@example.com, eva@evil.example;',
    'a:(b:(c:(d:;);););',
    'ana@example.com (comment)',
    'ana@[127.0.0.1]',
    'ana@localhost\\@evil.example',
    'ana@@example.com',
    'ana@exam ple.com',
    ' ana@example.com',
    'ana',
    '@example.com',
    'ana@',
    '',
    '<script>@example.com',
    `${'a'.repeat(500)}@example.com`,
    `ana@${'a.'.repeat(500)}com`,
    'ana@example.com\u202e',
  ])('%j', async (address) => {
    const { status, text } = await put([address])
    expect([status, text.includes('adminAddresses')], text).toEqual([400, true])
  })

  it('ten thousand of them', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `ana${at}@example.com`)
    const { status, text } = await put(many)
    expect(status).toBe(400)
    expect(text.length).toBeLessThan(20_000)
  })

  it.each(['ana@example.com', 'ana+jobs@sub.example.com.br', "o'hara@example.com"])('%s is one', async (address) => {
    expect((await put([address])).status).toBe(200)
  })
})
