import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { DurableContext } from '../../../src/index.ts'
import { type AnyJobType, job } from '../../../src/job/type/job-type.ts'
import { unchecked } from '../../../src/job/type/standard-schema.ts'
import { runDurable } from '../../../src/testing.ts'
import { refusal } from '../../harness/instants.ts'
import { type Process, Processes } from './processes.ts'

const Approval = z.object({ by: z.string(), cents: z.string().transform(Number) })

const order = job('order', {
  durable: true,
  signals: { approved: Approval, note: unchecked<string>(), ready: unchecked<undefined>() },
  run: async (input: { readonly id: number }, ctx) => {
    const approval = await ctx.signal('approved')
    expectTypeOf(approval).toEqualTypeOf<{ by: string; cents: number }>()
    const note = await ctx.signal('note', undefined, { timeout: '1h' })
    expectTypeOf(note).toEqualTypeOf<string | null>()
    await ctx.signal('ready')
    return { id: input.id, by: approval.by, cents: approval.cents, note }
  },
})

/** The same job type in another version of the code. */
function orderWith(...signals: readonly string[]): AnyJobType {
  return job('order', {
    durable: true,
    signals: Object.fromEntries(signals.map((name) => [name, unchecked()])),
    run: async (_input: unknown, ctx) => await ctx.signal(signals[0] ?? ''),
  })
}

const undeclared = job('order', { durable: true, run: async (_input: unknown, ctx) => await ctx.signal('approved') })

async function waiting({ app }: Process, all: Processes): Promise<string> {
  const { id } = await app.enqueue('order', { id: 1 }, { durable: true })
  await all.settle()
  return id
}

const REFUSED = {
  code: 'signal.unknown',
  message:
    'Job type "order" declares no signal "aproved"; its signals are approved, note, ready. Did you mean "approved"?',
  details: {
    jobType: 'order',
    received: 'aproved',
    accepted: ['approved', 'note', 'ready'],
    suggestion: 'approved',
  },
}

describe('declared signals', () => {
  it('are typed where they are sent and where they are awaited', async () => {
    await using all = new Processes()
    const { app } = await all.node({ jobs: [order] })
    const handle = await app.enqueue(order, { id: 1 })
    await app.signal(handle, 'approved', { by: 'Ana', cents: '250' })
    await app.signal(handle.id, 'note', 'soon', { type: order, idempotencyKey: 'form-17' })
    const [other] = await app.enqueueMany(order, [{ id: 2 }])
    await app.signal(other!, 'approved', { by: 'Rui', cents: '1' })
    await app.signal(handle, 'ready')
    const ended = await all.until(app.waitFor(handle))
    expect(ended).toMatchObject({ status: 'SUCCESS', output: { id: 1, by: 'Ana', cents: 250, note: 'soon' } })
  })

  it('do not compile with another name or payload, and are refused', async () => {
    await using all = new Processes()
    const { app } = await all.node({ jobs: [order] })
    const handle = await app.enqueue(order, { id: 1 })
    const { id } = handle
    const invalid = { code: 'payload.invalid' }
    // @ts-expect-error No such signal.
    await expect(app.signal(handle, 'aproved', { by: 'Ana' })).rejects.toMatchObject(REFUSED)
    // @ts-expect-error No such signal.
    await expect(app.signal(id, 'aproved', {}, { type: order })).rejects.toMatchObject(REFUSED)
    // @ts-expect-error Its payload has cents, as text.
    await expect(app.signal(handle, 'approved', { by: 'Ana', cents: 1 })).rejects.toMatchObject(invalid)
    // @ts-expect-error Its payload has cents, as text.
    await expect(app.signal(id, 'approved', { by: 'Ana' }, { type: order })).rejects.toMatchObject(invalid)
    // @ts-expect-error It has a payload.
    await expect(app.signal(handle, 'approved')).rejects.toThrow('Payload of signal "approved" is invalid')
    // Text from elsewhere is checked as well.
    await expect(app.signal(id, 'aproved')).rejects.toMatchObject(REFUSED)
    await expect(app.signal(id, 'constructor')).rejects.toMatchObject({ code: 'signal.unknown' })
    await expect(app.signal(id, 'approved', 5)).rejects.toMatchObject(invalid)
    await all.settle()
    expect((await app.history(id)).map(({ kind, status }) => [kind, status])).toContainEqual(['signal', 'RUNNING'])
  })

  it('of another job type than the named one are refused', async () => {
    await using all = new Processes()
    const other = job('other', { durable: true, run: async (_input: undefined, ctx) => await ctx.signal('approved') })
    const node = await all.node({ jobs: [order, other] })
    const { id } = await node.app.enqueue(other)
    const sent = node.app.signal(id, 'note', 'x', { type: order })
    await expect(sent).rejects.toMatchObject({ code: 'execution.other_type' })
    await expect(node.app.signal(id, 'any', 1)).resolves.toBeUndefined()
  })

  it('are the only ones that the code may wait for', async () => {
    const wrong = job('wrong', {
      durable: true,
      signals: { approved: Approval, note: unchecked<string>() },
      // @ts-expect-error No such signal.
      run: async (_input: undefined, ctx) => await ctx.signal('aproved'),
    })
    expect(await runDurable(wrong)).toMatchObject({
      status: 'FAILED',
      error: {
        code: 'signal.unknown',
        message:
          'Job type "wrong" declares no signal "aproved"; its signals are approved, note. Did you mean "approved"?',
      },
    })
    const twice = job('twice', {
      durable: true,
      signals: { approved: Approval },
      // @ts-expect-error The schema is declared.
      run: async (_input: undefined, ctx) => await ctx.signal('approved', Approval),
    })
    const message = 'Job type "twice" declares signal "approved" with its schema. Leave the schema out of ctx.signal.'
    expect(await runDurable(twice)).toMatchObject({ status: 'FAILED', error: { code: 'option.invalid', message } })
    // A function that takes any durable context is checked when it runs.
    const anyName = async (ctx: DurableContext, name: string) => await ctx.signal(name)
    const none = job('none', {
      durable: true,
      signals: {},
      run: async (_input: undefined, ctx) => await anyName(ctx, 'go'),
    })
    expect(await runDurable(none)).toMatchObject({
      error: { message: 'Job type "none" declares no signal "go"; it declares none.' },
    })
  })

  it('are typed in a test of a durable job', async () => {
    const played = runDurable(order, { id: 1 }).signal('approved', { by: 'Ana', cents: '5' }).signal('ready')
    expect(await played.advance('1h')).toMatchObject({ status: 'SUCCESS', output: { cents: 5, note: null } })
    // @ts-expect-error No such signal.
    await expect(runDurable(order, { id: 1 }).signal('aproved')).rejects.toMatchObject(REFUSED)
  })

  it('whose payload was sent unchecked and does not fit are left out', async () => {
    await using all = new Processes()
    const sender = all.process()
    const node = await all.node({ jobs: [order] })
    const id = await waiting(sender, all)
    await sender.app.signal(id, 'approved', { by: 'Ana' })
    await all.settle()
    const message = 'A signal does not fit what is waited for, and is left out'
    expect(node.log.of(message)).toMatchObject([{ level: 'warn' }])
    expect(await sender.app.execution(id)).toMatchObject({ status: 'WAITING' })
  })

  it.each<[string, Record<string, unknown>, string]>([
    [
      'what is no object',
      { durable: true, signals: ['a'] },
      'signals must be an object of names and schemas, got a list',
    ],
    ['what is no schema', { durable: true, signals: { go: true } }, 'Job type "x": signal "go" must be a schema'],
    ['an empty name', { durable: true, signals: { '': unchecked() } }, 'Job type "x": signal name must be text'],
    [
      'a job that is not durable',
      { signals: { go: unchecked() } },
      'Job type "x": only a durable job is sent signals. Add durable: true, or leave signals out.',
    ],
  ])('are refused with %s', (_what, options, message) => {
    const declare = () => job('x', { run: () => null, ...options })
    expect(refusal(declare).message).toContain(message)
  })
})

