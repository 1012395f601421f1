import type { ExecutionStatus } from '../../../src/job/execution/execution.ts'
import { type Bench, failure, HOUR, LEASE_MS, MINUTE, success } from '../conformance/bench.ts'
import { begun, heldOf, item, MISMATCH, run, running, settled, taken } from '../conformance/durable-entries.ts'

const PAGE = 20

/** Takes durable executions through everything that can happen to them. */
export async function useRuns(bench: Bench): Promise<void> {
  const { histories, executions, leases, jobs } = bench.store
  let held = await running(bench)
  const { executionId } = held
  const signal = { executionId, name: 'go', payload: null }
  const child = bench.execution({ priority: 'HIGH' })
  await histories.record([item(held, settled(1))])
  await histories.record([item(held, settled(2, { kind: 'timer', isTimer: true, dueAt: bench.now }))])
  await histories.signal([
    { ...signal, idempotencyKey: 'k' },
    { ...signal, idempotencyKey: null },
  ])
  const [news] = await histories.news([heldOf(held)])
  const [first, second] = news?.signals ?? []
  await histories.record([{ ...item(held, settled(3, { signalId: first!.id })), discards: [second!.id] }])
  await histories.startChildren([{ ...heldOf(held), entries: [begun(4, { childId: child.body.id })], child }])
  await leases.finish([success(await taken(bench), { output: '1' })])
  const [told] = await histories.news([heldOf(held)])
  if (told?.children.length !== 1) throw new Error('The end of the child is no news.')
  await histories.record([item(held, settled(4, { takesChild: child.body.id }))])
  await histories.checkpoint([{ ...heldOf(held), state: '1' }])
  await histories.lastCheckpoint(executionId)
  await histories.park([{ ...heldOf(held), dueAt: bench.now + HOUR }])
  await executions.find([executionId])
  await histories.wake([executionId])
  held = await taken(bench)
  await histories.load([heldOf(held)])
  await histories.read(executionId)
  await histories.goingOn([heldOf(held)])
  await histories.continueAs([{ ...heldOf(held), entry: begun(0, { kind: 'input', status: 'COMPLETED' }) }])
  await histories.record([item(held, settled(1), settled(2))])
  await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
  await histories.resume({ jobTypes: ['import'], limit: 9 })
  held = await taken(bench)
  await histories.diverge([{ ...heldOf(held), divergence: MISMATCH }])
  await histories.cut(executionId, 2)
  held = await taken(bench)
  await executions.cancel([{ id: executionId, reason: null }])
  await leases.finish([success(held)])
  await leases.finish([success(held, { status: 'CANCELLED' })])
  await histories.fork(executionId, 2, run(bench))
  await leases.release([heldOf(await taken(bench))])
  await leases.finish([success(await taken(bench))])
  await running(bench)
  bench.advance(LEASE_MS + 1)
  await leases.recover({ silentForMs: null, limit: 9 })
  await leases.finish([success(await taken(bench))])
  const job = bench.job()
  await bench.put(job)
  await running(bench, { jobId: job.id })
  await jobs.remove([job.id])
  bench.advance(MINUTE)
  await executions.purge(bench.now, 9)
}

/** Uses keys, sessions, requests and the audit log as a service does. */
export async function useService(bench: Bench): Promise<void> {
  const { credentials, requests, audit } = bench.store
  const [id, secretHash] = [bench.uuid(), bench.uuid()]
  const holder = { tenant: 'acme', profile: 'Admin', permissions: [], ownerId: 'ana' } as const
  await credentials.addKey({ ...holder, id, name: 'x', secretHash, expiresAt: null })
  await credentials.findKey(secretHash)
  await credentials.listKeys('acme')
  await credentials.touchKeys([id])
  const session = { ...holder, secretHash, userId: 'ana', source: 'apiKey', keyId: id } as const
  await credentials.addSession({ ...session, expiresAt: bench.now + HOUR })
  await credentials.findSession(secretHash)
  await credentials.removeSessions([secretHash])
  await credentials.addSession({ ...session, expiresAt: bench.now + 1 })
  await credentials.revokeKey('acme', id)
  const request = { tenant: 'acme', userId: 'ana', key: id, fingerprint: '', resourceId: id, takeoverMs: 1 }
  await requests.begin(request)
  await requests.finish(request, { status: 200, headers: {}, body: '' })
  await requests.begin(request)
  await requests.begin({ ...request, key: secretHash })
  await requests.forget({ ...request, key: secretHash })
  for (const filter of [{}, { isAscending: true }, { after: 19_991, isAscending: true }, { jobId: id }]) {
    await audit.list({ tenant: 'acme', limit: 20, ...filter })
  }
  bench.advance(24 * HOUR)
  await bench.store.maintain()
}

