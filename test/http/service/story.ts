import type { ExecutionStatus } from '../../../src/job/execution/execution.ts'
import { ana, bia, dev, fields, refusalOf, type Stage, stranger } from './stage.ts'

const LOOKS = 1_000
const all = { limit: 50, archived: true }
const sorts = ['name', 'status', 'jobType', 'priority', 'nextFireAt', 'createdAt', 'updatedAt'] as const

/** Asks a service for everything it can do, in one order, and tells what it answered. Ids are told by when they first appear. */
export async function tellStory({ service, test }: Stage): Promise<unknown[]> {
  const { jobs, executions, audit, administration, overview } = service
  const told: unknown[] = []
  const tell = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked
    told.push(answer)
    return answer
  }
  /** A real server answers when it likes: the clock stands still until it has. */
  const until = async (executionId: string, ...statuses: readonly ExecutionStatus[]) => {
    for (let n = 0; n < LOOKS; n += 1) {
      await test.settle()
      if (statuses.includes((await executions.get(ana, executionId)).status)) return
    }
    throw new Error(`Execution ${executionId} has not become ${statuses.join(' or ')}.`)
  }

  await tell(
    administration.updateSettings(ana, { allowsSeconds: true, concurrency: 3, adminAddresses: ['a@example.com'] }, 0),
  )
  await tell(administration.putCalendar(ana, 'úteis', { type: 'weekly', weekdays: [0, 6] }))
  const { id } = await tell(
    jobs.create(ana, fields({ name: 'a noite', tags: ['x'], payload: { month: 'ç' }, calendar: 'úteis' })),
  )
  const { id: failing } = await tell(jobs.create(dev, fields({ name: 'B falha', jobType: 'Falhar', priority: 'HIGH' })))
  const { id: slow } = await tell(jobs.create(dev, fields({ name: 'c lenta', jobType: 'Demorar', priority: 'LOW' })))
  const { id: durable } = await tell(jobs.create(dev, fields({ name: 'd pedido', jobType: 'pedido' })))
  const { id: secret } = await tell(
    jobs.create(dev, fields({ name: 'e dados', jobType: 'DeletarDadosObsoletos', description: 'É tudo' })),
  )
  const { id: foreign } = await tell(jobs.create(stranger, fields({ name: 'a noite' })))
  for (const name of ['a noite', 'B falha']) told.push(await refusalOf(jobs.create(ana, fields({ name }))))
  const calls = [() => jobs.get(ana, foreign), () => jobs.execute(ana, foreign, {}), () => jobs.remove(ana, foreign)]
  // One after the other: a refusal that nobody waits for yet is taken for one that nobody sees.
  for (const call of calls) told.push(await refusalOf(call()))

  await tell(jobs.approve(bia, secret, { comment: 'sim' }))
  await tell(jobs.update(dev, secret, { timeoutMinutes: 60 }))
  told.push(await refusalOf(jobs.execute(ana, secret, {})))
  await tell(jobs.reject(bia, secret, { reason: 'não' }))
  await tell(jobs.update(bia, id, { cronExpression: '*/10 * * * * *', priority: 'HIGH' }))
  await tell(jobs.pause(dev, id, { reason: 'já', until: '2026-01-03T00:00:00Z' }))

  const ran = await tell(jobs.execute(dev, id, { payload: { month: '02' } }))
  const failed = await tell(jobs.execute(dev, failing, {}))
  await until(ran.executionId, 'SUCCESS')
  await until(failed.executionId, 'FAILED')
  const again = await tell(jobs.retry(ana, failing, null))
  await until(again.executionId, 'FAILED')
  const first = await tell(jobs.execute(dev, slow, {}))
  const waits = await tell(jobs.execute(dev, durable, {}))
  await until(first.executionId, 'RUNNING')
  await until(waits.executionId, 'WAITING')
  for (let n = 0; n < 2; n += 1) {
    await tell(jobs.enqueue(ana, { jobName: 'c lenta', delayMs: 60_000, idempotencyKey: 'k' }))
  }
  await tell(overview.dashboard(ana))
  told.push({ ...(await overview.workers(ana)), nodes: [] })
  await tell(executions.signal(ana, waits.executionId, { name: 'go', payload: { at: 1 } }))
  await until(waits.executionId, 'SUCCESS')
  const activities = await tell(executions.activities(ana, waits.executionId))
  const anew = await tell(executions.restart(ana, waits.executionId, { sequence: activities.at(-1)?.sequence ?? 0 }))
  await until(anew.executionId, 'WAITING', 'SUCCESS')
  await tell(executions.cancel(bia, first.executionId, 'chega'))
  told.push((await jobs.cancel(bia, slow, { executionId: null, reason: null })).cancelled.length)

  for (const execution of [ran, failed, first, waits])
    told.push(withoutNodes(await executions.get(ana, execution.executionId)))
  await tell(jobs.logs(ana, id, { limit: 5 }))
  told.push(withoutNodes(await jobs.history(ana, failing, all)))
  told.push((await executions.list(ana, { ...all, status: ['FAILED', 'CANCELLED'] })).items.length)
  told.push(withoutNodes(await jobs.get(ana, failing)))
  await tell(jobs.nextExecution(ana, durable))
  await tell(jobs.resume(ana, failing))
  await tell(jobs.remove(ana, failing))
  for (const sort of sorts) {
    for (const isDescending of [false, true]) told.push(await everyPage(service, sort, isDescending))
  }
  for (const q of ['NOITE', 'é t', 'x', '%', '_', "'"]) {
    told.push((await jobs.list(ana, { limit: 9, q, sort: 'name', isDescending: false })).items.map(({ name }) => name))
  }
  told.push((await jobs.list(ana, { limit: 9, status: ['DELETED'], sort: 'name', isDescending: false })).items.length)
  const key = await administration.createApiKey(ana, { name: 'chave', profile: 'Manager' })
  await administration.revokeApiKey(ana, key.id)
  told.push((await administration.apiKeys(ana)).map(({ name, revokedAt }) => [name, revokedAt !== null]))
  told.push(await refusalOf(administration.revokeApiKey(stranger, key.id)))
  told.push(await refusalOf(administration.removeCalendar(ana, 'úteis')))
  await tell(administration.calendars(ana))
  await tell(overview.manifest(ana))
  await tell(overview.simulate(ana, { from: '2026-01-05T00:00:00Z', to: '2026-01-06T12:00:00Z' }))
  await tell(overview.dashboard(stranger))
  const { items } = await audit.list(ana, { limit: 100 })
  const entries = items.map(({ operation, userId, oldValues, newValues }) => [operation, userId, oldValues, newValues])
  // Of executions that run at the same time nobody says which ends first.
  told.push(entries.map((entry) => JSON.stringify(entry)).toSorted())
  const verdict = await audit.verify(ana)
  told.push([verdict.isIntact, verdict.entries, await audit.lastSequence(ana)])
  told.push((await audit.eventsAfter(ana, 3, 5)).map(({ sequence, operation }) => [sequence, operation]))
  return withPlainIds(told)
}

async function everyPage(
  { jobs }: Stage['service'],
  sort: (typeof sorts)[number],
  isDescending: boolean,
): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await jobs.list(ana, { limit: 2, sort, isDescending, cursor })
    names.push(...page.items.map(({ name }) => name))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return names
}

/** Nodes have names of their own. */
function withoutNodes(view: unknown): unknown {
  return JSON.parse(JSON.stringify(view, (key, value: unknown) => (key === 'nodeId' ? null : value)))
}

function withPlainIds(told: readonly unknown[]): unknown[] {
  const ids = new Map<string, string>()
  const text = JSON.stringify(told).replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size + 1}`)
    return ids.get(id) ?? id
  })
  return JSON.parse(text) as unknown[]
}
