import { describe, expect, it } from 'vitest'
import type { StoredText } from '../../../../src/store/contents.ts'
import type { Stage } from './stage.ts'

const SECRET = { card: '4242-secret', failures: 1 }

/** Section 1.2: payloads at rest. */
export function describeEncrypted(at: () => Stage): void {
  /** What stands in the store about an execution. */
  async function stored(executionId: string): Promise<StoredText[]> {
    const { texts } = await at().bare.contents.read(null, 1_000)
    return texts.filter((text) => text.executionId === executionId)
  }

  describe('1.2 payloads are encrypted at rest', () => {
    it('what is given, given back and said is read over the API, and by nobody else', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: SECRET, retryCount: 0 })
      const failed = await a.runs(id)
      expect(failed).toMatchObject({ status: 'FAILED', payload: SECRET, errorMessage: 'no answer to attempt 1' })
      const { items } = (await a.developer.get(`/api/jobs/${id}/logs?executionId=${failed.id}`)).body
      expect(items.map(({ message }) => message)).toContain('started')
      const texts = await stored(failed.id)
      expect(texts.map(({ table }) => table)).toEqual(expect.arrayContaining(['executions', 'execution_logs']))
      const jobs = await at().bare.jobs.find([id])
      for (const word of ['4242', 'started', 'no answer']) expect(JSON.stringify([texts, jobs])).not.toContain(word)
    })

    it('the audit log shows the message of a failure, and contains none', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: SECRET, retryCount: 0 })
      await a.runs(id)
      expect(await a.audited('&operation=JOBS_JOB_FAIL')).toMatchObject([
        { jobId: id, newValues: { errorMessage: 'no answer to attempt 1', retryCount: 0 } },
      ])
      const [failure] = await a.audited('&operation=JOBS_JOB_FAIL')
      const entries = await at().bare.audit.list({
        tenant: String(failure?.['clienteId']),
        operations: ['JOBS_JOB_FAIL'],
        limit: 5,
      })
      expect(JSON.stringify(entries)).not.toContain('no answer')
    })

    it('what was changed in the database fails one execution, once', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { month: 1 } })
      const later = async () => (await a.developer.post('/api/jobs/enqueue', { jobId: id, delayMs: 60_000 })).body
      const [changed, other] = [(await later()).executionId, (await later()).executionId]
      const [text] = (await stored(changed)).filter(({ table }) => table === 'executions')
      if (!text) throw new Error('There is no payload.')
      expect(await at().bare.contents.rewrite([{ ...text, before: text.text, after: '{"month":2}' }])).toBe(1)
      await at().test.advance('1m')
      expect(await at().ended(a.admin, changed)).toMatchObject({
        status: 'FAILED',
        retryCount: 0,
        payload: null,
        payloadError: 'payload_undecryptable',
      })
      expect(await at().ended(a.admin, other)).toMatchObject({ status: 'SUCCESS', payload: { month: 1 } })
    })

    it('what an execution held can be erased, and the audit log still holds', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { month: 1 } })
      const { id: executionId } = await a.runs(id)
      const path = `/api/jobs/executions/${executionId}`
      expect(await a.developer.post(`${path}/erase`)).toMatchObject({ status: 403 })
      expect(await a.admin.post(`${path}/erase`)).toMatchObject({ status: 204 })
      expect((await a.admin.get(path)).body).toMatchObject({
        status: 'SUCCESS',
        payload: null,
        payloadError: 'payload_erased',
      })
      expect(await a.developer.get(`/api/jobs/${id}/logs?executionId=${executionId}`)).toMatchObject({ status: 410 })
      expect(await a.audited('&operation=JOBS_EXECUTION_ERASE')).toMatchObject([{ executionId, userId: a.admin.id }])
      expect((await a.admin.get('/api/jobs/audit-log/verify')).body).toMatchObject({ isIntact: true })
    })
  })
}
