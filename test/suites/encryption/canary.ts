import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { Principal } from '../../../src/access/principal.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { loggerTo } from '../../../src/logger.ts'
import { pontual } from '../../../src/pontual.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { serve } from '../../../src/server/mount/serve.ts'
import type { ServiceApi } from '../../../src/service/api.ts'
import { encrypted } from '../../../src/store/encryption/encrypted.ts'
import type { EngineStore, StoreSource, TenantStore } from '../../../src/store/store.ts'
import { MailInbox } from '../../http/service/mail-inbox.ts'
import { ana, fields } from '../../http/service/stage.ts'
import { NEW } from './vault.ts'

/** In payloads and results: to be found nowhere. */
const GIVEN = 'canary-4b1d-given'
/** What handlers say in their logs, notes and errors: to be found in no table. */
const SAID = 'canary-9c7e-said'

const card = { card: GIVEN }

const echo = job('echo', { cache: '1h', run: (input: unknown) => input })
const after = job('after', { run: (input: unknown) => input })
const child = job('child', { run: (input: unknown) => input })
const order = job('order', {
  durable: true,
  run: async (input: { round: number; card: string }, ctx): Promise<unknown> => {
    const counted = await ctx.run('count', () => ({ counted: input.card }))
    await ctx.call(child, counted)
    await ctx.signal('go')
    if (input.round === 0) return await ctx.continueAs({ ...input, round: 1 })
    return counted
  },
})
const talks = job('talks', {
  run: async (input: unknown, context) => {
    await context.checkpoint(input)
    context.logger.info(`It said ${SAID}`, { said: SAID })
    context.progress(0.5, `It notes ${SAID}`)
  },
})
const fails = job('fails', {
  retry: { retries: 1, initial: 1 },
  run: (input: unknown) => {
    throw new Error(input === undefined ? 'no input' : 'no such file')
  },
})
const blurts = job('blurts', {
  retry: { retries: 1, initial: 1 },
  run: () => {
    throw new Error(`It failed with ${SAID}`)
  },
})

export interface CanaryOptions {
  /** All that stands in the tables of the store, as one text; absent where it cannot be asked. */
  readonly dump?: () => Promise<string>
}

/** What is given to jobs is found nowhere but where it is asked for. */
export function describeCanary(openRaw: () => StoreSource, { dump }: CanaryOptions = {}): void {
  it('S39 a canary in payloads is in no table, log, mail, webhook, metric, audit entry or error', async () => {
    const told: string[] = []
    const store = encrypted(overheard(openRaw(), told), { keys: [NEW] })
    const logged: string[] = []
    const logger = loggerTo((level, message, facts) => {
      logged.push(`${level} ${message} ${JSON.stringify(facts, shown)}`)
    })
    await using inbox = await MailInbox.open()
    await using receiver = await openReceiver()
    const jobs = [echo, after, child, order, talks, fails, blurts]
    const app = pontual({ store, jobs, logger, tenant: 'acme', node: { slots: 20 } })
    const api = await createApi(app, {
      identity: { apiKeys: true },
      service: {
        mail: { host: '127.0.0.1', port: inbox.port, from: 'jobs@example.com' },
        webhooks: { ports: [receiver.port, 80, 443], networks: ['127.0.0.0/8'] },
        isolation: 'preferred',
      },
    })
    const ended = new Map<string, () => void>()
    const events: string[] = []
    for (const event of ['execution.succeeded', 'execution.failed', 'execution.retried', 'execution.queued'] as const) {
      app.on(event, (facts) => {
        events.push(JSON.stringify(facts))
        if (event === 'execution.succeeded' || event === 'execution.failed') ended.get(facts.executionId)?.()
      })
    }
    const served = await serve(api, { port: 0 })
    try {
      await app.start()
      const { service } = api
      await service.administration.updateSettings(
        ana,
        { adminAddresses: ['ana@example.com'], webhooks: [{ url: `http://127.0.0.1:${receiver.port}/`, events: [] }] },
        null,
      )
      const headers = await keyOf(service, ana)
      const until = async (id: string) => {
        const before = await app.execution(id)
        if (before?.finishedAt !== null && before !== null) return
        await new Promise<void>((resolve) => {
          ended.set(id, resolve)
          void app.execution(id).then((found) => found?.finishedAt !== null && resolve())
        })
      }
      const run = async (type: string, input: unknown = card) => {
        const { id } = await app.enqueue(type, input)
        await until(id)
        return id
      }
      // Plain, the same from what is kept, and one behind another.
      await run('echo')
      await run('echo')
      const chained = await app.enqueue('after', undefined, { after: await run('echo') })
      await until(chained.id)
      await run('talks')
      const failing = [await run('blurts')]
      // Durable: steps, a child, a signal, and another round.
      const durable = await app.enqueue('order', { ...card, round: 0 })
      for (const _round of [0, 1]) await app.signal(durable.id, 'go', card)
      await until(durable.id)
      // Over HTTP, with a key under which the answer is kept, by a schedule that is approved, and failing.
      const made = await fetch(`${served.url}/api/jobs`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': 'once' },
        body: JSON.stringify(fields({ jobType: 'fails', payload: card, retryCount: 1 })),
      })
      expect(made.status).toBe(201)
      const { id: jobId } = (await made.json()) as { id: string }
      const arriving = [inbox.next(), receiver.arrived]
      const { executionId } = await service.jobs.execute(ana, jobId, {})
      failing.push(executionId)
      await until(executionId)
      await Promise.all(arriving)

      const shownTo = await fetch(`${served.url}/api/jobs/executions/${executionId}`, { headers })
      expect(await shownTo.text()).toContain(GIVEN)
      const metrics = await fetch(`${served.url}/metrics`, { headers })
      const audit = await fetch(`${served.url}/api/jobs/audit-log?limit=200`, { headers })
      const missing = await fetch(`${served.url}/api/jobs/executions/${GIVEN}`, { headers })
      const places: Record<string, string> = {
        'what the store was told': told.join('\n'),
        logs: logged.join('\n'),
        events: events.join('\n'),
        mails: JSON.stringify(inbox.mails),
        webhooks: JSON.stringify(receiver.requests),
        metrics: await metrics.text(),
        'the audit log': await audit.text(),
        tables: dump ? await dump() : '',
      }
      for (const [place, found] of Object.entries(places)) expect(found.includes(GIVEN), place).toBe(false)
      for (const place of ['what the store was told', 'the audit log', 'tables', 'metrics']) {
        expect(places[place]?.includes(SAID), place).toBe(false)
      }
      expect([missing.status, metrics.status, audit.status]).toEqual([400, 200, 200])
      expect(told.length).toBeGreaterThan(50)
      // What is looked at holds what it should.
      if (dump) expect(places['tables']).toMatch(/sealed:1:1:/)
      expect(inbox.mails.length).toBeGreaterThan(0)
    } finally {
      await served.close()
      await app.stop()
    }
  })
}