describe('a signal that a process sends without the code', () => {
  it('is compared with what active nodes declare', async () => {
    await using all = new Processes()
    const sender = all.process()
    const id = await waiting(sender, all)
    await expect(sender.app.signal(id, 'aproved')).resolves.toBeUndefined()
    await all.node({ jobs: [order] })
    await all.pass('1s')
    await expect(sender.app.signal(id, 'aproved')).rejects.toMatchObject(REFUSED)
    await expect(sender.app.signal(id, 'note', 'x')).resolves.toBeUndefined()
  })

  it('is accepted as long as one active node declares no signals, such as one with older code', async () => {
    await using all = new Processes()
    const sender = all.process()
    const id = await waiting(sender, all)
    const old = await all.node({ jobs: [undeclared] })
    await all.node({ jobs: [order] })
    await expect(sender.app.signal(id, 'aproved')).resolves.toBeUndefined()
    await all.until(old.app.stop())
    await all.pass('1m')
    await expect(sender.app.signal(id, 'aproved')).rejects.toMatchObject({ code: 'signal.unknown' })
  })

  it('is not looked up as long as no job type declares any', async () => {
    await using all = new Processes()
    const sender = all.process()
    const id = await waiting(sender, all)
    await all.node({ jobs: [undeclared] })
    await sender.app.signal(id, 'approved')
    const asked: string[] = []
    sender.link.intercept = (verb, send) => {
      asked.push(verb)
      return send()
    }
    await sender.app.signal(id, 'approved')
    expect(asked).toEqual(['histories.signal'])
  })
})

describe('during a rolling deploy', () => {
  it('a signal that only newer code declares is accepted by a process of the older', async () => {
    await using all = new Processes()
    const old = await all.node({ jobs: [orderWith('approved')] })
    const id = await waiting(old, all)
    await expect(old.app.signal(id, 'rejected')).rejects.toMatchObject({ code: 'signal.unknown' })
    const next = await all.node({ jobs: [orderWith('approved', 'rejected')] })
    await all.pass('1s')
    await expect(old.app.signal(id, 'rejected')).resolves.toBeUndefined()
    await expect(old.app.signal(id, 'rejectd')).rejects.toMatchObject({
      details: { accepted: ['approved', 'rejected'], suggestion: 'rejected' },
    })
    await all.until(next.app.stop())
  })

  it('a signal that the newer code no longer declares is accepted while the older runs', async () => {
    await using all = new Processes()
    const old = await all.node({ jobs: [orderWith('approved', 'rejected')] })
    const next = await all.node({ jobs: [orderWith('approved')] })
    const id = await waiting(old, all)
    await expect(next.app.signal(id, 'rejected')).resolves.toBeUndefined()
    await all.until(old.app.stop())
    await all.pass('1m')
    await expect(next.app.signal(id, 'rejected')).rejects.toMatchObject({ code: 'signal.unknown' })
  })

  it('a process that is no node and knows the code decides by it if no node is active', async () => {
    await using all = new Processes()
    const { app } = all.process({ jobs: [order] })
    const { id } = await app.enqueue(order, { id: 1 })
    await expect(app.signal(id, 'aproved')).rejects.toMatchObject({ code: 'signal.unknown' })
  })
})
