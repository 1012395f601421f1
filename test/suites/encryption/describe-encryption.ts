import { describe, expect, it } from 'vitest'
import { type ExecutionStatus, isFinal } from '../../../src/job/execution/execution.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { silentLogger } from '../../../src/logger.ts'
import { verifyAudit } from '../../../src/service/audit/verify.ts'
import type { StoredText } from '../../../src/store/contents.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { type TestPontual, testPontual } from '../../../src/testing/test-pontual.ts'
import { ADMIN, DEVELOPER, nightly, openWorld, type World } from '../../http/api/world.ts'
import { flipped, Vault } from './vault.ts'

const SECRET = { card: '4242-secret' }

interface Scene extends AsyncDisposable {
  readonly world: World
  readonly vault: Vault
}

/** What a service does whose contents are encrypted, whoever else writes to its database. */
export function describeEncryption(openRaw: () => StoreSource): void {
  async function open(): Promise<Scene> {
    const vault = new Vault(openRaw())
    const world = await openWorld(vault.source)
    return {
      world,
      vault,
      async [Symbol.asyncDispose]() {
        await vault.close()
        await world[Symbol.asyncDispose]()
      },
    }
  }

  /** Waits for its end; a server takes time of its own to answer. */
  async function ended(world: World, id: string) {
    for (let turn = 0; turn < 2_000; turn += 1) {
      await world.test.settle()
      const reply = await world.ask(ADMIN, 'GET', `/api/jobs/executions/${id}`)
      if (isFinal(reply.body['status'] as never)) return reply.body
    }
    throw new Error('It does not end.')
  }

  /** An execution that is due in an hour. */
  async function later({ test }: World, tenant = 'acme', input: unknown = SECRET, jobType = 'ImportarFaturas') {
    return (await test.app.enqueue(jobType, input, { tenant, delay: '1h' })).id
  }

  async function payloadOf(vault: Vault, id: string): Promise<StoredText> {
    const [payload] = await vault.texts(id, 'executions')
    if (!payload) throw new Error('There is no payload.')
    return payload
  }

  describe('S40 encryption', () => {
    type Tamper = (vault: Vault, id: string, world: World) => Promise<void>
    const change =
      (become: (text: string) => string): Tamper =>
      async (vault, id) => {
        const payload = await payloadOf(vault, id)
        await vault.tamper(payload, become(payload.text))
      }
    const swapWith =
      (tenant: string): Tamper =>
      async (vault, id, world) => {
        const [own, other] = [await payloadOf(vault, id), await payloadOf(vault, await later(world, tenant))]
        await vault.tamper(own, other.text)
      }
    const TAMPERS: readonly [string, Tamper, string][] = [
      ['a flipped bit', change(flipped), 'it is not what was written at this place.'],
      ['a cut text', change((text) => `${text.slice(0, 60)}"`), 'it is not what was written at this place.'],
      ['the payload of another execution', swapWith('acme'), 'it is not what was written at this place.'],
      ['the payload of another tenant', swapWith('globex'), 'it is not what was written at this place.'],
      [
        'a key that is not there',
        change((text) => text.replace(':1:1:', ':1:7:')),
        'the key it was sealed with is not known here.',
      ],
      ['plain text', change(() => '{"card":"evil"}'), 'it is not encrypted, though everything has to be.'],
    ]
    it.each(TAMPERS)('%s fails that execution once, and no other', async (_what, tamper, reason) => {
      await using scene = await open()
      const { world, vault } = scene
      const [id, untouched] = [await later(world), await later(world)]
      await tamper(vault, id, world)
      const failures: unknown[] = []
      world.test.app.on('execution.failed', (facts) => failures.push(facts.executionId))
      await world.test.advance('2h')
      expect(await ended(world, id)).toMatchObject({
        status: 'FAILED',
        payload: null,
        payloadError: 'payload_undecryptable',
        retryCount: 0,
        error: { code: 'payload_undecryptable', message: `What is stored cannot be decrypted: ${reason}` },
      })
      expect(await ended(world, untouched)).toMatchObject({ status: 'SUCCESS', payload: SECRET })
      expect(failures).toEqual([id])
      const list = await world.ask(ADMIN, 'GET', '/api/jobs/executions?limit=50')
      expect(list.status).toBe(200)
    })

    it('what stands in the database tells nothing', async () => {
      await using scene = await open()
      const { world, vault } = scene
      const id = await later(world)
      await world.test.advance('2h')
      await ended(world, id)
      const texts = await vault.texts(id)
      expect(texts.map(({ table }) => table)).toContain('execution_logs')
      expect(JSON.stringify(texts)).not.toContain('4242-secret')
    })

    it('a job whose payload was changed can be looked at and changed, and fails when it runs', async () => {
      await using scene = await open()
      const { world, vault } = scene
      const { body } = await world.ask(ADMIN, 'POST', '/api/jobs', { body: nightly({ payload: SECRET }) })
      const { jobs } = await vault.intruder()
      const [stored] = await jobs.find([body.id])
      if (!stored) throw new Error('There is no job.')
      const payload = '{"card":"evil"}'
      const forged = { ...stored, definition: { ...stored.definition, payload }, version: stored.version + 1 }
      expect(await jobs.put([{ job: forged, expectedVersion: stored.version, ledger: [] }])).toEqual(['stored'])

      const path = `/api/jobs/${body.id}`
      expect((await world.ask(ADMIN, 'GET', path)).body).toMatchObject({
        payload: null,
        payloadError: 'payload_undecryptable',
      })
      expect((await world.ask(ADMIN, 'GET', '/api/jobs')).status).toBe(200)
      expect((await world.ask(ADMIN, 'POST', `${path}/reveal`)).body).toEqual({
        payload: null,
        payloadError: 'payload_undecryptable',
      })
      // Sent back as it was read, it stays as it is.
      const { body: read } = await world.ask(ADMIN, 'GET', path)
      const sent = await world.ask(ADMIN, 'PUT', path, { body: { ...read, priority: 'HIGH' } })
      expect(sent.body, sent.text).toMatchObject({ priority: 'HIGH', payloadError: 'payload_undecryptable' })
      const changed = await world.ask(ADMIN, 'PUT', path, { body: { description: 'Other words.' } })
      expect(changed.body).toMatchObject({ description: 'Other words.', payload: null })
      const run = await world.ask(ADMIN, 'POST', `${path}/execute`, { body: {} })
      expect(await ended(world, run.body.executionId)).toMatchObject({
        status: 'FAILED',
        error: { code: 'payload_undecryptable' },
      })
      const mended = await world.ask(ADMIN, 'PUT', path, { body: { payload: SECRET } })
      expect(mended.body).toMatchObject({ payload: SECRET })
    })

    const order = job('order', {
      durable: true,
      run: async (_input: unknown, ctx) => {
        await ctx.run('count', () => SECRET)
        await ctx.signal('go')
      },
    })
    it.each(['history_entries', 'signals', 'executions'] as const)(
      'a run of which anything in %s was changed fails, and is not tried again',
      async (table) => {
        const vault = new Vault(openRaw())
        const first = await testPontual({ store: vault.source, jobs: [order] })
        const { id } = await first.app.enqueue('order', SECRET)
        const until = async (it: TestPontual, isThere: (status: ExecutionStatus) => boolean) => {
          for (let turn = 0; turn < 2_000; turn += 1) {
            await it.settle()
            const found = await it.app.execution(id)
            if (found && isThere(found.status)) return found
          }
          throw new Error('It does not come to that.')
        }
        await until(first, (status) => status === 'WAITING')
        // What waits in the memory of a node would go on from there; another one reads what is stored.
        await first.stop()
        const { histories } = await vault.intruder()
        const texts = await vault.texts(id, table)
        for (const text of texts) await vault.tamper(text, flipped(text.text))
        await histories.signal([{ executionId: id, name: 'go', payload: '"evil"', idempotencyKey: null }])

        await using second = await testPontual({ store: vault.source, jobs: [order], seed: 2 })
        expect(await until(second, isFinal)).toMatchObject({
          status: 'FAILED',
          error: { code: 'payload_undecryptable' },
        })
        const { store } = await second.app.opened()
        expect(await store.executions.count()).toMatchObject({ QUEUED: 0, WAITING: 0, RUNNING: 0 })
        await vault.close()
      },
    )

    it('a data key that was changed stops its tenant only, and nobody is answered with 500', async () => {
      const vault = new Vault(openRaw())
      await using world = await openWorld(vault.source, { logger: silentLogger })
      const { dataKeys } = await vault.intruder()
      await dataKeys.add([{ tenant: 'globex', version: 1, keyId: 'old', wrapped: Buffer.alloc(60).toString('base64') }])
      const stranger = { ...ADMIN, tenant: 'globex' }
      const refused = await world.ask(stranger, 'POST', '/api/jobs', { body: nightly({ payload: SECRET }) })
      expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
      expect((await world.ask(stranger, 'GET', '/api/jobs')).status).toBe(200)
      expect((await world.ask(ADMIN, 'POST', '/api/jobs', { body: nightly({ payload: SECRET }) })).status).toBe(201)
      await vault.close()
    })
  })

  describe('S42 erasure', () => {
    async function erased(world: World) {
      const { body } = await world.ask(ADMIN, 'POST', '/api/jobs', { body: nightly({ payload: SECRET }) })
      const run = await world.ask(ADMIN, 'POST', `/api/jobs/${body.id}/execute`, { body: {} })
      const id = run.body.executionId
      await ended(world, id)
      return { id, jobId: body.id, path: `/api/jobs/executions/${id}` }
    }

    it('leaves nothing of what an execution was given, gave and said', async () => {
      await using scene = await open()
      const { world, vault } = scene
      const { id, jobId, path } = await erased(world)
      expect((await world.ask(ADMIN, 'POST', `${path}/erase`)).status).toBe(204)
      expect((await world.ask(ADMIN, 'GET', path)).body).toMatchObject({
        status: 'SUCCESS',
        payload: null,
        payloadError: 'payload_erased',
        output: null,
        outputError: 'payload_erased',
        logOutput: null,
      })
      expect(new Set((await vault.texts(id)).map(({ text }) => text))).toEqual(new Set(['!erased']))
      const logs = await world.ask(ADMIN, 'GET', `/api/jobs/${jobId}/logs?executionId=${id}`)
      expect([logs.status, logs.body.code]).toEqual([410, 'payload_erased'])
      expect((await world.ask(ADMIN, 'GET', `${path}/activities`)).status).toBe(410)
      const history = await world.ask(ADMIN, 'GET', `/api/jobs/${jobId}/history`)
      expect([history.status, history.body.items.length]).toEqual([200, 1])
    })

    it('is recorded, and the audit log holds', async () => {
      await using scene = await open()
      const { world } = scene
      const { id, path } = await erased(world)
      await world.ask(ADMIN, 'POST', `${path}/erase`)
      const { items } = (await world.ask(ADMIN, 'GET', '/api/jobs/audit-log?limit=1')).body
      expect(items).toMatchObject([{ operation: 'JOBS_EXECUTION_ERASE', executionId: id, userId: 'ana' }])
      const { store } = await world.test.app.opened()
      expect(await verifyAudit(store.audit, 'acme')).toMatchObject({ isIntact: true })
      expect(JSON.stringify(await store.audit.list({ tenant: 'acme', limit: 100 }))).not.toContain('4242-secret')
    })

    it('is for an Admin, and for what has ended', async () => {
      await using scene = await open()
      const { world } = scene
      const { path } = await erased(world)
      expect((await world.ask(DEVELOPER, 'POST', `${path}/erase`)).status).toBe(403)
      const queued = await later(world)
      const refused = await world.ask(ADMIN, 'POST', `/api/jobs/executions/${queued}/erase`)
      expect([refused.status, refused.body.code]).toEqual([409, 'execution.status_conflict'])
    })

    it('happens once, and what is erased does not run again', async () => {
      await using scene = await open()
      const { world } = scene
      const { id } = await world.test.app.enqueue('Falhar', SECRET, { tenant: 'acme' })
      await ended(world, id)
      const path = `/api/jobs/executions/${id}/erase`
      expect([(await world.ask(ADMIN, 'POST', path)).status, (await world.ask(ADMIN, 'POST', path)).status]).toEqual([
        204, 204,
      ])
      await expect(world.test.app.retry(id)).rejects.toMatchObject({ code: 'payload_erased' })
    })
  })
}
