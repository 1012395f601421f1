import { describe, expect, it } from 'vitest'
import type { Body } from './reply.ts'
import type { Company, Stage } from './stage.ts'

type Verb = 'pause' | 'resume' | 'execute' | 'fire' | 'approve' | 'update' | 'delete'
const VERBS: readonly Verb[] = ['pause', 'resume', 'execute', 'fire', 'approve', 'update', 'delete']

/** The contract's table of status and verb; whether the job is sensitive stands behind it. */
const TABLE: readonly (readonly [status: string, kind: 'plain' | 'sensitive', becomes: string])[] = [
  ['ACTIVE', 'plain', 'PAUSED 409 202 yes 409 ACTIVE DELETED'],
  ['APPROVED', 'sensitive', 'PAUSED 409 202 yes 409 PENDING_APPROVAL DELETED'],
  ['PAUSED', 'plain', '409 ACTIVE 202 no 409 PAUSED DELETED'],
  ['PAUSED', 'sensitive', '409 APPROVED 202 no 409 PENDING_APPROVAL DELETED'],
  ['PENDING_APPROVAL', 'sensitive', '409 409 409 no APPROVED PENDING_APPROVAL DELETED'],
  ['FAULTED', 'plain', 'PAUSED ACTIVE 202 no 409 ACTIVE DELETED'],
  ['FAULTED', 'sensitive', 'PAUSED APPROVED 202 no 409 PENDING_APPROVAL DELETED'],
  ['DISABLED', 'plain', '409 409 409 no 409 DISABLED DELETED'],
  ['DISABLED', 'sensitive', '409 409 409 no 409 DISABLED DELETED'],
  ['DELETED', 'plain', '409 409 409 no 409 409 409'],
]

