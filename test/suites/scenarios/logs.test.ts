import { describe, expect, it } from 'vitest'
import { type JobContext, job } from '../../../src/job/type/job-type.ts'
import type { LogLine } from '../../../src/store/logs.ts'
import { testPontual } from '../../../src/testing.ts'
import { Gate } from './gate.ts'
import { Processes } from './processes.ts'
import { listOf, RecordedLog } from './recorded.ts'

/** Runs a handler once, and gives back what it logged. */
async function linesOf(run: (context: JobContext) => unknown): Promise<LogLine[]> {
  const work = job('work', { retry: { retries: 0 }, run: (_input, context) => run(context) })
  await using t = await testPontual({ jobs: [work] })
  const { id } = await t.app.enqueue(work)
  await t.advance('1s')
  return await listOf(t.app.logs(id))
}

describe('what a handler logs', () => {
  it('is kept in order, with level, fields and time', async () => {
    const lines = await linesOf(({ logger }) => {
      logger.debug('one')
      logger.info('two', { rows: 3 })
      logger.warn('three', { nested: { list: [1, null] } })
      logger.error('four', { error: new TypeError('bad') })
    })
    expect(lines.map(({ level, message }) => [level, message])).toEqual([
      ['debug', 'one'],
      ['info', 'two'],
      ['warn', 'three'],
      ['error', 'four'],
    ])
    expect(lines.map(({ fields }) => (fields === null ? null : (JSON.parse(fields) as unknown)))).toEqual([
      null,
      { rows: 3 },
      { nested: { list: [1, null] } },
      { error: { name: 'TypeError', message: 'bad', stack: expect.any(String) as string } },
    ])
    expect(lines.every(({ at, attempt }) => at === Date.UTC(2026, 0, 1) && attempt === 1)).toBe(true)
  })

  it('is kept over all attempts', async () => {
    const work = job('work', {
      run: (_input, { logger, attempt }) => {
        for (const index of [1, 2, 3]) logger.info(`attempt ${attempt} line ${index}`)
        if (attempt < 3) throw new Error('again')
      },
    })
    await using t = await testPontual({ jobs: [work] })
    const { id } = await t.app.enqueue(work)
    await t.advance('1h')
    const lines = await listOf(t.app.logs(id))
    expect(lines.map(({ message }) => message)).toEqual(
      [1, 2, 3].flatMap((attempt) => [1, 2, 3].map((index) => `attempt ${attempt} line ${index}`)),
    )
    expect(lines.map(({ sequence }) => sequence)).toEqual(
      lines.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    )
  })

  it('is kept when the handler fails right afterwards', async () => {
    const lines = await linesOf(({ logger }) => {
      logger.error('last words')
      throw new Error('dead')
    })
    expect(lines.map(({ message }) => message)).toEqual(['last words'])
  })

  it('is not kept after the end, and does not abort anything', async () => {
    const contexts: JobContext[] = []
    const log = new RecordedLog()
    const run = (_input: unknown, context: JobContext) => {
      contexts.push(context)
      if (context.jobType === 'talker') context.logger.info('one')
      throw new Error('no')
    }
    const types = ['talker', 'quiet'].map((id) => job(id, { retry: { retries: 0 }, run }))
    await using t = await testPontual({ jobs: types, logger: log.logger })
    const ids = await Promise.all(types.map(async (type) => (await t.app.enqueue(type.id)).id))
    await t.settle()
    for (const { logger } of contexts) logger.info('late')
    await t.settle()
    expect(contexts.map(({ signal }) => signal.aborted)).toEqual([false, false])
    const kept = await Promise.all(ids.map(async (id) => (await listOf(t.app.logs(id))).map(({ message }) => message)))
    expect(kept).toEqual([['one'], []])
    expect(log.of('late')).toHaveLength(2)
  })

  it('goes to the log of the application too, with the id of the execution', async () => {
    const log = new RecordedLog()
    const work = job('work', { run: (_input, { logger }) => logger.warn('low on ink', { pages: 3 }) })
    await using t = await testPontual({ jobs: [work], logger: log.logger })
    const { id } = await t.app.enqueue(work)
    await t.settle()
    expect(log.of('low on ink')).toEqual([
      { level: 'warn', message: 'low on ink', fields: { executionId: id, jobType: 'work', attempt: 1, pages: 3 } },
    ])
  })

  it.each<[string, unknown, string]>([
    ['NUL', 'a\0b', 'a␀b'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['nothing', '', ''],
    ['8 KiB', 'x'.repeat(8_192), 'x'.repeat(8_192)],
    ['what is no text', 42, '42'],
    ['what has no text', undefined, 'undefined'],
  ])('may hold %s', async (_what, message, kept) => {
    const lines = await linesOf(({ logger }) => logger.info(message as string))
    expect(lines.map((line) => line.message)).toEqual([kept])
  })

  it.each([
    ['ASCII', 'x'.repeat(8_193)],
    ['two bytes each', 'é'.repeat(10_000)],
    ['three bytes each', '€'.repeat(3_000)],
    ['four bytes each', '😀'.repeat(3_000)],
    ['megabytes', 'x'.repeat(5_000_000)],
  ])('is cut at 8 KiB and marked: %s', async (_what, message) => {
    const [line] = await linesOf(({ logger }) => logger.info(message))
    expect(line?.message).toMatch(/… \[cut\]$/)
    expect(line?.message).not.toContain('\ufffd')
    const bytes = Buffer.byteLength(line?.message ?? '')
    expect(bytes).toBeLessThanOrEqual(8_192)
    expect(bytes).toBeGreaterThan(8_180)
  })

  it('has its fields cut where they are longer', async () => {
    const [line] = await linesOf(({ logger }) => logger.info('big', { text: '"\n\u0001€'.repeat(100_000) }))
    expect(line?.message).toBe('big')
    expect(Buffer.byteLength(line?.fields ?? '')).toBeLessThanOrEqual(8_192)
    expect(JSON.parse(line?.fields ?? '')).toHaveProperty('cut')
  })

  const circular: Record<string, unknown> = {}
  circular['self'] = circular

  it.each<[string, Record<string, unknown>]>([
    ['hold themselves', circular],
    ['are too big for a number', { n: 1n }],
    ['say they are nothing', { toJSON: () => undefined }],
    [
      'cannot be read',
      {
        get bad() {
          throw new Error('no')
        },
      },
    ],
  ])('does no harm where its fields %s', async (_what, fields) => {
    let isLogged = false
    const lines = await linesOf(({ logger }) => {
      logger.info('odd', fields)
      isLogged = true
    })
    expect(isLogged).toBe(true)
    expect(lines.map(({ message }) => message)).toEqual(['odd'])
  })

  it('ends at 10 MiB, which is marked once', async () => {
    const text = 'x'.repeat(8_000)
    const lines = await linesOf(({ logger }) => {
      for (let index = 0; index < 3_000; index += 1) logger.info(text)
    })
    const bytes = lines.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0)
    expect(bytes).toBeLessThanOrEqual(10 * 1_048_576 + 200)
    // What a line takes beside its text counts too.
    expect(bytes).toBeGreaterThan(10 * 1_048_576 * 0.99)
    expect(lines.at(-1)).toMatchObject({ level: 'warn', message: expect.stringContaining('10485760 bytes') as string })
    expect(lines.filter(({ message }) => message.includes('10485760'))).toHaveLength(1)
  })

  it('counts over attempts', async () => {
    const work = job('work', {
      retry: { intervals: [0, 0] },
      run: (_input, { logger }) => {
        for (let index = 0; index < 600; index += 1) logger.info('x'.repeat(8_000))
        throw new Error('again')
      },
    })
    await using t = await testPontual({ jobs: [work] })
    const { id } = await t.app.enqueue(work)
    await t.advance('1s')
    expect(await t.app.execution(id)).toMatchObject({ status: 'FAILED', attempt: 3 })
    const lines = await listOf(t.app.logs(id))
    const bytes = lines.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0)
    expect(bytes).toBeLessThanOrEqual(10 * 1_048_576 + 200)
    expect(new Set(lines.map(({ attempt }) => attempt))).toEqual(new Set([1, 2, 3]))
  })

  it.each([1, 2])('in attempt %i waits for a store that is away', async (attempt) => {
    await using all = new Processes()
    const gate = new Gate()
    const work = job('work', {
      retry: { intervals: [0] },
      run: async (_input, context) => {
        if (context.attempt < attempt) throw new Error('again')
        node.link.isAway = true
        context.logger.info('while it was away')
        await gate.opened
        context.logger.info('afterwards')
      },
    })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.pass('3s')
    node.link.isAway = false
    await all.pass('3s')
    gate.open()
    await all.pass('3s')
    const lines = await listOf(node.app.logs(id))
    expect(lines.map(({ message }) => message)).toEqual(['while it was away', 'afterwards'])
    expect(await node.execution(id)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('reading logs', () => {
  async function withLog() {
    const t = await testPontual({
      jobs: [
        job('work', {
          run: (_input, { logger }) => {
            logger.debug('a')
            logger.info('b')
            logger.warn('c')
            logger.error('d')
          },
        }),
      ],
    })
    const { id } = await t.app.enqueue('work')
    await t.settle()
    return { t, id }
  }

  it.each([
    ['debug', 'abcd'],
    ['info', 'bcd'],
    ['warn', 'cd'],
    ['error', 'd'],
  ] as const)('from %s on', async (level, expected) => {
    const { t, id } = await withLog()
    await using _ = t
    const lines = await listOf(t.app.logs(id, { level }))
    expect(lines.map(({ message }) => message).join('')).toBe(expected)
  })

  it('goes on after a line', async () => {
    const { t, id } = await withLog()
    await using _ = t
    const all = await listOf(t.app.logs(id))
    const rest = await listOf(t.app.logs(id, { after: all[1]?.sequence }))
    expect(rest).toEqual(all.slice(2))
  })

  it('takes any number of lines', async () => {
    const lines = await linesOf(({ logger }) => {
      for (let index = 0; index < 1_234; index += 1) logger.info(String(index))
    })
    expect(lines.map(({ message }) => message)).toEqual(Array.from({ length: 1_234 }, (_, index) => String(index)))
  })

  it('of what does not exist is nothing', async () => {
    await using t = await testPontual()
    expect(await listOf(t.app.logs('00000000-0000-7000-8000-000000000000', { follow: true }))).toEqual([])
  })
})

describe('following logs', () => {
  async function following() {
    const all = new Processes()
    const contexts: JobContext[] = []
    const gate = new Gate()
    const work = job('work', {
      run: async (_input, context) => {
        contexts.push(context)
        await gate.opened
        context.logger.info('the end')
      },
    })
    const node = await all.node({ jobs: [work] })
    const { id } = await node.app.enqueue(work)
    await all.settle()
    return { all, node, id, contexts, gate }
  }

  it('gives lines as they come, and ends with the execution', async () => {
    const { all, node, id, contexts, gate } = await following()
    await using _ = all
    const seen: string[] = []
    const stream = (async () => {
      for await (const { message } of node.app.logs(id, { follow: true })) seen.push(message)
    })()
    contexts[0]?.logger.info('first')
    await all.pass('1s')
    expect(seen).toEqual(['first'])
    contexts[0]?.logger.info('second')
    await all.pass('1s')
    expect(seen).toEqual(['first', 'second'])
    gate.open()
    await all.until(stream, '1s')
    expect(seen).toEqual(['first', 'second', 'the end'])
  })

  it('ends when the signal says so', async () => {
    const { all, node, id, contexts, gate } = await following()
    await using _ = all
    const controller = new AbortController()
    const stream = listOf(node.app.logs(id, { follow: true, signal: controller.signal }))
    contexts[0]?.logger.info('first')
    await all.pass('1s')
    controller.abort()
    await all.settle()
    expect((await stream).map(({ message }) => message)).toEqual(['first'])
    gate.open()
  })

  it('works from another process', async () => {
    const { all, id, contexts, gate } = await following()
    await using _ = all
    const stream = listOf(all.process().app.logs(id, { follow: true }))
    contexts[0]?.logger.info('first')
    await all.pass('1s')
    gate.open()
    const lines = await all.until(stream, '2s')
    expect(lines.map(({ message }) => message)).toEqual(['first', 'the end'])
  })
})
