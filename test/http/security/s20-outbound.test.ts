import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pontual } from '../../../src/pontual.ts'
import { httpRequest } from '../../../src/service/job-types/http-request.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { type Headers, jobFields, openSecured, type Secured } from './world.ts'

/** URLs that lead somewhere they should not, though they may not look like it. */
const NOT_PUBLIC: readonly string[] = [
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://0/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[fe80::1]/',
  'http://[fd00::1]/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST/',
  'http://a.localhost/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://100.100.100.200/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://192.0.0.192/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://a@127.0.0.1/',
  'http://user:password@example.com/',
  String.raw`http:\\127.0.0.1`,
  'http:127.0.0.1',
  '//127.0.0.1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'unix:/var/run/docker.sock',
  'data:text/html,<script>alert(1)</script>',
  'javascript:alert(1)',
  'ftp://example.com/',
  'https://example.com:22/',
  'https://example.com:25/',
  'https://example.com:5432/',
  'https://example.com:6379/',
  `https://example.com/${'x'.repeat(3_000)}`,
  'not a url',
  '',
]

let world: Secured
let ana: Headers
beforeAll(async () => {
  world = await openSecured()
  ana = await world.bearer()
})
afterAll(() => world[Symbol.asyncDispose]())

const create = (payload: unknown) =>
  world.ask(ana, 'POST', '/api/jobs', { body: jobFields({ jobType: 'http.request', payload }) })

describe('S20 a request of ours to where it should not go', () => {
  it.each(NOT_PUBLIC)('as a job: %s', async (url) => {
    const { status, body, text } = await create({ url })
    expect([status, body.code, body.errors[0]?.pointer], text).toEqual([400, 'target_forbidden', '/payload/url'])
  })

  it.each(NOT_PUBLIC)('as a webhook: %s', async (url) => {
    const webhooks = [{ url, events: ['job.failed'] }]
    const { status, text } = await world.ask(ana, 'PUT', '/api/jobs/settings', { body: { webhooks } })
    expect(status, text).toBe(400)
    expect(text).toMatch(/target_forbidden|length_invalid|validation_failed/)
  })

  it('when a job is run with another payload', async () => {
    const id = await world.job(ana, { jobType: 'http.request', payload: { url: 'https://example.com/' } })
    const { status, body } = await world.ask(ana, 'POST', `/api/jobs/${id}/execute`, {
      body: { payload: { url: 'http://127.0.0.1/' } },
    })
    expect([status, body.code]).toEqual([400, 'target_forbidden'])
  })

  describe('at run', () => {
    let server: Server
    let port = 0
    let asked = 0
    let location = ''
    beforeAll(async () => {
      server = createServer((_request, response) => {
        asked += 1
        response
          .writeHead(location === '' ? 200 : 302, location === '' ? {} : { location })
          .end('a secret of the inside')
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      port = (server.address() as AddressInfo).port
    })
    afterAll(() => new Promise((resolve) => server.close(resolve)))

    async function run(host: string, addresses: readonly string[], networks: readonly string[] = []) {
      const type = httpRequest({ ports: [port, 80], networks, resolve: async () => addresses })
      await using app = pontual({ store: memory(), jobs: [type], defaultRetry: { retries: 0 }, logger: 'silent' })
      await app.start()
      const { id } = await app.enqueue(type, { url: `http://${host}:${port}/` })
      return await app.waitFor(id)
    }

    it.each<[string, readonly string[]]>([
      ['127.0.0.1.nip.io', ['127.0.0.1']],
      ['rebinding.example.com', ['93.184.215.14', '127.0.0.1']],
      ['six.example.com', ['::1']],
      ['mapped.example.com', ['::ffff:127.0.0.1']],
      ['cloud.example.com', ['169.254.169.254']],
    ])('%s, which is %j, is not asked', async (host, addresses) => {
      asked = 0
      const { status, error } = await run(host, addresses)
      expect([status, error?.name, asked]).toEqual(['FAILED', 'NonRetryableError', 0])
    })

    it.each(['http://169.254.169.254/', 'http://localhost/', 'http://10.0.0.1/', 'file:///etc/passwd'])(
      'a redirect to %s is not followed, and nothing of the answer is kept',
      async (target) => {
        location = target
        const ended = await run('allowed.example.com', ['127.0.0.1'], ['127.0.0.1/32'])
        location = ''
        expect(ended.status).toBe('FAILED')
        expect(JSON.stringify(ended)).not.toContain('a secret of the inside')
      },
    )
  })
})

describe('S21 headers of a request of ours', () => {
  it.each<[string, string]>([
    ['X-A', 'a\r\nHost: evil.example'],
    ['X-A', 'a\nb'],
    ['X-A', 'a\u0000b'],
    ['X-A\r\nEvil', '1'],
    ['X A', '1'],
    ['', '1'],
    ['Host', 'evil.example'],
    ['host', 'evil.example'],
    ['Content-Length', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'close'],
    ['Upgrade', 'h2c'],
    ['Cookie', 'a=b'],
    ['Proxy-Authorization', 'Basic x'],
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-Host', 'evil.example'],
    ['Authorization', 'Bearer pk_0190a4b2-0000-7000-8000-00000000000f_secret'],
    ['X-Key', 'pk_0190a4b2-0000-7000-8000-00000000000f_secret'],
  ])('%j: %j', async (name, value) => {
    const { status, text } = await create({ url: 'https://example.com/', headers: { [name]: value } })
    expect([status, /header_forbidden|nul_character/.test(text)], text).toEqual([400, true])
    expect(text).not.toContain('_secret')
  })
})

describe('S23 a link that is a program', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
  ])('%s', async (url) => {
    expect((await create({ url })).status).toBe(400)
    const body = { webhooks: [{ url, events: ['job.failed'] }] }
    expect((await world.ask(ana, 'PUT', '/api/jobs/settings', { body })).status).toBe(400)
  })
})

describe('S49 what runs is chosen from a list', () => {
  it.each([
    'constructor',
    'toString',
    '__proto__',
    'prototype',
    'hasOwnProperty',
    'valueOf',
    '../Importar',
    './Importar.js',
    'file:///etc/passwd',
    'node:child_process',
    'child_process.exec',
    'Importar\u0000',
    'importar',
    ' Importar',
    '$\u007bprocess.exit()}',
    '{{constructor}}',
    'eval(1)',
    'command.run',
  ])('%j is no job type', async (jobType) => {
    const { status, body } = await world.ask(ana, 'POST', '/api/jobs', { body: jobFields({ jobType }) })
    expect([status, body.errors[0]?.pointer]).toEqual([400, '/jobType'])
  })

  it('a payload is data, whatever it says', async () => {
    const payload = {
      expression: '{{7*7}}',
      template: '$\u007b7*7}',
      run: 'process.exit(1)',
      constructor: { name: 'x' },
    }
    const id = await world.job(ana, { payload })
    expect((await world.ask(ana, 'GET', `/api/jobs/${id}`)).body['payload']).toEqual(payload)
  })
})
