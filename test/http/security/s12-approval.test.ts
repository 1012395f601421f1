import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memory } from '../../../src/store/memory/memory.ts'
import type { EngineStore, StoreSource } from '../../../src/store/store.ts'
import { type Headers, openSecured, type Secured } from './world.ts'

let world: Secured
let store: EngineStore
let ana: Headers
let bia: Headers
beforeAll(async () => {
  const source = memory()
  const watched: StoreSource = {
    kind: source.kind,
    open: async (surroundings) => {
      store = await source.open(surroundings)
      return store
    },
  }
  world = await openSecured({ store: watched })
  ana = await world.bearer()
  bia = await world.bearer({ sub: 'bia' })
})
afterAll(() => world[Symbol.asyncDispose]())

const sensitive = (headers: Headers) => world.job(headers, { jobType: 'Apagar', payload: { what: 'old' } })
const approve = (headers: Headers, id: string, more: Headers = {}) =>
  world.ask({ ...headers, ...more }, 'POST', `/api/jobs/${id}/approve`)
const statusOf = async (id: string) => (await world.ask(ana, 'GET', `/api/jobs/${id}`)).body['status']

async function approved(): Promise<string> {
  const id = await sensitive(ana)
  expect((await approve(bia, id)).status).toBe(200)
  return id
}

describe('S12 nobody approves what he has written', () => {
  it.each<[string, (id: string) => Promise<Headers>]>([
    ['himself', async () => ana],
    ['by a key of his', async () => (await world.key(ana)).headers],
    ['by a key of a key of his', async () => (await world.key((await world.key(ana)).headers)).headers],
    ['by a session', async () => world.session(ana)],
    ['by another token', async () => world.bearer({ jti: 'another' })],
    [
      'as the last who edited it',
      async (id) => {
        await world.ask(bia, 'PUT', `/api/jobs/${id}`, { body: { cronExpression: '0 3 * * *' } })
        return bia
      },
    ],
    [
      'after an edit by his key',
      async (id) => {
        const { headers } = await world.key(bia)
        await world.ask(headers, 'PUT', `/api/jobs/${id}`, { body: { payload: { what: 'all' } } })
        return bia
      },
    ],
  ])('%s', async (_way, who) => {
    const id = await sensitive(ana)
    const { status, body } = await approve(await who(id), id)
    expect([status, body.code]).toEqual([403, 'self_approval_forbidden'])
    expect(await statusOf(id)).toBe('PENDING_APPROVAL')
  })

  it('a job of which nobody knows who wrote it is approved by nobody', async () => {
    const id = await sensitive(ana)
    const [job] = await store.jobs.find([id])
    if (!job) throw new Error('no job')
    const details = { ...job.details, authors: [], scheduledBy: null, createdBy: null }
    await store.jobs.put([
      { job: { ...job, details, version: job.version + 1 }, expectedVersion: job.version, ledger: [] },
    ])
    expect((await approve(bia, id)).status).toBe(403)
  })

  it('an Admin alone cannot allow it to approve a job and forbid it again', async () => {
    const davi = await world.bearer({ sub: 'davi', profile: 'Developer' })
    const change = { body: { allowsSelfApproval: true } }
    expect((await world.ask(davi, 'PUT', '/api/jobs/settings', change)).status).toBe(403)
    const id = await sensitive(ana)
    const { status, body } = await world.ask(ana, 'PUT', '/api/jobs/settings', change)
    expect([status, body['allowsSelfApproval']]).toEqual([200, false])
    expect(body['pending']).toMatchObject({ allowsSelfApproval: true, requestedBy: 'ana' })
    expect((await approve(ana, id)).status).toBe(403)
    expect(await statusOf(id)).toBe('PENDING_APPROVAL')
  })

  it.each<[string, () => Promise<Headers>]>([
    ['the Admin who requested it', async () => ana],
    ['an API key of that Admin', async () => (await world.key(ana)).headers],
    ['a key made by a key of that Admin', async () => (await world.key((await world.key(ana)).headers)).headers],
    ['a session of that Admin', async () => world.session(ana)],
    ['a Developer', async () => world.bearer({ sub: 'davi', profile: 'Developer' })],
    ['an Admin of another tenant', async () => world.bearer({ sub: 'sam', clienteId: 'globex' })],
  ])('%s cannot approve that self-approval is allowed', async (_who, headers) => {
    await world.ask(ana, 'PUT', '/api/jobs/settings', { body: { allowsSelfApproval: true } })
    const { status } = await world.ask(await headers(), 'POST', '/api/jobs/settings/approve')
    expect([403, 409]).toContain(status)
    const { body } = await world.ask(bia, 'GET', '/api/jobs/settings')
    expect(body).toMatchObject({ allowsSelfApproval: false, pending: { requestedBy: 'ana' } })
  })

  it('a second Admin allows it, which is recorded, and any Admin forbids it at once', async () => {
    await world.ask(ana, 'PUT', '/api/jobs/settings', { body: { allowsSelfApproval: true } })
    const { status, body } = await world.ask(bia, 'POST', '/api/jobs/settings/approve')
    expect([status, body['allowsSelfApproval'], body['pending']]).toEqual([200, true, null])
    const { text } = await world.ask(ana, 'GET', '/api/jobs/audit-log?operation=JOBS_SETTINGS_APPROVE')
    expect(text).toContain('allowsSelfApproval')
    const id = await sensitive(ana)
    expect((await approve(ana, id)).status).toBe(200)
    await world.ask(ana, 'PUT', '/api/jobs/settings', { body: { allowsSelfApproval: false } })
    const other = await sensitive(ana)
    expect((await approve(ana, other)).status).toBe(403)
  })
})

