import { z } from 'zod'
import { UnauthenticatedError } from '../../../src/access/errors.ts'
import type { Permission } from '../../../src/access/permission.ts'
import type { Principal } from '../../../src/access/principal.ts'
import { type Profile, permissionsOf } from '../../../src/access/profile.ts'
import { type AnyJobType, job } from '../../../src/job/type/job-type.ts'
import { unchecked } from '../../../src/job/type/standard-schema.ts'
import { loggerTo } from '../../../src/logger.ts'
import { createApp } from '../../../src/server/app.ts'
import type { App, AppOptions } from '../../../src/server/app-options.ts'
import type { Authenticate } from '../../../src/server/authentication/authenticate.ts'
import { createIdentity } from '../../../src/server/authentication/identity.ts'
import { serve } from '../../../src/server/mount/serve.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { type TestPontual, testPontual } from '../../../src/testing/test-pontual.ts'
import { cron } from '../../../src/time/triggers/cron.ts'

/** Somebody who asks, as a test writes it. */
export interface Asker {
  readonly tenant: string
  readonly userId: string
  readonly profile: Profile
  readonly permissions?: readonly Permission[]
}

export const ADMIN: Asker = { tenant: 'acme', userId: 'ana', profile: 'Admin' }
export const APPROVER: Asker = { tenant: 'acme', userId: 'bia', profile: 'Admin' }
export const DEVELOPER: Asker = { tenant: 'acme', userId: 'davi', profile: 'Developer' }
export const MANAGER: Asker = { tenant: 'acme', userId: 'mara', profile: 'Manager' }
export const STRANGER: Asker = { tenant: 'globex', userId: 'sam', profile: 'Admin' }

const types: readonly AnyJobType[] = [
  job('ImportarFaturas', {
    run: (input: unknown, { logger }) => {
      logger.info('imported', { input })
      return { invoices: 3 }
    },
  }),
  job('Falhar', {
    retry: { retries: 0 },
    run: () => {
      throw new Error('no such file')
    },
  }),
  job('Demorar', {
    run: (_input: unknown, { signal, logger }) => {
      logger.info('begun')
      return new Promise((_, reject) => signal.addEventListener('abort', reject))
    },
  }),
  job('LimparCache', { schedule: { trigger: cron('0 4 * * *') }, run: () => 'cleared' }),
  job('Estrito', { input: z.strictObject({ month: z.string().optional() }), run: () => 'done' }),
  job('DeletarDadosObsoletos', { sensitive: true, run: () => 'deleted' }),
  job('Exportar', { enqueueable: true, input: z.strictObject({ month: z.string() }), run: () => 'exported' }),
  job('Pedido', {
    durable: true,
    signals: { go: unchecked() },
    run: async (_input: unknown, ctx) => {
      await ctx.signal('go')
    },
  }),
  job('Resumo', {
    durable: true,
    run: async (_input: unknown, ctx) => {
      await ctx.run('count', () => ({ at: new Date(0), total: 2n }))
    },
  }),
]

/** The API over a store, served over HTTP. */
export interface World extends AsyncDisposable {
  readonly url: string
  readonly app: App
  readonly service: Service
  readonly test: TestPontual
  /** Whom nobody believes any more, by user. */
  readonly revoked: Set<string>
  ask(asker: Asker | null, method: string, path: string, options?: AskOptions): Promise<Reply>
}

export interface AskOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty where it is no JSON. */
  readonly body: Body
}

/** What tests look for in answers: a test that looks for what is not there fails. */
interface Body {
  readonly [field: string]: unknown
  readonly id: string
  readonly version: number
  readonly executionId: string
  readonly items: readonly unknown[]
  readonly code: string
  readonly errors: readonly { readonly pointer: string; readonly code: string }[]
}

let worlds = 0

export async function openWorld(store?: StoreSource, options: Partial<AppOptions> = {}): Promise<World> {
  worlds += 1
  const test = await testPontual({
    // Worlds may share a database, and must not give the same ids.
    seed: worlds,
    jobs: types,
    tenant: 'acme',
    node: { slots: 1_000 },
    // The clock stands still while a request is answered.
    patience: 0,
    ...(store === undefined ? {} : { store }),
  })
  const service = createService(test.app, { tenantConcurrency: 1_000, duties: false })
  await service.ready()
  const { store: opened, deps: around } = await test.app.opened()
  const revoked = new Set<string>()
  const authenticate: Authenticate = async (request) => {
    const shown = request.headers.get('x-asker')
    if (shown === null) return null
    const principal = principalOf(JSON.parse(shown) as Asker)
    if (revoked.has(principal.userId)) throw new UnauthenticatedError('token.revoked', 'It was revoked.')
    return principal
  }
  const { env } = around
  const { requests, credentials } = opened
  const { sessions } = createIdentity({ apiKeys: true }, { credentials, env })
  const unexpected: unknown[] = []
  const logger = loggerTo((level, _message, { error }) => {
    if (level === 'error') unexpected.push(error)
  })
  const app = createApp({ service, authenticate, sessions, requests, env, logger, ...options })
  const served = await serve(app, { port: 0 })
  return {
    url: served.url,
    app,
    service,
    test,
    revoked,
    ask: (asker, method, path, how) => ask(served.url + path, asker, method, how),
    async [Symbol.asyncDispose]() {
      await served.close()
      service.close()
      await test.stop()
      // Whatever is sent, nothing happens that nobody meant to happen.
      if (unexpected.length > 0) throw new AggregateError(unexpected, `${unexpected.length} requests were not served`)
    },
  }
}

export function principalOf({ tenant, userId, profile, permissions }: Asker): Principal {
  const held = permissions === undefined ? permissionsOf(profile) : new Set(permissions)
  return { tenant, userId, ownerId: null, profile, permissions: held, source: 'jwt' }
}

export function headersOf(asker: Asker | null): Record<string, string> {
  return asker === null ? {} : { 'x-asker': JSON.stringify(asker) }
}

async function ask(url: string, asker: Asker | null, method: string, how: AskOptions = {}): Promise<Reply> {
  const body = how.raw ?? (how.body === undefined ? undefined : JSON.stringify(how.body))
  const headers = {
    ...headersOf(asker),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...how.headers,
  }
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  const text = await readText(response)
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : {}) as Body }
}

/** A stream has no end of its own: that it began is all that is waited for. */
async function readText(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return await response.text()
  await response.body?.cancel()
  return ''
}

let count = 0

/** The fields of a job that is due every night. */
export function nightly(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  count += 1
  return { name: `job ${count}`, jobType: 'ImportarFaturas', cronExpression: '0 2 * * *', ...change }
}
