import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MailRoom } from './mail-room.ts'
import type { Stage } from './stage.ts'

/** Who is told of what, by a real mail server. */
export function describeNotifications(at: () => Stage): void {
  describe('RN-JOB-112-07: administrators are told of a final failure', () => {
    let room: MailRoom
    beforeAll(async () => {
      room = await MailRoom.open(at())
    })
    afterAll(() => room?.[Symbol.asyncDispose]())
    const told = (language?: 'pt-BR' | 'en') => room.told(language)
    const mailsTo = (address: string) => room.mailsTo(address)

    const failing = { payload: { failures: 9 }, retryCount: 3 }

    it('one e-mail after the last retry, none before', async () => {
      const [a, address] = await told()
      const { id, name } = await a.makes({ ...failing, timeZone: 'America/Sao_Paulo' })
      const executionId = await a.executes(id)
      for (const wait of ['1m', '2m', '4m'] as const) {
        await at().reached(a.admin, executionId, 'QUEUED')
        expect(await mailsTo(address)).toEqual([])
        await at().test.advance(wait)
      }
      expect(await at().ended(a.admin, executionId)).toMatchObject({ status: 'FAILED', retryCount: 3 })
      const mails = await mailsTo(address)
      expect(mails).toHaveLength(1)
      expect(mails[0]?.headers.get('subject')).toBe(`[Pontual] Falha no job "${String(name)}"`)
      for (const body of [mails[0]?.text, mails[0]?.html]) {
        expect(body).toContain('(America/Sao_Paulo)')
        expect(body).toContain('no answer to attempt 4')
        expect(body).toContain('Consulte os logs da execução')
        expect(body).toContain(`https://jobs.example.com/jobs/${id}?execution=${executionId}`)
      }
      expect((await a.manager.get(`/api/jobs/notifications?jobId=${id}`)).body).toMatchObject({
        items: [
          {
            id: executionId,
            event: 'job.failed',
            clienteId: a.id,
            status: 'SENT',
            facts: { jobId: id, executionId },
            deliveries: [{ channel: 'mail', status: 'SENT', attempts: 1, lastError: null }],
          },
        ],
        nextCursor: null,
      })
      await at().test.advance('10m')
      expect(await mailsTo(address)).toHaveLength(1)
    })

    it('a retry that succeeds tells nobody, and neither does what makes a job well again', async () => {
      const [a, address] = await told('en')
      const { id } = await a.makes({ payload: { failures: 2 }, retryCount: 3 })
      expect(await at().endedAfterRetries(a.admin, await a.executes(id))).toMatchObject({ status: 'SUCCESS' })
      expect(await mailsTo(address)).toEqual([])
      const faulty = await a.makes({ payload: { failures: 1 }, retryCount: 0 })
      expect(await a.runs(faulty.id)).toMatchObject({ status: 'FAILED' })
      expect(await mailsTo(address)).toHaveLength(1)
      expect(await a.runs(faulty.id, { payload: {} })).toMatchObject({ status: 'SUCCESS' })
      expect(await a.reads(faulty.id)).toMatchObject({ status: 'ACTIVE' })
      expect(await mailsTo(address)).toHaveLength(1)
    })

    it('an execution that took too long is told too, with what to do about that', async () => {
      const [a, address] = await told()
      const { id } = await a.makes({ payload: { isEndless: true }, timeoutMinutes: 5, retryCount: 0 })
      const executionId = await a.executes(id)
      await at().reached(a.admin, executionId, 'RUNNING')
      await at().test.advance('5m')
      expect(await at().ended(a.admin, executionId)).toMatchObject({ status: 'TIMEOUT' })
      const mails = await mailsTo(address)
      expect(mails).toHaveLength(1)
      expect(mails[0]?.text).toContain('A execução passou do tempo permitido.')
    })

    it('a test message goes to all addresses, for Admins alone', async () => {
      const [a, address] = await told('en')
      expect(await a.manager.post('/api/jobs/notifications/test')).toMatchObject({ status: 403 })
      const { status, body } = await a.admin.post('/api/jobs/notifications/test')
      expect([status, body['addresses'], body['webhooks']]).toEqual([202, 1, 0])
      const mails = await mailsTo(address)
      expect(mails.map(({ headers }) => headers.get('subject'))).toEqual(['[Pontual] Test message'])
      const { items } = (await a.admin.get('/api/jobs/notifications?event=notification.test')).body
      expect(items).toMatchObject([{ id: body['notificationId'], status: 'SENT', facts: { userId: a.admin.id } }])
    })

    it('nothing of it is seen by others', async () => {
      const [a] = await told()
      await a.admin.post('/api/jobs/notifications/test')
      expect((await at().company().admin.get('/api/jobs/notifications')).body.items).toEqual([])
    })

    it('JOB_NOTIFICATIONS: off, nobody is told', async () => {
      const [a, address] = await told()
      await a.admin.put('/api/jobs/flags/JOB_NOTIFICATIONS', { habilitado: false })
      const { id } = await a.makes({ ...failing, retryCount: 0 })
      await a.runs(id)
      expect(await mailsTo(address)).toEqual([])
      const { items } = (await a.admin.get('/api/jobs/notifications')).body
      expect(items).toMatchObject([{ status: 'SUPPRESSED', suppression: 'flag', deliveries: [] }])
    })
  })
}
