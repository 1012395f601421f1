import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import { expect } from 'vitest'
import { job, type Pontual, pontual } from '../../../src/index.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { serve } from '../../../src/server/mount/serve.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import type { CrowdOptions, CrowdReport } from './crowd.ts'

const LOADER = new URL('../../harness/typescript-loader.mjs', import.meta.url).href
const PROGRAM = fileURLToPath(new URL('./crowd-process.ts', import.meta.url))
const SECRET = 'only-for-tests: a crowd has one secret for all'
const TENANTS = ['acme', 'globex', 'initech', 'umbrella']
/** Together they run as much as ten times four. */
const SLOTS = 40

export interface CrowdedOptions {
  readonly source: StoreSource
  readonly clients: number
  readonly lastsMs: number
  /** What happens to the service meanwhile. */
  readonly meanwhile?: () => Promise<void>
}

export interface Crowded extends CrowdReport {
  readonly requests: number
  readonly rssMb: number
}

/** A service with its node, as many clients as asked for, and what became of what they were promised: nothing of it may be lost. */
export async function crowded({ source, clients, lastsMs, meanwhile }: CrowdedOptions): Promise<Crowded> {
  const work = job('work', { run: (input: { n: number }) => ({ n: input.n }) })
  await using app = pontual({ store: source, jobs: [work], node: { slots: SLOTS }, logger: 'silent' })
  const unlimited = { perAddress: 1e9, perUser: 1e9, perTenant: 1e9, refusals: 1e9 }
  const api = await createApi(app, { identity: { jwt: { secret: SECRET } }, limits: unlimited })
  await app.start()
  const served = await serve(api, { port: 0 })
  try {
    const tokens = await Promise.all(TENANTS.map(tokenOf))
    const [report] = await Promise.all([crowdInProcess({ url: served.url, tokens, clients, lastsMs }), meanwhile?.()])
    await expectKept(app, report)
    const requests = Object.values(report.statuses).reduce((sum, count) => sum + count, 0)
    return { ...report, requests, rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20) }
  } finally {
    await served.close()
  }
}

/** What was acknowledged is there, and what was to run has run, once. */
async function expectKept(app: Pontual, { jobs, executions }: CrowdReport): Promise<void> {
  await expect.poll(() => app.counts(), { timeout: 120_000, interval: 250 }).toMatchObject({ QUEUED: 0, RUNNING: 0 })
  const { store } = await app.opened()
  expect(new Set(executions).size).toBe(executions.length)
  for (const ids of chunks(jobs)) expect(await store.jobs.find(ids)).toHaveLength(ids.length)
  for (const ids of chunks(executions)) {
    const found = await store.executions.find(ids)
    expect(found).toHaveLength(ids.length)
    expect(found.filter(({ status }) => status !== 'SUCCESS')).toEqual([])
  }
}

const CHUNK = 500

function chunks(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, nth) => ids.slice(nth * CHUNK, (nth + 1) * CHUNK))
}

async function crowdInProcess(options: CrowdOptions): Promise<CrowdReport> {
  const child = spawn(process.execPath, ['--import', LOADER, PROGRAM, JSON.stringify(options)])
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (said === '') throw new Error(`The crowd ended before its time: ${complained}`)
  return JSON.parse(said) as CrowdReport
}

function tokenOf(tenant: string): Promise<string> {
  return new SignJWT({ clienteId: tenant, profile: 'Admin' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('crowd')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET))
}
