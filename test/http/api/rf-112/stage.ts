import { SignJWT } from 'jose'
import { expect } from 'vitest'
import type { Permission } from '../../../../src/access/permission.ts'
import type { Profile } from '../../../../src/access/profile.ts'
import { type ExecutionStatus, isFinal } from '../../../../src/job/execution/execution.ts'
import { type JobContext, job } from '../../../../src/job/type/job-type.ts'
import { loggerTo } from '../../../../src/logger.ts'
import { createApp } from '../../../../src/server/app.ts'
import { createIdentity } from '../../../../src/server/authentication/identity.ts'
import { type Api, createApi } from '../../../../src/server/create-api.ts'
import { serve } from '../../../../src/server/mount/serve.ts'
import { builtInTypes } from '../../../../src/service/job-types/built-in.ts'
import { encrypted } from '../../../../src/store/encryption/encrypted.ts'
import { memory } from '../../../../src/store/memory/memory.ts'
import type { EngineStore, StoreSource } from '../../../../src/store/store.ts'
import { StoreUnavailableError } from '../../../../src/store/unavailable.ts'
import { type TestPontual, testPontual } from '../../../../src/testing/test-pontual.ts'
import { type AskOptions, type Body, read } from './reply.ts'

export const SECRET = 'only-for-tests: the quick brown fox jumps over it'
const key = new TextEncoder().encode(SECRET)

/** Tokens that last longer than any clock is moved. */
const EXPIRES_AT = Date.UTC(2099, 0, 1) / 1_000

/** What a run is told to do by its payload. */
interface Behaviour {
  /** How many attempts fail before one succeeds. */
  readonly failures?: number
  /** Whether it goes on until it is told to stop. */
  readonly isEndless?: boolean
  /** Whether it goes on until it is let go. */
  readonly isHeld?: boolean
}

/** Executions whose handlers have been called. A store may know before that that they run. */
const begun = new Set<string>()

/** Those that wait to be let go. */
const held = new Map<string, (output: unknown) => void>()