/** Enqueues, fires, claims and finishes plain executions: of jobs, of tenants with a limit, in chains, with an error. */
export async function useExecutions(bench: Bench): Promise<void> {
  const { jobs, executions, leases, occurrences, nodes, tenants, logs } = bench.store
  // Of a type of its own: what is left of it is not claimed by other uses.
  const jobType = 'plain'
  const [job, limited] = [bench.job({ jobType }), bench.job({ jobType, concurrency: 1 })]
  await bench.put(job, limited)
  await tenants.limit([{ tenant: 'capped', concurrency: 2 }])
  bench.advance(MINUTE)
  await jobs.due(100)
  await occurrences.fire([bench.firing(job)])
  await occurrences.standing([job.id])
  await occurrences.waiting(job.id, 9)
  await bench.enqueue({ jobType, jobId: job.id })
  await bench.enqueue({ jobType, jobId: limited.id })
  await bench.enqueue({ jobType, tenant: 'capped' })
  await bench.enqueue({ jobType, idempotencyKey: bench.uuid() })
  await bench.enqueue({ jobType, runAt: bench.now + HOUR })
  const priorities = ['HIGH', 'MEDIUM', 'LOW'] as const
  await executions.enqueue(priorities.map((priority) => bench.execution({ jobType, priority })))
  const nodeId = await bench.node({ jobTypes: [jobType] })
  const [first, second, third, ...others] = [
    ...(await bench.claim(nodeId, { jobTypes: [jobType], limit: 4 })),
    ...(await bench.claim(nodeId, { jobTypes: [jobType] })),
  ]
  if (!first || !second || !third) throw new Error('There was too little to claim.')
  const behind = await bench.enqueue({ jobType, after: [{ id: first.executionId, on: 'success' }] })
  await executions.chain(behind, 9)
  await executions.predecessors(behind)
  await nodes.renew(nodeId, LEASE_MS)
  await leases.held(nodeId)
  await leases.progress([{ ...heldOf(first), fraction: 0.5, note: null }])
  await leases.finish([success(first)])
  await leases.finish([success(second, { status: 'FAILED', error: failure, faultsJobId: job.id })])
  await leases.retry([{ ...heldOf(third), status: 'FAILED', error: failure, delayMs: 1 }])
  await leases.finish(others.map((held) => success(held)))
  await executions.cancel([{ id: await bench.enqueue({ jobType }), reason: null }])
  bench.advance(1_000)
  await leases.promote(100)
  await logs.read({ executionId: first.executionId, limit: PAGE })
}

/** Asks for everything that pages of a tenant show. */
export async function useLists(bench: Bench): Promise<void> {
  const tenant = 'acme'
  const { jobs, executions, notifications, alerts, audit, occurrences } = bench.store.forTenant(tenant)
  const since = bench.now - 24 * HOUR
  const [job] = await jobs.list({ tenant, limit: 1 })
  if (!job) throw new Error('The tenant has no job.')
  const found = await executions.list({ tenant, limit: PAGE })
  const before = found.at(-1)?.id
  for (const statuses of [
    undefined,
    ['SUCCESS'],
    ['FAILED', 'TIMEOUT'],
    ['CANCELLED', 'RUNNING'],
    ['QUEUED', 'WAITING'],
  ]) {
    const filter = { tenant, limit: PAGE, before, since, statuses: statuses as ExecutionStatus[] | undefined }
    for (const archived of [false, true]) {
      await executions.list({ ...filter, archived })
      await executions.list({ ...filter, archived, jobId: job.id })
      await executions.search({ ...filter, archived })
      await executions.search({ ...filter, before: undefined, archived, errorText: 'month', jobIds: [job.id] })
      await executions.search({ ...filter, before: undefined, archived, errorText: 'month' })
    }
  }
  await executions.count(tenant)
  await executions.queues(tenant)
  await executions.oldestQueuedAt(tenant)
  await executions.ran({ tenant, since })
  await executions.recent({ tenant, jobIds: [job.id], since, limit: PAGE })
  await executions.statistics({ tenant, since, limit: 1_000 })
  await executions.statistics({ tenant, jobId: job.id, since, limit: 1_000 })
  await executions.measure({ tenant, since, limit: 1_000 })
  await executions.series({ tenant, since, until: bench.now, bucketMs: HOUR, limit: 1_000 })
  await executions.failures({ tenant, since, limit: 1_000 })
  await jobs.search({ tenant, limit: PAGE, text: 'job', sort: 'name', isDescending: false })
  await jobs.schedules({ tenant, limit: PAGE })
  await jobs.count(tenant)
  await jobs.countTypes(tenant)
  await occurrences.ledger({ jobId: job.id, from: since, to: bench.now, limit: PAGE })
  await notifications.list({ tenant, limit: PAGE })
  await notifications.summary(tenant, since)
  for (const isOpen of [undefined, true]) await alerts.list({ tenant, limit: PAGE, isOpen })
  for (const filter of [{}, { isAscending: true }, { jobId: job.id }, { executionId: bench.uuid() }]) {
    for (const archived of [false, true]) await audit.list({ tenant, limit: PAGE, archived, ...filter })
  }
}

/** Does what a service does in the background: alerts, notifications, figures. */
export async function useDuties(bench: Bench): Promise<void> {
  const { alerts, notifications, executions } = bench.store
  await alerts.watch(1, 1_000)
  await alerts.untold(PAGE)
  await alerts.recoveries(null, bench.now - HOUR)
  await notifications.next(['mail', 'webhook'])
  await notifications.unplanned(PAGE)
  await notifications.claim({ channels: ['mail', 'webhook'], limit: PAGE, leaseMs: MINUTE })
  await executions.measure({ tenant: null, since: bench.now - HOUR, limit: 1_000 })
  bench.advance(1_000)
}
