import type { Service } from '../../../../src/service/service.ts'
import { Tables } from '../../../../src/store/memory/schema/tables.ts'
import { openStore } from '../../../../src/store/memory/store.ts'
import type { StoreSource } from '../../../../src/store/store.ts'
import { type Asker, headersOf, nightly, principalOf } from '../../../http/api/world.ts'
import { type AbandonedService, openAbandoned } from './abandoned-service.ts'
import { PLACEHOLDER } from './described-values.ts'
import type { MadeUpRequest } from './requests.ts'

/** A service in which two tenants have something of every kind, and requests may name it. */
export interface ApiStage {
  /** Lets everything end that was begun. */
  settle(): Promise<void>
  /** Sends a request as it was made up, with what is there in place of what it names. */
  send(request: MadeUpRequest): Promise<Answer>
  /** Needed only where others wait for what it holds. */
  stop(): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type Things = Readonly<Record<string, readonly string[]>>

const MAKER: Asker = { tenant: 'acme', userId: 'zoe', profile: 'Admin' }
const OTHER: Asker = { tenant: 'globex', userId: 'sam', profile: 'Admin' }

/** A store in memory of which the tables can be seen. */
export function visibleMemory(): { readonly tables: Tables; readonly source: StoreSource } {
  const tables = new Tables(() => Promise.resolve())
  return { tables, source: { kind: 'memory', open: (around) => Promise.resolve(openStore(tables, around)) } }
}

export async function openApiStage(source: StoreSource): Promise<ApiStage> {
  const abandoned = await openAbandoned(source)
  const things = await furnish(abandoned)
  return {
    settle: () => abandoned.test.settle(),
    send: async (request) => {
      const answer = await send(abandoned, request, things)
      const [error] = abandoned.takeErrors()
      if (error !== undefined)
        throw error instanceof Error ? error : new Error('something was logged as an error', { cause: error })
      return answer
    },
    stop: () => abandoned.test.stop(),
  }
}

const JOBS: readonly Readonly<Record<string, unknown>>[] = [
  { tags: ['a'] },
  { jobType: 'Falhar', retryCount: 0 },
  { jobType: 'Demorar' },
  { jobType: 'Pedido' },
  { jobType: 'Resumo' },
  { jobType: 'DeletarDadosObsoletos' },
  { jobType: 'Estrito', calendar: 'feriados', payload: {} },
]

async function furnish({ service, test }: AbandonedService): Promise<Things> {
  const own = await furnishTenant(service, MAKER)
  const foreign = await furnishTenant(service, OTHER)
  await test.settle()
  return {
    ...own,
    foreign: [...own['job']!.slice(0, 0), ...foreign['job']!, ...foreign['execution']!, ...foreign['key']!],
  }
}

async function furnishTenant(service: Service, asker: Asker): Promise<Things> {
  const maker = principalOf(asker)
  await service.administration.putCalendar(maker, 'feriados', { type: 'holiday', dates: ['2026-12-25'] })
  await service.administration.putCalendar(maker, 'noites', { type: 'daily', from: '22:00', to: '05:00' })
  const [job, execution]: [string[], string[]] = [[], []]
  for (const fields of JOBS) {
    const { id } = await service.jobs.create(maker, nightly(fields) as never)
    job.push(id)
    if (fields['jobType'] === 'DeletarDadosObsoletos') continue
    execution.push((await service.jobs.execute(maker, id, {})).executionId)
  }
  const paused = await service.jobs.create(maker, nightly() as never)
  await service.jobs.pause(maker, paused.id, { reason: null, until: null })
  const key = await service.administration.createApiKey(maker, { name: 'robot', profile: 'Manager' })
  return { job: [...job, paused.id], execution, key: [key.id], calendar: ['feriados', 'noites'] }
}

async function send({ app }: AbandonedService, request: MadeUpRequest, things: Things): Promise<Answer> {
  const { operation, asker, headers, body, raw } = request
  const params = named(request.params, things) as Record<string, unknown>
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams(
    Object.entries(named(request.query, things) as object).map(([name, value]): [string, string] => [
      name,
      Array.isArray(value) ? value.join(',') : String(value),
    ]),
  )
  const text = raw ?? (body === undefined ? undefined : textOf(named(body, things)))
  const response = await app.fetch(
    new Request(`http://localhost${path}${search.size > 0 ? `?${search.toString()}` : ''}`, {
      method: operation.method,
      headers: {
        ...headersOf(asker),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(text === undefined || operation.method === 'GET' ? {} : { body: text }),
    }),
  )
  return { status: response.status, headers: response.headers, text: await readText(response) }
}

/** A stream has no end of its own: that it began is all that is waited for. */
async function readText(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return await response.text()
  await response.body?.cancel()
  return ''
}

/** What is too deep to be written by a program is written as whoever means harm writes it. */
function textOf(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch {
    return '['.repeat(10_000)
  }
}

const DEEPEST = 20

/** What placeholders stand for, put in their place. */
function named(value: unknown, things: Things, depth = 0): unknown {
  if (depth > DEEPEST) return value
  if (typeof value === 'string') {
    const [, kind = '', index] = PLACEHOLDER.exec(value) ?? []
    const known = things[kind]
    return known === undefined ? value : (known[Number(index) % known.length] ?? value)
  }
  if (Array.isArray(value)) return value.length > 1_000 ? value : value.map((each) => named(each, things, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  if (Object.keys(value).some((key) => key === '__proto__' || key === 'toJSON')) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each, things, depth + 1)]))
}