async function keyOf(service: ServiceApi, who: Principal): Promise<Record<string, string>> {
  const { secret } = await service.administration.createApiKey(who, { name: 'robot', profile: 'Admin' })
  return { authorization: `Bearer ${secret}` }
}

/** Whoever listens to webhooks. */
async function openReceiver() {
  const requests: unknown[] = []
  let hear = () => {}
  const arrived = new Promise<void>((resolve) => {
    hear = resolve
  })
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ url: request.url, headers: request.headers, body })
      response.writeHead(204).end()
      hear()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function shown(_key: string, value: unknown): unknown {
  return value instanceof Error ? `${value.name} ${value.message} ${value.stack ?? ''}` : value
}

/** A source that keeps everything its stores are told. */
function overheard(source: StoreSource, told: string[]): StoreSource {
  return { kind: source.kind, open: async (surroundings) => listenedTo(await source.open(surroundings), told) }
}

function listenedTo(store: EngineStore, told: string[]): EngineStore {
  return { ...listeningTo(store, told), forTenant: (tenant) => listeningTo(store.forTenant(tenant), told) }
}

function listeningTo<Store extends TenantStore>(store: Store, told: string[]): Store {
  const nouns = Object.entries(store).map(
    ([name, noun]) => [name, isNoun(noun) ? listening(noun, told) : noun] as const,
  )
  return Object.fromEntries(nouns) as unknown as Store
}

function isNoun(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function listening(noun: object, told: string[]): object {
  return new Proxy(noun, {
    get: (target, key) => {
      const verb: unknown = Reflect.get(target, key, target)
      if (typeof verb !== 'function') return verb
      return (...values: unknown[]) => {
        told.push(`${String(key)} ${JSON.stringify(values, toldOf)}`)
        return (verb as (...values: unknown[]) => unknown).apply(target, values)
      }
    },
  })
}

/** Whoever names an execution that he holds may hand in all that he knows of it; a store takes its id and epoch. */
function toldOf(_name: string, value: unknown): unknown {
  if (typeof value === 'function') return null
  if (typeof value !== 'object' || value === null || !('epoch' in value) || !('body' in value)) return value
  const { body: _body, ...named } = value
  return named
}