describe('S13 an approval is for exactly one definition', () => {
  it.each<[string, object]>([
    ['payload', { payload: { what: 'everything' } }],
    ['cron', { cronExpression: '* * * * *' }],
    ['zone', { timeZone: 'America/Sao_Paulo' }],
    ['timeout', { timeoutMinutes: 240 }],
    ['retries', { retryCount: 9 }],
    ['name', { name: 'something harmless' }],
    ['priority', { priority: 'HIGH' }],
    ['misfire policy', { misfirePolicy: 'fireAll' }],
    ['overlap', { overlap: { atMost: 2 } }],
  ])('an edit of its %s makes it void', async (_field, change) => {
    const id = await approved()
    const { status, text } = await world.ask(ana, 'PUT', `/api/jobs/${id}`, { body: change })
    expect(status, text).toBe(200)
    expect(await statusOf(id)).toBe('PENDING_APPROVAL')
    expect((await world.ask(ana, 'POST', `/api/jobs/${id}/execute`)).status).toBe(409)
    await world.ask(ana, 'DELETE', `/api/jobs/${id}`)
  })

  it('what would run cannot be another thing when it is run', async () => {
    const id = await approved()
    const execute = (body: object) => world.ask(ana, 'POST', `/api/jobs/${id}/execute`, { body })
    expect((await execute({ payload: { what: 'everything' } })).status).toBe(409)
    expect((await execute({})).status).toBe(202)
    const enqueue = { body: { jobId: id, payload: { what: 'everything' } } }
    expect((await world.ask(ana, 'POST', '/api/jobs/enqueue', enqueue)).status).toBe(409)
  })

  it('a copy of an approved job is not approved', async () => {
    const id = await approved()
    const { name: _name, jobType, cronExpression, payload } = (await world.ask(ana, 'GET', `/api/jobs/${id}`)).body
    const copy = await world.job(ana, { jobType, cronExpression, payload })
    expect(await statusOf(copy)).toBe('PENDING_APPROVAL')
  })

  it('an old approval is not worth anything again', async () => {
    const id = await approved()
    await world.ask(ana, 'PUT', `/api/jobs/${id}`, { body: { payload: { what: 'all' } } })
    await world.ask(ana, 'PUT', `/api/jobs/${id}`, { body: { payload: { what: 'old' } } })
    expect(await statusOf(id)).toBe('PENDING_APPROVAL')
    expect((await world.ask(ana, 'POST', `/api/jobs/${id}/execute`)).status).toBe(409)
  })

  it('an approval of what somebody saw is none of what it is now', async () => {
    const id = await sensitive(ana)
    const etag = (await world.ask(bia, 'GET', `/api/jobs/${id}`)).headers.get('etag') ?? ''
    await world.ask(ana, 'PUT', `/api/jobs/${id}`, { body: { payload: { what: 'everything' } } })
    expect((await approve(bia, id, { 'if-match': etag })).status).toBe(412)
    expect(await statusOf(id)).toBe('PENDING_APPROVAL')
  })

  it('an approved job cannot be approved again, nor can it be made less sensitive without', async () => {
    const id = await approved()
    expect((await approve(bia, id)).status).toBe(409)
    await world.ask(ana, 'PUT', `/api/jobs/${id}`, { body: { requiresTwoStepExecution: false } })
    expect(await statusOf(id)).not.toBe('ACTIVE')
  })
})

