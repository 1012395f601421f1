import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { pglite } from '../store/postgres/pglite.ts'
import { type TestPontual, testPontual } from '../testing/test-pontual.ts'
import { type Api, createApi } from './create-api.ts'
import { serve } from './mount/serve.ts'

const ana = { tenant: 'acme', userId: 'ana', profile: 'Admin' } as const

async function open(): Promise<{ world: TestPontual; api: Api }> {
  const world = await testPontual({ tenant: 'acme' })
  return { world, api: await createApi(world.app, { identity: { authenticate: () => ana } }) }
}

it('a request that is under way is answered while the API closes', async () => {
  const { world, api } = await open()
  const { port, server, close } = await serve(api, { port: 0 })
  const isHere = new Promise<void>((resolve) => server.once('request', () => resolve()))
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    received += String(text)
  })
  const isOver = new Promise((resolve) => socket.on('close', resolve))
  const body = JSON.stringify({ cronExpression: '0 3 * * *' })
  const head = 'POST /api/jobs/new/validate-cron HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n'
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`)
  await isHere
  const closing = close()
  socket.write(body.slice(5))
  await Promise.all([closing, isOver])
  expect(received).toContain('HTTP/1.1 200')
  await world.stop()
})

it('an API that was closed answers nobody', async () => {
  const { world, api } = await open()
  api.close()
  const answer = await api.fetch(new Request('http://localhost/api/jobs'))
  expect(answer.status).toBeGreaterThanOrEqual(500)
  await world.stop()
})

it('a stream ends with the key it was asked for with, also where that key was refused too often', async () => {
  const world = await testPontual({ tenant: 'acme' })
  const authenticate = ({ headers }: Request) => (headers.has('x-ana') ? ana : null)
  const api = await createApi(world.app, { identity: { authenticate, apiKeys: true }, limits: { refusals: 1 } })
  const ask = (path: string, init: RequestInit = {}) =>
    api.fetch(new Request(`http://localhost${path}`, init), { address: '203.0.113.7' })
  const body = JSON.stringify({ name: 'robot', profile: 'Manager' })
  const headers = { 'x-ana': '1', 'content-type': 'application/json' }
  const made = await ask('/api/jobs/api-keys', { method: 'POST', headers, body })
  const { id, secret } = (await made.json()) as { id: string; secret: string }
  const stream = await ask('/api/jobs/events', { headers: { 'x-api-key': secret } })
  expect(stream.status).toBe(200)
  expect((await ask('/api/jobs', { headers: { 'x-api-key': 'pk_x' } })).status).toBe(401)
  expect((await ask(`/api/jobs/api-keys/${id}`, { method: 'DELETE', headers })).status).toBe(204)
  await world.advance('5s')
  expect((await ask('/api/jobs', { headers: { 'x-api-key': secret } })).status).toBe(429)
  await world.advance('10s')
  await stream.text()
  api.close()
  await world.stop()
})

it('under a prefix it is told of, everything an answer points at stands under it', async () => {
  const world = await testPontual({ tenant: 'acme' })
  const api = await createApi(world.app, { identity: { authenticate: () => ana }, prefix: '/ops' })
  const ask = async (path: string) => (await api.fetch(new Request(`http://localhost${path}`))).json()
  expect(await ask('/api/jobs/openapi.json')).toMatchObject({ servers: [{ url: '/ops' }] })
  expect(await ask('/api/nowhere')).toMatchObject({
    instance: '/ops/api/nowhere',
    detail: 'There is nothing at this path; /ops/api/jobs/openapi.json tells what there is.',
  })
  api.close()
  await world.stop()
})

it('an option that there is not is refused, with the one that was meant', async () => {
  const world = await testPontual({ tenant: 'acme' })
  const options = { identity: { authenticate: () => ana }, dashbord: false }
  await expect(createApi(world.app, options)).rejects.toThrow(/dashbord.*dashboard/s)
  await world.stop()
})

it('an API answers from the store of an application that was stopped and started again', async () => {
  const store = pglite()
  const world = await testPontual({ tenant: 'acme', store })
  const authenticate = ({ headers }: Request) => (headers.has('x-ana') ? ana : null)
  const api = await createApi(world.app, { identity: { authenticate, apiKeys: true } })
  const ask = (path: string, init: RequestInit) => api.fetch(new Request(`http://localhost${path}`, init))
  const send = (path: string, body: unknown, more: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      headers: { 'x-ana': '1', 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
  const made = await send('/api/jobs/api-keys', { name: 'robot', profile: 'Manager' })
  const { secret } = (await made.json()) as { secret: string }
  await world.stop()
  await world.app.start()
  expect((await ask('/api/session', { headers: { 'x-api-key': secret } })).status).toBe(200)
  expect((await ask('/api/session', { method: 'POST', headers: { 'x-api-key': secret } })).status).toBe(201)
  const once = { 'idempotency-key': 'once' }
  expect((await send('/api/jobs/new/validate-cron', { cronExpression: '0 3 * * *' }, once)).status).toBe(200)
  api.close()
  await world.stop()
  await store.dispose()
})

it('in development a request of the application itself is answered by the host of its address', async () => {
  const world = await testPontual()
  const api = await createApi(world.app, { identity: { dev: true } })
  const statusOf = async (url: string) => (await api.fetch(new Request(url), { address: '127.0.0.1' })).status
  expect([await statusOf('http://127.0.0.1/api/jobs'), await statusOf('http://jobs.example/api/jobs')]).toEqual([
    200, 401,
  ])
  await world.stop()
})