/** The contract's table of statuses and verbs, and what else holds of all verbs. */
export function describeVerbs(at: () => Stage, hasTables: boolean): void {
  /** A job in a status, by requests alone. */
  async function madeIn(company: Company, status: string, kind: string): Promise<Body> {
    const fields = {
      requiresTwoStepExecution: kind === 'sensitive',
      retryCount: 0,
      ...(status === 'FAULTED' && { payload: { failures: 1 } }),
    }
    const { id } =
      kind === 'sensitive' && status !== 'PENDING_APPROVAL'
        ? await company.makesApproved(fields)
        : await company.makes(fields)
    if (status === 'PAUSED') await company.developer.post(`/api/jobs/${id}/pausar`)
    if (status === 'DISABLED') await company.developer.put(`/api/jobs/${id}`, { status: 'DISABLED' })
    if (status === 'DELETED') await company.admin.delete(`/api/jobs/${id}`)
    if (status === 'FAULTED') await company.runs(id)
    const job = await company.reads(id)
    expect(job.status).toBe(status)
    return job
  }

  const asked = (company: Company, id: string, verb: Exclude<Verb, 'fire'>) => {
    switch (verb) {
      case 'pause':
        return company.developer.post(`/api/jobs/${id}/pausar`)
      case 'resume':
        return company.developer.post(`/api/jobs/${id}/retomar`)
      case 'execute':
        return company.developer.post(`/api/jobs/${id}/executar`)
      case 'approve':
        return company.approver.post(`/api/jobs/${id}/approve`)
      case 'update':
        return company.developer.put(`/api/jobs/${id}`, { priority: 'HIGH' })
      case 'delete':
        return company.admin.delete(`/api/jobs/${id}`)
    }
  }

  describe('every status and verb', () => {
    const cells = (hasTables ? TABLE : []).flatMap(([status, kind, becomes]) =>
      becomes.split(' ').map((expected, index) => [kind, status, VERBS[index] ?? 'fire', expected] as const),
    )

    it.each(cells.filter(([, , verb]) => verb !== 'fire'))(
      'a %s job that is %s: %s gives %s',
      async (kind, status, verb, expected) => {
        const company = at().company()
        const before = await madeIn(company, status, kind)
        const reply = await asked(company, before.id, verb as Exclude<Verb, 'fire'>)
        const after = await company.reads(before.id)
        if (expected === '409') {
          expect(reply).toMatchObject({ status: 409, body: { code: 'job.status_conflict' } })
          expect(after).toEqual(before)
        } else if (expected === '202') {
          expect(reply.status, reply.text).toBe(202)
        } else {
          expect(reply.status, reply.text).toBe(verb === 'delete' ? 204 : 200)
          expect(after).toMatchObject({ status: expected, version: before.version + 1 })
        }
      },
    )

    it.each(cells.filter(([, , verb]) => verb === 'fire'))(
      'a %s job that is %s: whether it fires (%s): %s',
      async (kind, status, _fire, expected) => {
        const company = at().company()
        const { id } = await madeIn(company, status, kind)
        const next = (await company.admin.get(`/api/jobs/${id}/nextExecution`)).body
        if (expected === 'yes') expect(next).toMatchObject({ nextExecution: '2027-01-01T00:00:00.000Z' })
        else expect(next).toMatchObject({ nextExecution: null, upcoming: [] })
      },
    )

    it.each([
      ['plain', 'ACTIVE'],
      ['sensitive', 'PENDING_APPROVAL'],
    ])('a %s job that is DISABLED is %s once it is enabled', async (kind, status) => {
      const company = at().company()
      const { id } = await madeIn(company, 'DISABLED', kind)
      const enabled = await company.developer.put(`/api/jobs/${id}`, { status: 'ACTIVE' })
      expect(enabled, enabled.text).toMatchObject({ status: 200, body: { status } })
    })

    it('of several who change what they have all seen one does', async () => {
      const company = at().company()
      const { id } = await company.makes()
      const change = (priority: string, headers: Record<string, string>) =>
        company.developer.put(`/api/jobs/${id}`, { priority, description: priority }, { headers })
      const priorities = ['HIGH', 'LOW', 'HIGH', 'LOW', 'HIGH', 'LOW']
      const raced = await Promise.all(priorities.map((priority) => change(priority, { 'if-match': '"1"' })))
      expect(raced.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(raced.filter(({ status, body }) => status === 412 && body.code === 'stale_version')).toHaveLength(5)
      expect(await company.reads(id)).toMatchObject({ version: 2 })
      expect(await company.audited()).toHaveLength(2)
    })

    it('of those who approve, reject and change at once what was approved is what is there', async () => {
      const company = at().company()
      const { id } = await company.makes({ requiresTwoStepExecution: true })
      const [approved, rejected, changed] = await Promise.all([
        company.approver.post(`/api/jobs/${id}/approve`),
        company.admin.post(`/api/jobs/${id}/reject`, { reason: 'no' }),
        company.developer.put(`/api/jobs/${id}`, { priority: 'HIGH' }),
      ])
      for (const { status } of [approved, rejected]) expect([200, 409]).toContain(status)
      expect(approved.status === 200 && rejected.status === 200).toBe(false)
      const { status, priority, approvedByUserId } = await company.reads(id)
      if (status === 'APPROVED')
        expect([approvedByUserId, approved.body['priority']]).toEqual([company.approver.id, priority])
      else expect(approvedByUserId).toBeNull()
      expect([200, 409]).toContain(changed.status)
    })

    it.each(['PAUSED', 'FAULTED', 'APPROVED', 'DELETED', 'PENDING_APPROVAL', 'paused'])(
      'no PUT makes a job %s',
      async (status) => {
        const company = at().company()
        const { id } = await company.makes()
        expect(await company.admin.put(`/api/jobs/${id}`, { status })).toMatchObject({ status: 400 })
      },
    )

    it.each<[string, (company: Company, id: string) => Promise<unknown>]>([
      ['it is resumed', (company, id) => company.developer.post(`/api/jobs/${id}/retomar`)],
      ['it is changed', (company, id) => company.developer.put(`/api/jobs/${id}`, { priority: 'HIGH' })],
      ['an execution succeeds', (company, id) => company.runs(id, { payload: {} })],
    ])('a FAULTED job is ACTIVE again once %s', async (_what, act) => {
      const company = at().company()
      const { id } = await madeIn(company, 'FAULTED', 'plain')
      await act(company, id)
      expect(await company.reads(id)).toMatchObject({ status: 'ACTIVE' })
    })
  })
}