describe('S14 of two who decide at once, one does', () => {
  it.each<[string, (id: string, caio: Headers) => readonly [Promise<{ status: number }>, Promise<{ status: number }>]]>(
    [
      ['approve and approve', (id, caio) => [approve(bia, id), approve(caio, id)]],
      [
        'approve and reject',
        (id, caio) => [approve(bia, id), world.ask(caio, 'POST', `/api/jobs/${id}/reject`, { body: { reason: 'no' } })],
      ],
    ],
  )('%s', async (_what, race) => {
    const caio = await world.bearer({ sub: 'caio' })
    for (let round = 0; round < 20; round += 1) {
      const statuses = (await Promise.all(race(await sensitive(ana), caio))).map(({ status }) => status)
      expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 409])
    }
  })

  it('approve and edit: what is approved is what was approved', async () => {
    for (let round = 0; round < 20; round += 1) {
      const id = await sensitive(ana)
      const edit = world.ask(ana, 'PUT', `/api/jobs/${id}`, { body: { payload: { what: 'everything' } } })
      const [yes] = await Promise.all([approve(bia, id), edit])
      const { body } = await world.ask(ana, 'GET', `/api/jobs/${id}`)
      if (body['status'] === 'APPROVED') {
        // The yes came after the edit, to what it had made of it.
        expect([yes.status, body['payload']]).toEqual([200, { what: 'everything' }])
      } else expect(body['status']).toBe('PENDING_APPROVAL')
    }
  })
})

describe('S15 a schedule whose owner is gone', () => {
  it('is paused with the key that made it, which is recorded and told', async () => {
    const { id: keyId, headers } = await world.key(ana)
    const [orphan, other] = [await world.job(headers), await world.job(ana)]
    expect((await world.ask(ana, 'DELETE', `/api/jobs/api-keys/${keyId}`)).status).toBe(204)
    expect((await world.ask(ana, 'GET', `/api/jobs/${orphan}`)).body).toMatchObject({
      status: 'PAUSED',
      statusReason: 'The API key that scheduled it was revoked.',
      nextExecution: null,
    })
    expect(await statusOf(other)).toBe('ACTIVE')
    const { body } = await world.ask(ana, 'GET', `/api/jobs/audit-log?operation=JOBS_JOB_PAUSE&jobId=${orphan}`)
    expect(body.items).toMatchObject([{ operation: 'JOBS_JOB_PAUSE', userId: 'ana', jobId: orphan }])
    const told = await store.notifications.list({ tenant: 'acme', kinds: ['schedule.refused'], limit: 10 })
    expect(told).toMatchObject([{ kind: 'schedule.refused', facts: { jobId: orphan, reason: 'keyRevoked' } }])
  })

  it('does not go on by itself after a pause that the key had begun', async () => {
    const { id: keyId, headers } = await world.key(ana)
    const orphan = await world.job(headers)
    const until = new Date(world.test.now() + 60_000).toISOString()
    expect((await world.ask(headers, 'POST', `/api/jobs/${orphan}/pause`, { body: { until } })).status).toBe(200)
    await world.ask(ana, 'DELETE', `/api/jobs/api-keys/${keyId}`)
    await world.test.advance('10m')
    expect((await world.ask(ana, 'GET', `/api/jobs/${orphan}`)).body).toMatchObject({
      status: 'PAUSED',
      statusReason: 'The API key that scheduled it was revoked.',
      nextExecution: null,
    })
  })

  it('goes on once somebody else answers for it', async () => {
    const { id: keyId, headers } = await world.key(ana)
    const orphan = await world.job(headers)
    await world.ask(ana, 'DELETE', `/api/jobs/api-keys/${keyId}`)
    expect((await world.ask(bia, 'POST', `/api/jobs/${orphan}/resume`)).status).toBe(200)
    expect(await statusOf(orphan)).toBe('ACTIVE')
  })

  it('goes on where another key takes the place of the one', async () => {
    const { id: keyId, headers } = await world.key(ana)
    const kept = await world.job(headers)
    expect((await world.ask(ana, 'DELETE', `/api/jobs/api-keys/${keyId}?keepJobs=true`)).status).toBe(204)
    expect(await statusOf(kept)).toBe('ACTIVE')
  })
})
