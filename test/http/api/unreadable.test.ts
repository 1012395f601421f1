import { afterEach, describe, expect, it } from 'vitest'
import { routes } from '../../../src/server/routes/routes.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { flipped, Vault } from '../../suites/encryption/vault.ts'
import { ADMIN, nightly, openWorld, type Reply, type World } from './world.ts'

type Described = Readonly<
  Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>>
>

interface Ran {
  readonly jobId: string
  readonly id: string
}

const opened: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function open(): Promise<{ world: World; vault: Vault; described: Described }> {
  const vault = new Vault(memory())
  const world = await openWorld(vault.source)
  opened.push(
    async () => await world[Symbol.asyncDispose](),
    () => vault.close(),
  )
  const { body } = await world.ask(ADMIN, 'GET', '/api/jobs/openapi.json')
  return { world, vault, described: body['paths'] as Described }
}

async function ran(world: World, jobType: string): Promise<Ran> {
  const job = await world.ask(ADMIN, 'POST', '/api/jobs', {
    body: nightly({ jobType, payload: { word: 'CANARY' }, ...(jobType === 'Falhar' ? { retryCount: 0 } : {}) }),
  })
  expect(job.status, job.text).toBe(201)
  const { body } = await world.ask(ADMIN, 'POST', `/api/jobs/${job.body.id}/execute`)
  for (let turn = 0; turn < 20; turn += 1) await world.test.settle()
  return { jobId: job.body.id, id: body.executionId }
}

/** Every request that is about one execution, or about its job. */
const REQUESTS: readonly (readonly [name: string, query?: string, body?: unknown])[] = [
  ['listExecutions'],
  ['getExecution'],
  ['getExecution', '?archived=true'],
  ['listActivities'],
  ['followLogs'],
  ['listJobs'],
  ['getJob'],
  ['listJobExecutions'],
  ['readJobLogs'],
  ['readJobLogs', '?executionId={execution}'],
  ['revealPayload'],
  ['getApproval'],
  ['getNextExecution'],
  ['listJobTypes'],
  ['updateJob', '', { description: 'changed' }],
  ['updateJob', '', { payload: { word: 'other' } }],
  ['simulateOutage', '', { from: '2026-01-05T00:00:00Z', to: '2026-01-06T00:00:00Z' }],
  ['signalExecution', '', { name: 'go', payload: 1 }],
  ['executeJob'],
  ['retryExecution', '?executionId={execution}'],
  ['restartExecution', '', { sequence: 1 }],
  ['cancelExecution', '', {}],
  ['eraseExecution'],
  ['getDashboard'],
  ['getKpis'],
  ['listAlerts'],
  ['listNotifications'],
  ['getSettings'],
  ['listAuditEntries'],
  ['verifyAuditLog'],
  ['getExecution'],
  ['pauseJob', '', {}],
  ['deleteJob'],
]

async function askAll(world: World, described: Described, { jobId, id }: Ran): Promise<string[]> {
  const wrong: string[] = []
  for (const [name, query = '', body] of REQUESTS) {
    const route = routes.find((each) => each.name === name)
    if (!route) throw new Error(`There is no route ${name}.`)
    const path = route.path.replace(':id', route.path.includes('executions/') ? id : jobId)
    const reply: Reply = await world.ask(ADMIN, route.method, path + query.replace('{execution}', id), {
      body,
    })
    const item = described[route.path.replaceAll(/:([^/]+)/g, '{$1}')]?.[route.method.toLowerCase()]
    const statuses = Object.keys(item?.responses ?? {})
    const line = `${name}${query} ${reply.status} ${reply.text.slice(0, 300)}`
    if (!statuses.includes(String(reply.status)) || reply.status >= 500) wrong.push(`not described: ${line}`)
    if (/!erased|!undecryptable|sealed:1/.test(reply.text)) wrong.push(`shows what is stored: ${line}`)
    await world.test.settle()
  }
  return wrong
}

const TYPES = ['ImportarFaturas', 'Falhar', 'Resumo', 'Pedido'] as const

describe('every request is answered as described', () => {
  it.each(TYPES)('where an execution of %s was erased', async (jobType) => {
    const { world, described } = await open()
    const execution = await ran(world, jobType)
    if (jobType === 'Pedido') await world.ask(ADMIN, 'POST', `/api/jobs/executions/${execution.id}/cancel`)
    for (let turn = 0; turn < 20; turn += 1) await world.test.settle()
    const erased = await world.ask(ADMIN, 'POST', `/api/jobs/executions/${execution.id}/erase`)
    expect(erased.status, erased.text).toBe(204)
    expect(await askAll(world, described, execution)).toEqual([])
  })

  it.each(TYPES)('where nothing of an execution of %s can be decrypted', async (jobType) => {
    const { world, vault, described } = await open()
    const execution = await ran(world, jobType)
    for (const text of await vault.texts(execution.id)) await vault.tamper(text, flipped(text.text))
    expect(await askAll(world, described, execution)).toEqual([])
  })
})