function behave(input: unknown, { executionId, attempt, logger, signal }: JobContext): unknown {
  const { failures = 0, isEndless = false, isHeld = false } = (input ?? {}) as Behaviour
  begun.add(executionId)
  logger.info('started', { attempt })
  if (attempt <= failures) throw new Error(`no answer to attempt ${attempt}`)
  if (isHeld) return new Promise((resolve) => held.set(executionId, resolve))
  if (!isEndless) return { attempt }
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

const types = [
  job('ImportarFaturas', { run: behave }),
  job('LimparCache', { run: behave }),
  job('SincronizarAzureAD', { run: behave }),
  job('DeletarDadosObsoletos', { sensitive: true, run: behave }),
  job('Exportar', { enqueueable: true, run: behave }),
  job('FecharMes', { durable: true, run: async (_input: unknown, ctx) => await ctx.run('sum', () => 42) }),
]

/** How often something is asked for that does not come. */
const TURNS = 300

/** Of no use but in tests. */
const KEYS = [{ id: 'test', key: Buffer.alloc(32, 7) }]

/** What the service says about alerts. */
export interface AlertLine {
  readonly level: string
  readonly message: string
  readonly tenant: unknown
  readonly kind: unknown
}

let stages = 0

/** The service as it is run in production, over HTTP, in a time that is moved by hand. */
export class Stage implements AsyncDisposable {
  readonly url: string
  readonly test: TestPontual
  /** What was logged about alerts. */
  readonly alertLines: readonly AlertLine[]
  /** The store as whoever has its database, and no key, sees it. */
  readonly bare: EngineStore
  /** Where everything is stored. */
  readonly source: StoreSource
  readonly #api: Api
  readonly #close: () => Promise<void>
  #companies = 0

  private constructor({ url, test, alertLines, bare, source, api, close }: StageParts) {
    this.url = url
    this.test = test
    this.alertLines = alertLines
    this.bare = bare
    this.source = source
    this.#api = api
    this.#close = close
  }

  /** `isEncrypted`: what is stored cannot be read without a key. */
  static async open(source: StoreSource = memory(), isEncrypted = false): Promise<Stage> {
    stages += 1
    const alertLines: AlertLine[] = []
    let bare: EngineStore | undefined
    const seen: StoreSource = {
      kind: source.kind,
      open: async (surroundings) => {
        bare = await source.open(surroundings)
        return bare
      },
    }
    const test: TestPontual = await testPontual({
      // The clock stands still while a request is answered.
      patience: 0,
      seed: 1_000 + stages,
      jobs: [...types, ...builtInTypes(() => test.app)],
      node: { slots: 64 },
      defaultTimeout: '30m',
      store: isEncrypted ? encrypted(seen, { keys: KEYS }) : seen,
      logger: loggerTo((level, message, { tenant, kind }) => {
        if (message.startsWith('alert.')) alertLines.push({ level, message, tenant, kind })
      }),
    })
    if (!bare) throw new Error('The store was not opened.')
    const api: Api = await createApi(test.app, {
      identity: { jwt: { secret: SECRET } },
      limits: { perAddress: 1e9, perUser: 1e9, perTenant: 1e9, refusals: 1e9 },
    })
    const served = await serve(api, { port: 0 })
    const close = async () => {
      await served.close()
      await test.stop()
    }
    return new Stage({ url: served.url, test, alertLines, bare, source, api, close })
  }

  /** Another server of the same service, which does what it is asked to and dies before it has kept the answer. */
  async dyingServer(): Promise<{ readonly url: string } & AsyncDisposable> {
    const { store, deps: around } = await this.test.app.opened()
    const { env } = around
    const { authenticate } = createIdentity({ jwt: { secret: SECRET } }, { credentials: store.credentials, env })
    const requests = {
      begin: store.requests.begin.bind(store.requests),
      forget: store.requests.forget.bind(store.requests),
      finish: () => Promise.reject(new StoreUnavailableError('store.unavailable', 'The server is dead.')),
    }
    const served = await serve(createApp({ service: this.#api.service, authenticate, requests, env }), { port: 0 })
    return { url: served.url, [Symbol.asyncDispose]: () => served.close() }
  }

  /** A tenant that nobody else uses. */
  company(): Company {
    this.#companies += 1
    return new Company(this, guid(this.#companies))
  }

  /** The tenant of the application, whose alerts are about all others too. */
  operator(): Company {
    return new Company(this, 'default')
  }

  /** Lets an execution go that is held. */
  release(executionId: string): void {
    held.get(executionId)?.(null)
    held.delete(executionId)
  }

  /** Lets time pass in steps of those who look four times a minute. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 15) await this.test.advance('15s')
  }

  /** Asks until the answer is the one that is waited for: a server takes its time, however still the clock stands. */
  async until<Answer>(ask: () => Promise<Answer>, isIt: (answer: Answer) => boolean): Promise<Answer> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const answer = await ask()
      if (isIt(answer)) return answer
      await this.test.advance(0)
    }
    throw new Error(`It does not come: ${JSON.stringify(await ask())}`)
  }

  /** Waits until an execution is in a status; QUEUED means that it waits for its next attempt. */
  async reached(asker: Person, executionId: string, status: string): Promise<Body> {
    return await this.#seen(asker, executionId, (body) => {
      if (status === 'QUEUED') return body['nextRetryAt'] !== null
      return body.status === status && (status !== 'RUNNING' || begun.has(executionId))
    })
  }

  /** Waits until an execution has ended that does not wait for the clock. */
  async ended(asker: Person, executionId: string): Promise<Body> {
    return await this.#seen(asker, executionId, ({ status }) => isFinal(status as ExecutionStatus))
  }

  /** Waits until an execution has ended that waits for its next attempts. */
  async endedAfterRetries(asker: Person, executionId: string): Promise<Body> {
    for (;;) {
      const body = await this.#seen(
        asker,
        executionId,
        ({ status, nextRetryAt }) => nextRetryAt !== null || isFinal(status as ExecutionStatus),
      )
      if (isFinal(body.status as ExecutionStatus)) return body
      await this.test.advanceTo(body['nextRetryAt'] as string)
    }
  }

  async #seen(asker: Person, executionId: string, isIt: (body: Body) => boolean): Promise<Body> {
    return await this.until(async () => (await asker.get(`/api/jobs/executions/${executionId}`)).body, isIt)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }
}

interface StageParts {
  readonly url: string
  readonly test: TestPontual
  readonly alertLines: readonly AlertLine[]
  readonly bare: EngineStore
  readonly source: StoreSource
  readonly api: Api
  readonly close: () => Promise<void>
}

/** A tenant, and people who work for it. */
export class Company {
  readonly id: string
  readonly admin: Person
  readonly approver: Person
  readonly developer: Person
  readonly manager: Person
  readonly #stage: Stage
  #people = 0

