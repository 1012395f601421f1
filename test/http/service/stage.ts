import { z } from 'zod'
import type { Permission } from '../../../src/access/permission.ts'
import type { Principal } from '../../../src/access/principal.ts'
import { type Profile, permissionsOf } from '../../../src/access/profile.ts'
import { PontualError } from '../../../src/errors.ts'
import { type AnyJobType, job } from '../../../src/job/type/job-type.ts'
import { InvalidFieldsError } from '../../../src/service/errors.ts'
import type { NewJobFields } from '../../../src/service/job-view.ts'
import type { ServiceOptions } from '../../../src/service/options.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import { type TestOptions, type TestPontual, testPontual } from '../../../src/testing/test-pontual.ts'

/** A service over a memory store, and people who ask. */
export interface Stage extends AsyncDisposable {
  readonly service: Service
  readonly test: TestPontual
}

const types: readonly AnyJobType[] = [
  job('ImportarFaturas', {
    input: z.object({ month: z.string() }).partial().optional(),
    run: (input, { logger }) => {
      logger.info('imported', { month: input?.month ?? null })
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
  job('Estrito', { input: z.object({ path: z.object({ to: z.string() }) }), run: () => null }),
  job('DeletarDadosObsoletos', { sensitive: true, run: () => 'deleted' }),
  job('pedido', { durable: true, run: async (_input: unknown, ctx) => await ctx.signal('go') }),
]

export async function openStage(options: Partial<TestOptions> = {}, rules: ServiceOptions = {}): Promise<Stage> {
  const test = await testPontual({ jobs: types, ...options })
  const service = createService(test.app, { duties: false, ...rules })
  await service.ready()
  return { service, test, [Symbol.asyncDispose]: () => test.stop() }
}

/** Somebody of a tenant. */
export function somebody(userId: string, profile: Profile = 'Admin', change: Partial<Principal> = {}): Principal {
  const permissions: ReadonlySet<Permission> = permissionsOf(profile)
  return { tenant: 'acme', userId, ownerId: null, profile, permissions, source: 'jwt', ...change }
}

export const ana = somebody('ana')
export const bia = somebody('bia')
export const dev = somebody('davi', 'Developer')
export const manager = somebody('mara', 'Manager')
export const stranger = somebody('sam', 'Admin', { tenant: 'globex' })

let count = 0

/** The fields of a job that fires every night. */
export function fields(change: Partial<NewJobFields> = {}): NewJobFields {
  count += 1
  return { name: `job ${count}`, jobType: 'ImportarFaturas', cronExpression: '0 2 * * *', ...change }
}

/** What is wrong, in short: the code of an error, or pointers and codes of fields. */
export async function refusalOf(asked: Promise<unknown>): Promise<unknown> {
  try {
    await asked
  } catch (error) {
    if (error instanceof InvalidFieldsError) {
      return Object.fromEntries(error.problems.map(({ pointer, code }) => [pointer, code]))
    }
    return error instanceof PontualError ? `${error.constructor.name} ${error.code}` : error
  }
  return 'accepted'
}
