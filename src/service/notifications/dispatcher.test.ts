import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MailInbox } from '../../../test/http/service/mail-inbox.ts'
import { Mute } from '../../../test/http/service/mute.ts'
import { ana, fields, openStage, type Stage, stranger } from '../../../test/http/service/stage.ts'
import { isSigned, WebhookReceiver } from '../../../test/http/service/webhook-receiver.ts'
import { type Env, eventLoopTurn } from '../../clock.ts'
import { AT_ONCE } from '../../engine/node/loop.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { type LogLevel, loggerTo } from '../../logger.ts'
import { pontual } from '../../pontual.ts'
import { memory } from '../../store/memory/memory.ts'
import type { EngineStore } from '../../store/store.ts'
import type { SettingsUpdate } from '../administration/settings.ts'
import { type ServiceOptions, serviceRules } from '../options.ts'
import { createService } from '../service.ts'
import { Dispatcher } from './dispatcher.ts'
import type { MailOptions } from './mail-options.ts'
import { mailerTo } from './mailer.ts'

const SECRET = 'a secret that is shared'.replaceAll(' ', '-')
const ADDRESSES = ['ana@acme.example', 'rui@acme.example']

let failures = 0
const types: readonly AnyJobType[] = [
  job('Falhar', {
    retry: { retries: 0 },
    run: () => {
      throw new Error('connect ECONNREFUSED 10.0.0.5:5432')
    },
  }),
  job('Teimoso', {
    run: () => {
      if (failures === 0) return 'done'
      failures -= 1
      throw new Error('not yet')
    },
  }),
  job('Demorar', {
    retry: { retries: 0 },
    run: (_input: unknown, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
  }),
]

let inbox: MailInbox
let receiver: WebhookReceiver
let stage: Stage
let store: EngineStore
let logged: [LogLevel, string][]
beforeEach(async () => {
  failures = 0
  logged = []
  inbox = await MailInbox.open()
  receiver = await WebhookReceiver.open()
  stage = await openStage({ jobs: types }, options())
  store = (await stage.test.app.opened()).store
})
afterEach(async () => {
  await stage[Symbol.asyncDispose]()
  await inbox.close()
  await receiver[Symbol.asyncDispose]()
})

function options(): ServiceOptions {
  return {
    duties: false,
    mail: { host: '127.0.0.1', port: inbox.port, from: 'Pontual <jobs@pontual.example>' },
    publicUrl: 'https://jobs.example.com/',
    webhooks: { ports: [receiver.port, 80, 443], networks: ['127.0.0.0/8'] },
  }
}

function dispatcher(change: Partial<EngineStore['notifications']> = {}, rules: ServiceOptions = options()): Dispatcher {
  const { mail, publicUrl, webhooks } = serviceRules(rules)
  return new Dispatcher({
    env: stillEnv(),
    logger: loggerTo((level, message) => logged.push([level, message])),
    store: { ...store, notifications: { ...store.notifications, ...change } },
    now: () => stage.test.now(),
    mail: mail && { rules: mail, mailer: mailerTo(mail) },
    webhooks,
    publicUrl,
  })
}

/** Time stands still, and so does what waits for it. */
function stillEnv(): Env {
  return {
    now: () => stage.test.now(),
    monotonic: () => stage.test.now(),
    after: () => () => {},
    every: () => () => {},
    nextTurn: (call: () => void) => queueMicrotask(call),
    random: () => 0.5,
    uuid: () => '',
  }
}

/** Sends all that is due. */
async function dispatch(by = dispatcher()): Promise<void> {
  do while ((await by.step()) === AT_ONCE);
  while (await by.rest())
}

const settle = (change: SettingsUpdate) => stage.service.administration.updateSettings(ana, change, null)

/** Runs a new job of a type to its end. */
async function run(jobType: string, change: object = {}): Promise<{ id: string; name: string; executionId: string }> {
  const { id, name } = await stage.service.jobs.create(ana, fields({ jobType, ...change }))
  const { executionId } = await stage.service.jobs.execute(ana, id, {})
  await stage.test.settle()
  return { id, name, executionId }
}

const listed = async () => await store.notifications.list({ tenant: 'acme', limit: 99 })

describe('mail', () => {
  it('tells all addresses of a final failure, with name, time, error, what to do and a link', async () => {
    await settle({ adminAddresses: ADDRESSES })
    const { id, name, executionId } = await run('Falhar', { timeZone: 'America/Sao_Paulo' })
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
    const [mail] = inbox.mails
    expect(mail).toMatchObject({ from: 'jobs@pontual.example', to: ADDRESSES })
    expect(mail?.headers.get('subject')).toBe(`[Pontual] Falha no job "${name}"`)
    expect(mail?.headers.get('to')).toBe(ADDRESSES.join(', '))
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain(name)
      expect(body).toContain('31/12/2025, 21:00:00 (America/Sao_Paulo), 2026-01-01T00:00:00.000Z')
      expect(body).toContain('Error: connect ECONNREFUSED 10.0.0.5:5432')
      expect(body).toContain('Um serviço não foi alcançado.')
      expect(body).toContain(`https://jobs.example.com/jobs/${id}?execution=${executionId}`)
    }
    expect(mail?.html).not.toMatch(/<(img|script|link|iframe|style)\b|url\(|src=/i)
  })

  it('speaks the language of the tenant', async () => {
    await settle({ adminAddresses: ADDRESSES, language: 'en' })
    const { name } = await run('Falhar', { timeZone: 'America/Sao_Paulo' })
    await dispatch()
    const [mail] = inbox.mails
    expect(mail?.headers.get('subject')).toBe(`[Pontual] Job "${name}" failed`)
    expect(mail?.text).toContain('Time of failure: 12/31/25, 9:00:00')
    expect(mail?.text).toContain('Recommended action: A service could not be reached.')
    expect(mail?.html).toContain('<html lang="en">')
  })

  it('is sent once per final failure, by whoever is first', async () => {
    await settle({ adminAddresses: ADDRESSES })
    for (let n = 0; n < 7; n += 1) await run('Falhar')
    await Promise.all([dispatch(), dispatch(), dispatch()])
    await dispatch()
    expect(new Set(inbox.mails.map(({ headers }) => headers.get('message-id'))).size).toBe(7)
    expect(inbox.mails).toHaveLength(7)
  })

  it('tells nothing of retries, nor of a recovery', async () => {
    await settle({ adminAddresses: ADDRESSES })
    failures = 2
    const { id, executionId } = await run('Teimoso', { retryCount: 3 })
    await dispatch()
    await stage.test.advance('10 minutes')
    expect(await stage.service.executions.get(ana, executionId)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
    await dispatch()
    expect(inbox.mails).toEqual([])

    failures = 99
    await stage.service.jobs.execute(ana, id, {})
    await stage.test.advance('1 hour')
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
    failures = 0
    await stage.service.jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(await stage.service.jobs.get(ana, id)).toMatchObject({ status: 'ACTIVE' })
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
  })

  it('counts a timeout as a failure', async () => {
    await settle({ adminAddresses: ADDRESSES })
    const { executionId } = await run('Demorar', { timeoutMinutes: 5, retryCount: 0 })
    await stage.test.advance('5 minutes')
    expect(await stage.service.executions.get(ana, executionId)).toMatchObject({ status: 'TIMEOUT' })
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
    expect(inbox.mails[0]?.text).toContain('A execução passou do tempo permitido.')
  })

  it('is sent once after the server was away for an hour', async () => {
    await settle({ adminAddresses: ADDRESSES })
    await inbox.close()
    await run('Falhar')
    const sender = dispatcher()
    for (let minute = 0; minute < 60; minute += 1) {
      await dispatch(sender)
      await stage.test.advance('1 minute')
    }
    const tries = (await listed())[0]?.deliveries[0]?.attempts ?? 0
    expect(tries).toBeGreaterThanOrEqual(8)
    expect(tries).toBeLessThanOrEqual(12)
    expect((await listed())[0]).toMatchObject({ toldAt: null, deliveries: [{ status: 'WAITING' }] })
    // Where the operator's server stands is nothing that tenants are told.
    expect((await listed())[0]?.deliveries[0]?.lastError).toMatch(/^The mail server cannot be used: E[A-Z]+\.$/)
    await inbox.listen()
    for (let minute = 0; minute < 20; minute += 1) {
      await stage.test.advance('1 minute')
      await dispatch(sender)
    }
    expect(inbox.mails).toHaveLength(1)
    expect(await store.notifications.summary('acme', 0)).toEqual({
      failures: 1,
      told: 1,
      suppressed: 0,
      undelivered: 0,
    })
    // One line for an outage, not one for each try.
    expect(logged.filter(([level]) => level === 'warn')).toHaveLength(1)
  })

  it('is given up after three days, loudly', async () => {
    await settle({ adminAddresses: ADDRESSES })
    await inbox.close()
    await run('Falhar')
    await dispatch()
    await stage.test.advance('3 days')
    await dispatch()
    expect(logged).toContainEqual(['error', 'Nobody was told, and nobody tries any more'])
    expect(await store.notifications.summary('acme', 0)).toMatchObject({ failures: 1, told: 0, undelivered: 1 })
    await inbox.listen()
    await stage.test.advance('1 hour')
    await dispatch()
    expect(inbox.mails).toEqual([])
  })

  it('is sent again under the same id where the sender died before he could say so', async () => {
    await settle({ adminAddresses: ADDRESSES })
    await run('Falhar')
    const dying = dispatcher({ settle: () => Promise.reject(new Error('died')) })
    await expect(dispatch(dying)).rejects.toThrow('died')
    expect(inbox.mails).toHaveLength(1)
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
    await stage.test.advance('2 minutes')
    await dispatch()
    await stage.test.advance('1 hour')
    await dispatch()
    const ids = inbox.mails.map(({ headers }) => headers.get('message-id'))
    expect(ids).toEqual([ids[0], ids[0]])
    expect(ids[0]).toMatch(/^<pontual\.[0-9a-f]{32}@pontual\.example>$/)
  })

  it('goes to the others where the server refuses one address', async () => {
    await settle({ adminAddresses: ADDRESSES })
    inbox.refused.add('rui@acme.example')
    await run('Falhar')
    await dispatch()
    expect(inbox.mails).toMatchObject([{ to: ['ana@acme.example'] }])
    const [delivery] = (await listed())[0]?.deliveries ?? []
    expect(delivery).toMatchObject({ status: 'SENT', attempts: 1 })
    expect(delivery?.lastError).toContain('1 of')
  })

  it('is gathered into one where the tenant wants a digest', async () => {
    await settle({ adminAddresses: ADDRESSES, digestMinutes: 15 })
    const names = []
    for (let n = 0; n < 4; n += 1) names.push((await run('Falhar')).name)
    await dispatch()
    await stage.test.advance('14 minutes')
    await dispatch()
    expect(inbox.mails).toEqual([])
    await stage.test.advance('1 minute')
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
    expect(inbox.mails[0]?.headers.get('subject')).toBe('[Pontual] 4 notificações')
    for (const name of names) expect(inbox.mails[0]?.text).toContain(name)
    expect(await store.notifications.summary('acme', 0)).toMatchObject({ failures: 4, told: 4 })
    const late = await run('Falhar')
    await dispatch()
    await stage.test.advance('15 minutes')
    await dispatch()
    expect(inbox.mails).toHaveLength(2)
    expect(inbox.mails[1]?.headers.get('subject')).toContain(late.name)
  })

  it('I30: of 10,000 failures in a minute there is one mail, and none is lost', async () => {
    await settle({ adminAddresses: ADDRESSES, digestMinutes: 15, language: 'en' })
    for (let second = 0; second < 50; second += 1) {
      const at = stage.test.now()
      const facts = { jobId: null, executionId: null }
      const events = Array.from({ length: 200 }, (_, n) => ({ id: `${second}/${n}`, tenant: 'acme', at, facts }))
      await store.notifications.post(events.map((event) => ({ ...event, kind: 'job.failed' })))
      await dispatch()
      await stage.test.advance('1 second')
    }
    await stage.test.advance('1 hour')
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
    expect(inbox.mails[0]?.text).toContain('There were 10000; the first 100 are listed.')
    expect(await store.notifications.summary('acme', 0)).toMatchObject({ failures: 10_000, told: 10_000 })
  })

  it('is left to others by a process that knows no mail server', async () => {
    await settle({ adminAddresses: ADDRESSES })
    await run('Falhar')
    await dispatch(dispatcher({}, { ...options(), mail: undefined }))
    expect((await listed())[0]?.deliveries).toMatchObject([{ status: 'WAITING', attempts: 0 }])
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
  })
})

describe('nobody is told', () => {
  it('where there is nobody to tell', async () => {
    await run('Falhar')
    await dispatch()
    expect(await listed()).toMatchObject([{ suppression: 'nobody', deliveries: [] }])
  })

  it('where notifications are switched off', async () => {
    await settle({ adminAddresses: ADDRESSES })
    await store.flags.put({ tenant: 'acme', flags: [{ flag: 'JOB_NOTIFICATIONS', isEnabled: false }] })
    await run('Falhar')
    await dispatch()
    expect(await listed()).toMatchObject([{ suppression: 'flag', deliveries: [] }])
    expect(await store.notifications.summary('acme', 0)).toMatchObject({ failures: 1, suppressed: 1 })
    await store.flags.put({ tenant: 'acme', flags: [{ flag: 'JOB_NOTIFICATIONS', isEnabled: true }] })
    await dispatch()
    expect(inbox.mails).toEqual([])
  })

  it('of what the tenant does not want to be told by mail', async () => {
    await settle({ adminAddresses: ADDRESSES, mailEvents: ['alert.opened'] })
    await run('Falhar')
    const event = {
      tenant: 'acme',
      at: stage.test.now(),
      facts: { alert: 'queueCongested', value: 120, threshold: 100 },
    }
    await store.notifications.post([{ ...event, id: 'a1', kind: 'alert.opened' }])
    await store.notifications.post([{ ...event, id: 'a2', kind: 'alert.closed' }])
    await dispatch()
    expect(inbox.mails.map(({ headers }) => headers.get('subject'))).toEqual(['[Pontual] Alerta: Fila Congestionada'])
    expect(inbox.mails[0]?.text).toContain('Valor medido: 120 jobs em fila; o limite é 100.')
    expect(inbox.mails[0]?.text).toContain('Ação recomendada: Investigue workers lentos.')
  })
})

describe('webhooks', () => {
  const hook = (change: object = {}) => ({ url: receiver.url, events: [], secret: SECRET, ...change })

  it('are told, signed with their secret', async () => {
    await settle({ webhooks: [hook({ events: ['job.failed'] })] })
    const { id, name, executionId } = await run('Falhar')
    await dispatch()
    expect(receiver.received).toHaveLength(1)
    const [received] = receiver.received
    expect(isSigned(received!, SECRET, stage.test.now())).toBe(true)
    expect(isSigned({ ...received!, body: `${received!.body} ` }, SECRET, stage.test.now())).toBe(false)
    expect(isSigned(received!, `${SECRET}!`, stage.test.now())).toBe(false)
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-pontual-event': 'job.failed',
    })
    expect(JSON.parse(received!.body)).toEqual({
      id: executionId,
      event: 'job.failed',
      clienteId: 'acme',
      at: '2026-01-01T00:00:00.000Z',
      facts: { jobId: id, executionId },
      job: { id, name },
      execution: {
        id: executionId,
        jobType: 'Falhar',
        status: 'FAILED',
        attempts: 1,
        errorClass: 'network',
        error: { name: 'Error', message: 'connect ECONNREFUSED 10.0.0.5:5432' },
      },
      link: `https://jobs.example.com/jobs/${id}?execution=${executionId}`,
    })
  })

  it('are told what they listen to', async () => {
    await settle({ webhooks: [hook({ url: `${receiver.url}/all` }), hook({ events: ['alert.opened'] })] })
    await run('Falhar')
    await dispatch()
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/all'])
  })

  it('are told again, under the same id, until they answer well', async () => {
    await settle({ webhooks: [hook()] })
    receiver.answers.push(500, 302, 429)
    await run('Falhar')
    for (let n = 0; n < 30; n += 1) {
      await dispatch()
      await stage.test.advance('30 seconds')
    }
    expect(receiver.received).toHaveLength(4)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-pontual-delivery'])).size).toBe(1)
    for (const each of receiver.received.slice(3)) expect(isSigned(each, SECRET, stage.test.now() - 900_000)).toBe(true)
    expect((await listed())[0]?.deliveries).toMatchObject([{ status: 'SENT', attempts: 4 }])
  })

  it.each([301, 302, 303, 307, 308])('that redirect with %i are not taken at their word', async (status) => {
    await settle({ webhooks: [hook()] })
    receiver.location = `${receiver.url}/elsewhere`
    receiver.answers.push(status)
    await run('Falhar')
    await dispatch()
    expect(receiver.received).toMatchObject([{ path: '/hook' }])
    expect((await listed())[0]?.deliveries).toMatchObject([{ status: 'WAITING', attempts: 1 }])
  })

  it('that are gone are told no more', async () => {
    await settle({ webhooks: [hook()] })
    receiver.answers.push(410)
    await run('Falhar')
    await dispatch()
    await stage.test.advance('1 day')
    await dispatch()
    expect(receiver.received).toHaveLength(1)
    expect((await listed())[0]?.deliveries).toMatchObject([{ status: 'UNDELIVERED', attempts: 1 }])
  })

  it('are tried for a day', async () => {
    await settle({ webhooks: [hook()] })
    receiver.answers.push(...Array.from({ length: 300 }, () => 503))
    await run('Falhar')
    await dispatch()
    await stage.test.advance('1 day')
    await dispatch()
    const [delivery] = (await listed())[0]?.deliveries ?? []
    expect(delivery).toMatchObject({ status: 'UNDELIVERED', attempts: 2 })
    expect(delivery?.lastError).toContain('status 503')
    expect(receiver.received).toHaveLength(1)
  })

  it('do not keep others waiting', async () => {
    await settle({ adminAddresses: ADDRESSES, webhooks: [hook()] })
    receiver.answers.push(500)
    await run('Falhar')
    await dispatch()
    expect(inbox.mails).toHaveLength(1)
    expect(await store.notifications.summary('acme', 0)).toMatchObject({ told: 1, undelivered: 0 })
  })

  it('at private addresses are refused, unless that network is allowed', async () => {
    await settle({ webhooks: [hook()] })
    await run('Falhar')
    await dispatch(dispatcher({}, { ...options(), webhooks: { ports: [receiver.port] } }))
    expect(receiver.received).toEqual([])
    const [delivery] = (await listed())[0]?.deliveries ?? []
    expect(delivery).toMatchObject({ status: 'UNDELIVERED' })
    expect(delivery?.lastError).toContain('not a public one')
  })

  it('whose name stands for a private address are refused', async () => {
    const { mail: _mail, webhooks: _webhooks, ...others } = options()
    await settle({ webhooks: [hook({ url: 'http://hooks.example.com/' })] })
    await run('Falhar')
    const { webhooks } = serviceRules({ ...others, webhooks: { ports: [80] } })
    const sender = new Dispatcher({
      env: stillEnv(),
      logger: loggerTo(() => {}),
      store,
      now: () => stage.test.now(),
      mail: null,
      webhooks,
      publicUrl: null,
      // A name that stands for a machine inside.
      resolve: async () => ['10.0.0.7'],
    })
    await dispatch(sender)
    expect((await listed())[0]?.deliveries).toMatchObject([{ status: 'UNDELIVERED' }])
  })
})

