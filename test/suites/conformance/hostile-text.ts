import { expect, it } from 'vitest'
import { type Bench, success } from './bench.ts'
import { begun, running, settled } from './durable-entries.ts'

const hostile = [
  `'; drop table pontual.executions; --`,
  `"double" 'single' \`back\` $1 $$ \\ \\' \\u0041 {a,"b",NULL} (1,2) %s :name ?`,
  'ação çedilha ß İ ı ﬁ e\u0301',
  '中文 العربية עברית हिन्दी',
  '😀👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿 \u{10ffff} \ufffd \ufeff',
  'NULL',
  '',
  ' ',
  'a\nb\tc\r\n',
  '{}',
  'null',
] as const

export function describeHostileText(bench: Bench): void {
  it.each(hostile.filter((text) => text.trim() === text && text !== '' && !/[\n\t]/.test(text)))(
    'a name is kept to the letter: %j',
    async (text) => {
      const job = bench.job({ name: text, tenant: text, jobType: text })
      await bench.put(job)
      expect(await bench.store.jobs.findByName(text, [text])).toEqual([job])
      const { body } = bench.execution({ tenant: text, queue: text, jobType: text, jobId: job.id })
      await bench.store.executions.enqueue([{ body, runAt: null }])
      const node = await bench.node({ name: text, queues: [text, 'other'], jobTypes: [text] })
      expect(await bench.store.nodes.list()).toMatchObject([{ name: text, queues: [text, 'other'], jobTypes: [text] }])
      const claimed = await bench.claim(node, { queues: [text, 'other'], jobTypes: [text] })
      expect(claimed.map((each) => each.body)).toEqual([body])
      const tenant = `${text}${bench.uuid()}`
      const calendar = { tenant, name: text, definition: { type: 'holiday', dates: [], timeZone: 'UTC' } } as const
      await bench.store.calendars.put([calendar])
      expect(await bench.store.calendars.list(tenant)).toEqual([calendar])
    },
  )

  it.each(hostile)('free text is kept to the letter: %j', async (text) => {
    const payload = JSON.stringify({ text, [text]: [text] })
    const held = await bench.running({ payload, idempotencyKey: text })
    expect(held.body).toMatchObject({ payload, idempotencyKey: text })
    const [again] = await bench.store.executions.enqueue([bench.execution({ idempotencyKey: text })])
    expect(again).toMatchObject({ id: held.executionId, isNew: false, payload })
    await bench.store.leases.progress([{ ...held, fraction: 0.5, note: text }])
    const at = { sequence: 1, attempt: 1, at: bench.now, level: 'info' } as const
    await bench.store.logs.append([{ ...held, ...at, message: text, fields: payload }])
    expect(await bench.store.logs.read({ executionId: held.executionId, limit: 9 })).toMatchObject([
      { message: text, fields: payload },
    ])
    const error = { name: text, message: text, code: text, stack: text }
    await bench.store.leases.finish([success(held, { status: 'FAILED', output: payload, error })])
    expect(await bench.find(held.executionId)).toMatchObject({ payload, progressNote: text, output: payload, error })
    const cancelled = await bench.enqueue()
    await bench.store.executions.cancel([{ id: cancelled, reason: text }])
    if (text !== '') expect((await bench.find(cancelled)).error?.message).toBe(text)
  })

  it.each([...hostile, '{"a":"\\u0000"}', '["\\ud800"]'])(
    'what a durable execution is told is kept to the letter: %j',
    async (text) => {
      const { histories, executions } = bench.store
      const held = await running(bench)
      const { executionId, epoch } = held
      const words = { name: text, input: text, output: text, error: text, details: text }
      const entries = [settled(1, words), begun(2, words)]
      const signal = { executionId, name: text, payload: text, idempotencyKey: text }
      expect(await histories.record([{ executionId, epoch, entries }])).toEqual(['recorded'])
      expect(await histories.signal([signal, signal])).toEqual(['sent', 'sent'])
      expect(await histories.checkpoint([{ executionId, epoch, state: text }])).toEqual([executionId])
      expect(await histories.lastCheckpoint(executionId)).toBe(text)
      await executions.cancel([{ id: executionId, reason: text }])
      expect(await histories.read(executionId)).toMatchObject(entries)
      const news = { signals: [{ name: text, payload: text }], cancellation: { reason: text } }
      expect(await histories.load([held])).toMatchObject([{ ...news, entries }])
      const divergence = { reason: 'mismatch', message: text, sequence: 1, recorded: null, called: null } as const
      await histories.diverge([{ executionId, epoch, divergence }])
      expect((await bench.find(executionId)).error?.message).toBe(text)
      const filter = { jobTypes: [held.body.jobType], ids: [executionId], limit: 9 }
      expect(await histories.resume(filter)).toEqual([executionId])
    },
  )

  // JSON text may hold what PostgreSQL's own JSON may not: an escaped zero, half a character, a number beyond all bounds.
  it.each([
    '{"a":"\\u0000"}',
    '["\\ud800"]',
    '1e400',
    '{"a":1,"a":2}',
    '  { "b" : 1 }  ',
    '"\\/"',
    '12345678901234567890',
  ])('JSON text is kept to the letter: %s', async (payload) => {
    const job = bench.job({ payload })
    await bench.put(job)
    expect((await bench.findJob(job.id)).definition.payload).toBe(payload)
    const held = await bench.running({ payload })
    expect(held.body.payload).toBe(payload)
    const at = { sequence: 1, attempt: 1, at: bench.now, level: 'info', message: 'x' } as const
    await bench.store.logs.append([{ ...held, ...at, fields: payload }])
    expect((await bench.store.logs.read({ executionId: held.executionId, limit: 1 }))[0]?.fields).toBe(payload)
    await bench.store.leases.finish([success(held, { output: payload })])
    expect(await bench.find(held.executionId)).toMatchObject({ payload, output: payload })
  })

  // A handler may throw or log anything: what cannot be stored as it is must not cost the rest.
  it.each([
    ['a zero', 'before\u0000after'],
    ['the first half of a character', 'before\ud83dafter'],
    ['the second half of a character', 'before\ude00after'],
  ])('text with %s is taken as far as it can be kept', async (_case, text) => {
    await bench.store.executions.enqueue([1, 2].map(() => bench.execution()))
    const [held, other] = await bench.claim(await bench.node())
    const at = { sequence: 1, attempt: 1, at: bench.now, level: 'info', fields: null } as const
    expect(await bench.store.logs.append([{ ...held!, ...at, message: text }])).toEqual([])
    expect((await bench.store.logs.read({ executionId: held!.executionId, limit: 1 }))[0]?.message).toMatch(KEPT)
    expect(await bench.store.leases.progress([{ ...held!, fraction: 1, note: text }])).toHaveLength(1)
    const error = { name: text, message: text, stack: text, code: text }
    const retry = { ...held!, status: 'FAILED', error, delayMs: 0 } as const
    expect(await bench.store.leases.retry([retry])).toHaveLength(1)
    const ending = success(other!, { status: 'FAILED', error })
    expect(await bench.store.leases.finish([ending])).toHaveLength(1)
    expect((await bench.find(other!.executionId)).error?.message).toMatch(KEPT)
    expect((await bench.find(held!.executionId)).attempts[0]?.error?.message).toMatch(KEPT)
    expect(await bench.store.executions.cancel([{ id: held!.executionId, reason: text }])).toEqual(['cancelled'])
    expect((await bench.find(held!.executionId)).error?.message).toMatch(KEPT)
  })

  it('a payload of a mebibyte goes in and comes out', async () => {
    const payload = JSON.stringify('é'.repeat(524_287))
    const held = await bench.running({ payload })
    expect(held.body.payload).toBe(payload)
    await bench.store.leases.finish([success(held, { output: payload })])
    const found = await bench.find(held.executionId)
    expect(found.payload === payload && found.output === payload).toBe(true)
  })
}

const KEPT = /^before.*after$/su
