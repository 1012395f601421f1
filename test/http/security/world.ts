import { SignJWT } from 'jose'
import { type AnyJobType, job } from '../../../src/job/type/job-type.ts'
import { loggerTo } from '../../../src/logger.ts'
import { type Api, type ApiOptions, createApi } from '../../../src/server/create-api.ts'
import { type Served, type ServeOptions, serve } from '../../../src/server/mount/serve.ts'
import { httpRequest } from '../../../src/service/job-types/http-request.ts'
import type { ServiceOptions } from '../../../src/service/options.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { type TestPontual, testPontual } from '../../../src/testing/test-pontual.ts'
import type { AskOptions, Reply } from '../api/world.ts'
import { SECRET } from '../identity/world.ts'

export type Headers = Readonly<Record<string, string>>

/** The whole of a service, as somebody meets it who has nothing but its address. */
export interface Secured extends AsyncDisposable {
  readonly url: string
  readonly test: TestPontual
  readonly api: Api
  /** Everything that was logged, as one text. */
  readonly log: () => string
  /** What nobody meant to happen. */
  readonly unexpected: readonly unknown[]
  seconds(): number
  bearer(claims?: Record<string, unknown>): Promise<Headers>
  ask(headers: Headers, method: string, path: string, how?: AskOptions): Promise<Reply>
  /** A key of whoever asks; `id` beside the header that shows it. */
  key(headers: Headers, fields?: object): Promise<{ readonly id: string; readonly headers: Headers }>
  /** What a page of our own sends with a session. */
  session(headers: Headers): Promise<Headers>
  /** Makes a job, and gives its id. */
  job(headers: Headers, change?: object): Promise<string>
}

interface SecuredOptions extends Partial<Omit<ApiOptions, 'service'>> {
  readonly store?: StoreSource
  readonly service?: ServiceOptions
  readonly serve?: ServeOptions
  readonly jobs?: readonly AnyJobType[]
}

const TYPES: readonly AnyJobType[] = [
  job('Importar', { run: () => ({ invoices: 3 }) }),
  job('Apagar', { sensitive: true, run: () => 'gone' }),
  job('Falhar', {
    retry: { retries: 0 },
    run: (input: unknown, { logger }) => {
      logger.info(String(input))
      throw new Error(String(input))
    },
  }),
  job('Esperar', {
    run: (_input: unknown, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
  }),
  job('Pedido', { durable: true, run: async (_input: unknown, ctx) => ctx.signal('go') }),
]

let opened = 0

export async function openSecured(options: SecuredOptions = {}): Promise<Secured> {
  opened += 1
  const { store, service, serve: serving, jobs = [], ...api } = options
  const lines: string[] = []
  const unexpected: unknown[] = []
  const logger = loggerTo((level, message, fields) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields, shown)}`)
    if (message === 'A request could not be served') unexpected.push(fields['error'])
  })
  const test = await testPontual({
    // The clock stands still while a request is answered.
    patience: 0,
    seed: 5_000 + opened,
    jobs: [...TYPES, httpRequest(), ...jobs],
    tenant: 'acme',
    logger,
    ...(store && { store }),
  })
  const made = await createApi(test.app, {
    identity: { jwt: { secret: SECRET } },
    limits: { refusals: 10_000 },
    ...api,
    service: { duties: false, ...service },
  })
  const served = await serve(made, { port: 0, graceMs: 100, ...serving })
  return new Stage(test, made, served, lines, unexpected)
}

function shown(_key: string, value: unknown): unknown {
  return value instanceof Error ? `${value.name} ${value.message} ${value.stack ?? ''}` : value
}

let named = 0

class Stage implements Secured {
  readonly url: string
  readonly test: TestPontual
  readonly api: Api
  readonly unexpected: readonly unknown[]
  readonly #served: Served
  readonly #lines: readonly string[]

  constructor(test: TestPontual, api: Api, served: Served, lines: readonly string[], unexpected: readonly unknown[]) {
    this.url = served.url
    this.test = test
    this.api = api
    this.unexpected = unexpected
    this.#served = served
    this.#lines = lines
  }

  log(): string {
    return this.#lines.join('\n')
  }

  seconds(): number {
    return Math.floor(this.test.now() / 1_000)
  }

  async bearer(claims: Record<string, unknown> = {}): Promise<Headers> {
    const token = await new SignJWT({
      sub: 'ana',
      clienteId: 'acme',
      profile: 'Admin',
      exp: this.seconds() + 3_600,
      ...claims,
    })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET))
    return { authorization: `Bearer ${token}` }
  }

  async ask(headers: Headers, method: string, path: string, how: AskOptions = {}): Promise<Reply> {
    const body = how.raw ?? (how.body === undefined ? undefined : JSON.stringify(how.body))
    const response = await fetch(this.url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...how.headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
    })
    const type = response.headers.get('content-type') ?? ''
    const isStream = type === 'text/event-stream'
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const parsed: unknown = /json/.test(type) && text !== '' ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, text, body: parsed as Reply['body'] }
  }

  async key(headers: Headers, fields: object = {}): Promise<{ readonly id: string; readonly headers: Headers }> {
    named += 1
    const { status, text, body } = await this.ask(headers, 'POST', '/api/jobs/api-keys', {
      body: { name: `key ${named}`, profile: 'Admin', ...fields },
    })
    if (status !== 201) throw new Error(text)
    return { id: body.id, headers: { 'x-api-key': String(body['secret']) } }
  }

  async session(headers: Headers): Promise<Headers> {
    const { status, text, headers: got } = await this.ask(headers, 'POST', '/api/session')
    if (status !== 201) throw new Error(text)
    const cookie = got.get('set-cookie')?.split(';')[0] ?? ''
    return { cookie, 'x-pontual-request': '1', origin: this.url }
  }

  async job(headers: Headers, change: object = {}): Promise<string> {
    const { status, text, body } = await this.ask(headers, 'POST', '/api/jobs', { body: jobFields(change) })
    if (status !== 201) throw new Error(text)
    return body.id
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served.close()
    await this.test.stop()
    if (this.unexpected.length > 0) throw new AggregateError(this.unexpected, 'requests were not served')
  }
}

/** The fields of a job that is due every night. */
export function jobFields(change: object = {}): Record<string, unknown> {
  named += 1
  return { name: `job ${named}`, jobType: 'Importar', cronExpression: '0 2 * * *', ...change }
}