describe('nobody keeps others waiting:', () => {
  /** Failures of a tenant that nobody has been told of. */
  const post = (tenant: string, count: number) =>
    store.notifications.post(
      Array.from({ length: count }, (_, n) => ({
        id: `${tenant}/${n}`,
        tenant,
        kind: 'job.failed',
        at: stage.test.now(),
        facts: { jobId: null, executionId: null },
      })),
    )
  const others = (change: SettingsUpdate) => stage.service.administration.updateSettings(stranger, change, null)

  it('a mail server that says nothing, webhooks', async () => {
    await using mute = await Mute.open()
    await settle({ adminAddresses: ADDRESSES })
    await others({ webhooks: [{ url: receiver.url, events: [], secret: SECRET }] })
    await post('acme', 50)
    await post('globex', 3)
    const sender = dispatcher({}, { ...options(), mail: { ...options().mail, port: mute.port } as MailOptions })
    while (receiver.received.length < 3) {
      while ((await sender.step()) === AT_ONCE);
      await eventLoopTurn()
    }
    await mute[Symbol.asyncDispose]()
    await sender.rest()
    expect(receiver.received).toHaveLength(3)
  })

  it('a webhook that says nothing, those of other tenants and mails', async () => {
    receiver.mute.add('/mute')
    await settle({ webhooks: [{ url: new URL('/mute', receiver.url).href, events: [], secret: SECRET }] })
    await others({ adminAddresses: ADDRESSES, webhooks: [{ url: receiver.url, events: [], secret: SECRET }] })
    await post('acme', 50)
    await post('globex', 7)
    const sender = dispatcher()
    const got = (path: string) => receiver.received.filter((each) => each.path === path).length
    while (got('/hook') < 7 || inbox.mails.length < 7) {
      while ((await sender.step()) === AT_ONCE);
      await eventLoopTurn()
    }
    expect(got('/mute')).toBeLessThan(10)
    receiver.hangUp()
    await sender.rest()
  })

  it('a mail server that is away, itself: it is tried a few times, not once for every mail', async () => {
    await settle({ adminAddresses: ADDRESSES })
    await inbox.close()
    await post('acme', 40)
    const sender = dispatcher()
    await dispatch(sender)
    const tried = async () =>
      (await store.notifications.list({ tenant: 'acme', limit: 999 })).filter(
        ({ deliveries }) => deliveries[0]?.attempts,
      )
    expect((await tried()).length).toBeLessThanOrEqual(10)
    await inbox.listen()
    await stage.test.advance('1 minute')
    await dispatch(sender)
    expect(inbox.mails).toHaveLength(40)
  })

  it('what cannot be planned yet, the rest of the process', async () => {
    await settle({ adminAddresses: ADDRESSES, digestMinutes: 15 })
    await post('acme', 400)
    let plans = 0
    const sender = dispatcher({
      plan: async () => {
        plans += 1
        return 0
      },
    })
    expect(await sender.step()).not.toBe(AT_ONCE)
    expect(plans).toBe(1)
  })
})

const failing = job('Falhar', {
  retry: { retries: 0 },
  run: () => {
    throw new Error('no such file')
  },
})

it('a service tells of a failure by itself, and ends with its application', async () => {
  await using inbox = await MailInbox.open()
  const app = pontual({ store: memory(), jobs: [failing], logger: 'silent' })
  const service = createService(app, {
    mail: { host: '127.0.0.1', port: inbox.port, from: 'jobs@example.com' },
  })
  try {
    await service.ready()
    await app.start()
    await service.administration.updateSettings(ana, { adminAddresses: ['ana@example.com'] }, null)
    const arriving = inbox.next()
    const { id } = await service.jobs.create(ana, fields({ jobType: 'Falhar' }))
    const { executionId } = await service.jobs.execute(ana, id, {})
    expect((await arriving).text).toContain(executionId)
  } finally {
    service.close()
    await app.stop()
  }
  expect(inbox.mails).toHaveLength(1)
})
