import pg from 'pg'
import type { AuditOperation } from '../../src/access/audit.ts'
import { systemEnv } from '../../src/clock.ts'
import { DAY_MS } from '../../src/duration.ts'
import type { Job } from '../../src/job/job.ts'
import { silentLogger } from '../../src/logger.ts'
import { postgres } from '../../src/postgres.ts'
import type { NewAuditEntry } from '../../src/store/audit.ts'
import type { EngineStore } from '../../src/store/store.ts'
import { triggerFrom } from '../../src/time/triggers/from-json.ts'
import { uuidFrom } from '../../src/uuid.ts'
import { largeTenantJobs } from './large-tenant-jobs.ts'
import { writePast } from './large-tenant-past.ts'

export { LARGE_TENANT_TYPES } from './large-tenant-jobs.ts'

export interface LargeTenantOptions {
  /** Default `acme`. */
  readonly tenant?: string
  /** Default 5,000. */
  readonly jobs?: number
  /** That have ended, in the last 90 days. Default 100,000. */
  readonly executions?: number
  /** How many of them in the last 24 hours. Default: a tenth. */
  readonly recent?: number
  /** Default 40. */
  readonly queued?: number
  /** Default 2,000. */
  readonly auditEntries?: number
}

const DAYS = 90
const BATCH = 500
const AUDIT_BATCHES = 20

/**
 * Fills a database of `createDatabase()` with a tenant as large ones are, in seconds: made up, but such that nothing contradicts anything else. Whoever starts
 * an application on it without the job types `LARGE_TENANT_TYPES` measures pages, not runs.
 */
export async function fillLargeTenant(url: string, options: LargeTenantOptions = {}): Promise<void> {
  const { tenant = 'acme', jobs: count = 5_000, executions = 100_000, queued = 40, auditEntries = 2_000 } = options
  const { recent = Math.ceil(executions / 10) } = options
  const end = systemEnv.now()
  let now = end
  const store = await postgres(url).open({ env: systemEnv, logger: silentLogger, now: () => now })
  const client = new pg.Client(url)
  await client.connect()
  try {
    // There is room for the months that have passed.
    for (const daysAgo of [DAYS, DAYS / 2, 0]) {
      now = end - daysAgo * DAY_MS
      await store.maintain()
    }
    now = end - DAYS * DAY_MS
    const jobs = largeTenantJobs(tenant, count, now)
    await putJobs(store, jobs, end)
    await client.query('begin')
    await writePast(client, { tenant, executions, recent, days: DAYS })
    await client.query('commit')
    now = end - DAY_MS / 24
    await enqueue(store, jobs.slice(0, queued), now)
    await store.audit.enable()
    for (let batch = 0; batch < AUDIT_BATCHES; batch += 1) {
      now = end - ((AUDIT_BATCHES - 1 - batch) * DAYS * DAY_MS) / AUDIT_BATCHES
      await store.audit.append(entriesOf(jobs, batch, Math.round(auditEntries / AUDIT_BATCHES)))
    }
    await client.query('analyze')
  } finally {
    await client.end()
    await store.close()
  }
}

/** Nothing is due before anybody looks at it. */
async function putJobs(store: EngineStore, jobs: readonly Job[], end: number): Promise<void> {
  for (let at = 0; at < jobs.length; at += BATCH) {
    const changes = jobs.slice(at, at + BATCH).map((job) => {
      const nextFireAt = triggerFrom(job.definition.trigger).next(end + DAY_MS / 24)
      return { job: { ...job, schedule: { ...job.schedule, nextFireAt } }, expectedVersion: null, ledger: [] }
    })
    const results = await store.jobs.put(changes)
    const refused = results.find((result) => result !== 'stored')
    if (refused) throw new Error(`A job was not stored: ${refused}`)
  }
}

async function enqueue(store: EngineStore, jobs: readonly Job[], at: number): Promise<void> {
  // The process's own ids only grow: where another test has made one already, none of them tells an hour ago.
  const uuid = uuidFrom(() => Math.floor(systemEnv.random() * 2 ** 32))
  const bodies = jobs.map(({ id, tenant, definition }) => ({
    id: uuid(at),
    tenant,
    jobId: id,
    jobType: definition.jobType,
    queue: definition.queue,
    priority: definition.priority,
    origin: 'manual' as const,
    payload: definition.payload,
    scheduledAt: null,
    maxAttempts: definition.maxAttempts,
    idempotencyKey: null,
    options: null,
    createdAt: at,
  }))
  await store.executions.enqueue(bodies.map((body) => ({ body, runAt: null })))
}

const OPERATIONS: readonly AuditOperation[] = [
  'JOBS_JOB_UPDATE',
  'JOBS_JOB_PAUSE',
  'JOBS_JOB_RESUME',
  'JOBS_JOB_UPDATE',
  'JOBS_JOB_CANCEL',
]

function entriesOf(jobs: readonly Job[], batch: number, count: number): NewAuditEntry[] {
  return Array.from({ length: count }, (_, n) => {
    const job = jobs[(batch * count + n * 7) % jobs.length]
    const operation = OPERATIONS[n % OPERATIONS.length] ?? 'JOBS_JOB_UPDATE'
    return {
      tenant: job?.tenant ?? '',
      operation,
      userId: n % 9 === 0 ? null : `user-${n % 40}`,
      jobId: job?.id ?? null,
      executionId: null,
      oldValues: { retryCount: n % 4, cronExpression: '0 1 * * *' },
      newValues: { retryCount: (n + 1) % 4, cronExpression: `${n % 60} 2 * * *` },
    }
  })
}
