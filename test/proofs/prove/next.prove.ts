import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../harness/postgres/free-port.ts'

const SECRET = 'a secret of thirty-two characters'

const FILES = {
  'next.config.mjs': `export default { serverExternalPackages: ['pontual'] }`,
  'app/layout.js': `export default ({ children }) => <html><body>{children}</body></html>`,
  'app/page.js': `export default () => <p>Jobs</p>`,
  'app/api/[...path]/route.js': `
import { job, memory, pontual } from 'pontual'
import { createApi, nextHandlers } from 'pontual/server'

export const dynamic = 'force-dynamic'
const greet = job('greet', { run: () => 'hello' })
const api = async () => {
  const app = pontual({ store: memory(), jobs: [greet], logger: 'silent' })
  await app.start()
  return createApi(app, { identity: { jwt: { secret: ${JSON.stringify(SECRET)} } } })
}
export const { GET, POST, PUT, DELETE, HEAD, PATCH, OPTIONS } = nextHandlers((globalThis.api ??= api()))
`,
  'app/jobs/[[...path]]/route.js': `
export { GET, HEAD, OPTIONS } from '../../api/[...path]/route.js'
export const dynamic = 'force-dynamic'
`,
}

const folder = mkdtempSync(join(tmpdir(), 'pontual-next-'))
let server: ChildProcess
let address: string

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    encoding: 'utf8',
  })
  expect(status, `${command} ${args.join(' ')}:\n${stdout}${stderr}`).toBe(0)
}

beforeAll(async () => {
  run('npm', ['pack', '--loglevel=error', '--pack-destination', folder], process.cwd())
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  run('npm', ['install', `./${tarball}`, 'next@16', 'react@19', 'react-dom@19', '--loglevel=error'], folder)
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next')
  run(process.execPath, [next, 'build'], folder)
  const port = await freePort()
  address = `http://127.0.0.1:${port}`
  server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], { cwd: folder })
  for await (const line of server.stdout ?? []) if (String(line).includes('Ready')) break
})

afterAll(async () => {
  if (server?.exitCode === null) {
    const ended = once(server, 'exit')
    server.kill()
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const token = await new SignJWT({ clienteId: 'acme', profile: 'Admin' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('ana')
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(SECRET))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return await fetch(address + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
}

it('a Next app serves the API from its route handlers', async () => {
  const nobody = await fetch(`${address}/api/jobs`)
  expect([nobody.status, nobody.headers.get('content-type')]).toEqual([401, 'application/problem+json'])

  const created = await ask('POST', '/api/jobs', { name: 'Greet', jobType: 'greet', cronExpression: '0 2 * * *' })
  expect(created.status).toBe(201)
  const { id } = (await created.json()) as { id: string }
  expect(created.headers.get('location')).toBe(`/api/jobs/${id}`)

  const executed = await ask('POST', `/api/jobs/${id}/executar`)
  expect(executed.status).toBe(202)
  const { executionId } = (await executed.json()) as { executionId: string }
  const stream = await ask('GET', `/api/jobs/executions/${executionId}/logs/stream`)
  // It ends when the execution does.
  await stream.text()
  expect(await (await ask('GET', `/api/jobs/executions/${executionId}`)).json()).toMatchObject({
    status: 'SUCCESS',
    output: 'hello',
  })
  expect((await ask('PATCH', '/api/jobs')).status).toBe(405)
  expect((await ask('GET', '/api/jobs/nowhere/at/all')).status).toBe(404)
})

it('a Next app serves the dashboard', async () => {
  const nobody = await fetch(`${address}/jobs/list`, { redirect: 'manual' })
  expect([nobody.status, nobody.headers.get('location')]).toEqual([302, './sign-in?next=%2Flist'])

  const page = await ask('GET', '/jobs/list')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? []
  const file = await fetch(new URL(script, `${address}/jobs/`))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
})
