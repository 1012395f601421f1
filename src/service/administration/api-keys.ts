import { ForbiddenError } from '../../access/errors.ts'
import { isPermission, type Permission } from '../../access/permission.ts'
import { requirePermission, requireWholeProfile } from '../../access/principal.ts'
import { PROFILES, permissionsOf } from '../../access/profile.ts'
import { newSecret } from '../../clock.ts'
import { heldJob, pausedJob } from '../../engine/lifecycle/change-status.ts'
import type { Job } from '../../job/job.ts'
import type { JobStatus } from '../../job/job-status.ts'
import type { ApiKey, NewApiKey } from '../../store/credentials.ts'
import { requireOneOf } from '../../time/require.ts'
import { requireUuid } from '../../uuid.ts'
import type { ApiKeyView } from '../answers.ts'
import { QuotaError } from '../errors.ts'
import { invalidField } from '../field-problems.ts'
import { changeOwnJob } from '../jobs/commands/change-job.ts'
import { missing } from '../owned.ts'
import type { NewApiKeyFields } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { apiKeyText, hashSecret } from '../secret.ts'
import { readField, readInstant, readText } from '../sent-values.ts'
import { wireInstant } from '../wire-value.ts'

export async function listApiKeys(scope: Scope): Promise<ApiKeyView[]> {
  requirePermission(scope.principal, 'jobs:read')
  return (await scope.store.credentials.listKeys(scope.tenant)).map(viewOfKey)
}

/** Makes a key that may do no more than whoever makes it. Its secret is known to nobody afterwards but to him. */
export async function createApiKey(scope: Scope, fields: NewApiKeyFields): Promise<ApiKeyView & { secret: string }> {
  requireWholeProfile(scope.principal, 'Admin')
  const { principal, tenant, store } = scope
  await requireRoom(scope)
  const now = scope.now()
  const id = scope.around.env.uuid(now)
  const secret = apiKeyText(id, newSecret())
  const key: NewApiKey = {
    id,
    tenant,
    name: readField('name', () => readText(fields.name, 'name', { min: 3, max: 255 })),
    secretHash: hashSecret(secret),
    profile: readField('profile', () => requireOneOf(fields.profile, 'profile', PROFILES)),
    permissions: readPermissions(scope, fields),
    ownerId: principal.ownerId ?? principal.userId,
    expiresAt: readExpiry(fields.expiresAt ?? null, now),
  }
  const { name, profile, permissions, expiresAt } = key
  await store.credentials.addKey(key, {
    operation: 'JOBS_APIKEY_CREATE',
    userId: scope.by.userId,
    jobId: null,
    executionId: null,
    oldValues: null,
    newValues: { id, name, profile, permissions, expiresAt: wireInstant(expiresAt) },
  })
  return { ...viewOfKey({ ...key, createdAt: now, revokedAt: null, lastUsedAt: null }), secret }
}

interface RevokeOptions {
  /** Whether jobs that the key has scheduled go on firing by themselves, as where another key takes its place. Default false. */
  readonly keepsJobs?: boolean | undefined
}

/** From then on nobody comes in with the key, nor with a session that it was exchanged for; what it has scheduled is paused. */
export async function revokeApiKey(scope: Scope, id: string, { keepsJobs = false }: RevokeOptions = {}): Promise<void> {
  requireWholeProfile(scope.principal, 'Admin')
  const { tenant, store } = scope
  const keyId = requireUuid(id, 'API key id')
  const key = (await store.credentials.listKeys(tenant)).find((each) => each.id === keyId)
  if (!key) throw await missing(scope, 'apiKey', keyId)
  await store.credentials.revokeKey(tenant, keyId, {
    operation: 'JOBS_APIKEY_DELETE',
    userId: scope.by.userId,
    jobId: null,
    executionId: null,
    oldValues: { id: keyId, name: key.name, profile: key.profile, permissions: key.permissions },
    newValues: null,
  })
  // Also where it was revoked before: whoever was cut off halfway can ask again.
  if (!keepsJobs) await pauseOrphans(scope, keyId)
}

