import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreSource } from '../../../src/store/store.ts'
import { ADMIN, APPROVER, type AskOptions, DEVELOPER, nightly, openWorld, STRANGER, type World } from './world.ts'

/** What protects from writing over others, and from doing twice. */
export function describeConditional(kind: string, openStore: () => StoreSource | undefined): void {
  describe(`requests that are sent again on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld(openStore())
    })
    afterAll(() => world[Symbol.asyncDispose]())

    const ask = (method: string, path: string, options?: AskOptions) => world.ask(ADMIN, method, path, options)
    const made = async (change = {}) => (await ask('POST', '/api/jobs', { body: nightly(change) })).body
    const tagged = (tag: string) => ({ 'if-match': tag })
    const keyed = (key: string) => ({ 'idempotency-key': key })

    it('GET, edit, PUT changes what was edited', async () => {
      const { id } = await made()
      const read = await ask('GET', `/api/jobs/${id}`)
      const edited = { ...read.body, priority: 'HIGH' }
      const headers = tagged(read.headers.get('etag') ?? '')
      const put = await ask('PUT', `/api/jobs/${id}`, { body: edited, headers })
      expect(put, put.text).toMatchObject({ status: 200, body: { id, priority: 'HIGH' } })
      expect(put.headers.get('etag')).not.toBe(read.headers.get('etag'))
    })

    it.each(['clienteId', 'createdBy', 'approvedByUserId', 'jobType', 'id', 'origin', 'scheduledByUserId'])(
      '%s cannot be changed on the way',
      async (field) => {
        const { id } = await made()
        const read = await ask('GET', `/api/jobs/${id}`)
        const put = await ask('PUT', `/api/jobs/${id}`, { body: { ...read.body, [field]: 'other' } })
        expect([put.status, put.body.errors.map(({ pointer }) => pointer)]).toEqual([400, [`/${field}`]])
      },
    )

    it('a stale version is refused, of whatever it is', async () => {
      const { id } = await made()
      await ask('PUT', `/api/jobs/${id}`, { body: { description: 'first' } })
      for (const headers of [tagged('"1"'), tagged('W/"2"'), tagged('"abc"')]) {
        const late = await ask('PUT', `/api/jobs/${id}`, { body: { description: 'late' }, headers })
        expect(late).toMatchObject({ status: 412, body: { code: 'stale_version' } })
        expect(await ask('DELETE', `/api/jobs/${id}`, { headers })).toMatchObject({ status: 412 })
      }
      expect((await ask('GET', `/api/jobs/${id}`)).body).toMatchObject({ description: 'first' })
      const settings = await ask('PUT', '/api/jobs/settings', { body: { language: 'en' }, headers: tagged('"99"') })
      expect(settings).toMatchObject({ status: 412 })
    })

    it('what was approved is what was seen', async () => {
      const { id, version } = await made({ jobType: 'DeletarDadosObsoletos' })
      await ask('PUT', `/api/jobs/${id}`, { body: { priority: 'LOW' } })
      const approve = (headers: Record<string, string>) =>
        world.ask(APPROVER, 'POST', `/api/jobs/${id}/approve`, { headers })
      expect(await approve(tagged(`"${version}"`))).toMatchObject({ status: 412 })
      expect(await approve(tagged(`"${version + 1}"`))).toMatchObject({ status: 200, body: { status: 'APPROVED' } })
    })

    it('a key makes one job, however often it is sent', async () => {
      const body = nightly()
      const headers = keyed('create-once')
      const first = await ask('POST', '/api/jobs', { body, headers })
      const again = await ask('POST', '/api/jobs', { body, headers })
      expect(first.status).toBe(201)
      expect(again).toMatchObject({ status: 201, body: first.body })
      expect(again.headers.get('location')).toBe(first.headers.get('location'))
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
      expect([first, again].map(({ headers: got }) => got.get('idempotency-replayed'))).toEqual([null, 'true'])
    })

    it('a key runs one execution, also for those who ask at once', async () => {
      const { id } = await made()
      const headers = keyed('execute-once')
      const asked = await Promise.all(
        Array.from({ length: 8 }, () => ask('POST', `/api/jobs/${id}/executar`, { headers })),
      )
      const statuses = new Set(asked.map(({ status }) => status))
      expect([...statuses].every((status) => status === 202 || status === 409)).toBe(true)
      const ids = asked.filter(({ status }) => status === 202).map(({ body }) => body.executionId)
      expect(new Set(ids).size).toBe(1)
      await world.test.settle()
      const { body } = await ask('GET', `/api/jobs/${id}/historico`)
      expect(body.items).toHaveLength(1)
    })

    it('a key stands for one request', async () => {
      const headers = keyed('mixed')
      await ask('POST', '/api/jobs', { body: nightly(), headers })
      for (const reply of [
        await ask('POST', '/api/jobs', { body: nightly(), headers }),
        await ask('POST', `/api/jobs/${(await made()).id}/executar`, { headers }),
      ]) {
        expect(reply).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
      }
    })

    it('a key is its user’s and its tenant’s own', async () => {
      const headers = keyed('shared')
      const replies = await Promise.all(
        [ADMIN, DEVELOPER, STRANGER].map((asker) =>
          world.ask(asker, 'POST', '/api/jobs', { body: nightly(), headers }),
        ),
      )
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    })

    it('what was refused may be sent again, corrected or not', async () => {
      const body = nightly()
      await ask('POST', '/api/jobs', { body })
      const headers = keyed('refused')
      expect(await ask('POST', '/api/jobs', { body, headers })).toMatchObject({ status: 409 })
      expect(await ask('POST', '/api/jobs', { body, headers })).toMatchObject({ status: 409 })
      expect(await ask('POST', '/api/jobs', { body: nightly(), headers })).toMatchObject({ status: 201 })
    })

    it.each(['', ' ', 'a b', 'ç', 'x'.repeat(256), 'x'.repeat(10_000)])('a key cannot be %j', async (key) => {
      const headers = keyed(encodeURI(key) === key ? key : Buffer.from(key).toString('latin1'))
      const reply = await ask('POST', '/api/jobs', { body: nightly(), headers })
      expect([400, 201]).toContain(reply.status)
      if (key.trim() !== '') expect(reply).toMatchObject({ status: 400, body: { code: 'idempotency_key_invalid' } })
    })

    it('an answer with a secret is not kept', async () => {
      const body = { name: 'robot', profile: 'Manager' }
      expect(await ask('POST', '/api/jobs/api-keys', { body, headers: keyed('secret') })).toMatchObject({
        status: 400,
        body: { code: 'idempotency_key_unsupported' },
      })
    })
  })
}