  constructor(stage: Stage, id: string) {
    this.#stage = stage
    this.id = id
    this.admin = this.person('Admin')
    this.approver = this.person('Admin')
    this.developer = this.person('Developer')
    this.manager = this.person('Manager')
  }

  /** Somebody with a profile, whose token may say that he may do less than that. */
  person(profile: Profile, permissions?: readonly Permission[]): Person {
    this.#people += 1
    return new Person(this.#stage.url, { tenant: this.id, profile, permissions, id: guid(this.#people, this.id) })
  }

  /** A job that nobody has had before. */
  async makes(change: Readonly<Record<string, unknown>> = {}, by: Person = this.developer): Promise<Body> {
    const { status, text, body } = await by.post('/api/jobs', fieldsOf(change))
    expect(status, text).toBe(201)
    return body
  }

  /** One that has a second person's yes. */
  async makesApproved(change: Readonly<Record<string, unknown>> = {}): Promise<Body> {
    const { id } = await this.makes({ requiresTwoStepExecution: true, ...change })
    const { status, text, body } = await this.approver.post(`/api/jobs/${id}/approve`)
    expect(status, text).toBe(200)
    return body
  }

  async executes(id: string, body?: unknown): Promise<string> {
    const reply = await this.developer.post(`/api/jobs/${id}/executar`, body)
    expect(reply.status, reply.text).toBe(202)
    return reply.body.executionId
  }

  /** An execution that has ended. */
  async runs(id: string, body?: unknown): Promise<Body> {
    return await this.#stage.ended(this.admin, await this.executes(id, body))
  }

  async reads(id: string): Promise<Body> {
    return (await this.admin.get(`/api/jobs/${id}`)).body
  }

  /** What the log says, the newest first. */
  async audited(query = ''): Promise<readonly Body[]> {
    const { status, text, body } = await this.admin.get(`/api/jobs/audit-log?limit=200${query}`)
    expect(status, text).toBe(200)
    return body.items
  }
}

interface Identity {
  readonly tenant: string
  readonly id: string
  readonly profile: Profile
  readonly permissions: readonly Permission[] | undefined
}

/** Somebody who asks. */
export class Person {
  readonly id: string
  readonly #url: string
  readonly #identity: Identity
  readonly #token: Promise<string>

  constructor(url: string, identity: Identity) {
    const { tenant, id, profile, permissions } = identity
    this.#url = url
    this.#identity = identity
    this.id = id
    this.#token = new SignJWT({ clienteId: tenant, profile, ...(permissions && { permissions }) })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(id)
      .setExpirationTime(EXPIRES_AT)
      .sign(key)
  }

  /** The same at another server. */
  at(url: string): Person {
    return new Person(url, this.#identity)
  }

  get(path: string, options?: AskOptions) {
    return this.ask('GET', path, options)
  }

  post(path: string, body?: unknown, options?: AskOptions) {
    return this.ask('POST', path, { ...options, body })
  }

  put(path: string, body: unknown, options?: AskOptions) {
    return this.ask('PUT', path, { ...options, body })
  }

  delete(path: string, options?: AskOptions) {
    return this.ask('DELETE', path, options)
  }

  async ask(method: string, path: string, options: AskOptions = {}) {
    const reply = await read(await this.send(method, path, options))
    // Whatever is asked, nothing happens that nobody meant to happen.
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(500)
    return reply
  }

  /** The answer as it comes. */
  async send(method: string, path: string, { body, headers = {}, signal }: AskOptions = {}): Promise<Response> {
    return await fetch(this.#url + path, {
      method,
      headers: {
        ...(await this.shows()),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  }

  /** What tells who he is. */
  async shows(): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await this.#token}` }
  }
}

/** Prepares something for several tests, when the first of them needs it. */
export function once<Value>(prepare: () => Promise<Value>): () => Promise<Value> {
  let prepared: Promise<Value> | undefined
  return () => {
    prepared ??= prepare()
    return prepared
  }
}

let names = 0

/** The fields of a job that is due on the first of January, so that it fires in no test that does not say so. */
export function fieldsOf(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  names += 1
  return { name: `Job ${names}`, jobType: 'ImportarFaturas', cronExpression: '0 0 1 1 *', ...change }
}

function guid(number: number, within = '00000000-0000-4000-8000-000000000000'): string {
  return `${number.toString(16).padStart(8, '0')}${within.slice(8, 24)}${within.slice(0, 8)}${within.slice(32)}`
}