function readPermissions({ principal }: Scope, { profile, permissions }: NewApiKeyFields): readonly Permission[] {
  const ofProfile = permissionsOf(profile)
  const asked = permissions === undefined ? [...ofProfile] : [...new Set(permissions)]
  const strange = asked.filter((permission) => !isPermission(permission) || !ofProfile.has(permission))
  if (strange.length > 0) {
    const message = `The profile ${profile} has no permission ${strange.join(' or ')}.`
    throw invalidField('/permissions', 'value_unknown', message, { case: 'permissions', profile, strange })
  }
  const wider = asked.filter((permission) => !principal.permissions.has(permission))
  if (wider.length === 0) return asked
  const message = `A key cannot do more than whoever makes it, who has no ${wider.join(' and ')}.`
  throw new ForbiddenError('forbidden', message, { case: 'wider', permissions: wider })
}

function readExpiry(expiresAt: string | null, now: number): number | null {
  const at = expiresAt === null ? null : readInstant(expiresAt, 'expiresAt')
  if (at === null || at > now) return at
  throw invalidField('/expiresAt', 'out_of_range', 'expiresAt must be in the future.', {
    case: 'past',
    name: 'expiresAt',
  })
}

async function requireRoom(scope: Scope): Promise<void> {
  const { store, tenant, rules } = scope
  const now = scope.now()
  const keys = await store.credentials.listKeys(tenant)
  const count = keys.filter((key) => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now)).length
  if (count < rules.keysPerTenant) return
  const message = `There are ${count} API keys, and there may be ${rules.keysPerTenant}; revoke one first.`
  throw new QuotaError('quota_exceeded', message, { kind: 'apiKey', count, maximum: rules.keysPerTenant })
}

function viewOfKey(key: ApiKey): ApiKeyView {
  const { id, name, profile, permissions, ownerId } = key
  return {
    id,
    name,
    profile,
    permissions,
    ownerId,
    createdAt: wireInstant(key.createdAt),
    expiresAt: wireInstant(key.expiresAt),
    revokedAt: wireInstant(key.revokedAt),
    lastUsedAt: wireInstant(key.lastUsedAt),
  }
}

const PAGE = 1_000

/** Those that fire by themselves, or will: also once a pause has ended. */
const FIRING: readonly JobStatus[] = ['ACTIVE', 'APPROVED', 'FAULTED', 'PAUSED']

const REASON = 'The API key that scheduled it was revoked.'

/**
 * Pauses the jobs whose schedule is a key's that was revoked: nobody answers for them any more. Who resumes one answers for it from then on. Each is recorded,
 * and told to whoever is told of failures.
 */
async function pauseOrphans(scope: Scope, keyId: string): Promise<void> {
  const { tenant, store, around, by } = scope
  const scheduledBy = `key:${keyId}`
  for (const { id } of await jobsOf(scope, scheduledBy)) {
    let isPaused = false
    const { name } = await changeOwnJob(scope, id, {}, (job) => {
      isPaused = isOrphan(job, scheduledBy)
      if (!isPaused) return null
      if (job.status === 'PAUSED') return heldJob(around, job, REASON, by)
      return pausedJob(around, job, { reason: REASON, until: null }, by)
    })
    if (!isPaused) continue
    const facts = { jobId: id, job: name, scheduledBy, reason: 'keyRevoked' }
    const event = {
      id: `schedule.refused:${keyId}:${id}`,
      tenant,
      kind: 'schedule.refused',
      at: scope.now(),
      facts,
    } as const
    await store.notifications.post([event])
  }
}

async function jobsOf({ store, tenant }: Scope, scheduledBy: string): Promise<Job[]> {
  const found: Job[] = []
  let last: Job | undefined
  do {
    const page = await store.jobs.list({
      tenant,
      statuses: FIRING,
      limit: PAGE,
      after: last && { tenant, name: last.name },
    })
    found.push(...page.filter((job) => isOrphan(job, scheduledBy)))
    last = page.length < PAGE ? undefined : page.at(-1)
  } while (last)
  return found
}

function isOrphan({ status, pausedUntil, details }: Job, scheduledBy: string): boolean {
  if (details.scheduledBy !== scheduledBy) return false
  // A pause that somebody has to end is his who ends it.
  return status === 'PAUSED' ? pausedUntil !== null : FIRING.includes(status)
}
