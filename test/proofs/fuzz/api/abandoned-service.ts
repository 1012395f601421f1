import { z } from 'zod'
import { type AnyJobType, job } from '../../../../src/job/type/job-type.ts'
import { loggerTo } from '../../../../src/logger.ts'
import { createApp } from '../../../../src/server/app.ts'
import type { App } from '../../../../src/server/app-options.ts'
import type { Authenticate } from '../../../../src/server/authentication/authenticate.ts'
import { createIdentity } from '../../../../src/server/authentication/identity.ts'
import { createService, type Service } from '../../../../src/service/service.ts'
import type { StoreSource } from '../../../../src/store/store.ts'
import { type TestPontual, testPontual } from '../../../../src/testing/test-pontual.ts'
import { type Asker, principalOf } from '../../../http/api/world.ts'

/** A job type of every kind. */
const TYPES: readonly AnyJobType[] = [
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
    run: (_input: unknown, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
  }),
  job('Estrito', { input: z.strictObject({ month: z.string().optional() }), run: () => 'done' }),
  job('DeletarDadosObsoletos', { sensitive: true, run: () => 'deleted' }),
  job('Pedido', {
    durable: true,
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

/** A service that is asked in this process, and is left as it is once enough was asked: to stop each in order would take longer than to ask it. */
export interface AbandonedService {
  readonly app: App
  readonly service: Service
  readonly test: TestPontual
  /** What was logged as an error since it was last asked for. */
  takeErrors(): readonly unknown[]
}

let made = 0

export async function openAbandoned(store: StoreSource): Promise<AbandonedService> {
  made += 1
  // Ids depend on the seed, and services may share a database.
  const test = await testPontual({ seed: made, jobs: TYPES, tenant: 'acme', node: { slots: 1_000 }, store })
  const service = createService(test.app, { tenantConcurrency: 1_000, duties: false })
  await service.ready()
  const { store: opened, deps: around } = await test.app.opened()
  const authenticate: Authenticate = (request) => {
    const shown = request.headers.get('x-asker')
    return Promise.resolve(shown === null ? null : principalOf(JSON.parse(shown) as Asker))
  }
  const { env } = around
  const { requests, credentials } = opened
  const { sessions } = createIdentity({ apiKeys: true }, { credentials, env })
  let errors: unknown[] = []
  const logger = loggerTo((level, message, { error }) => {
    if (level === 'error') errors.push(error ?? message)
  })
  return {
    app: createApp({ service, authenticate, sessions, requests, env, logger }),
    service,
    test,
    takeErrors() {
      const taken = errors
      errors = []
      return taken
    },
  }
}
