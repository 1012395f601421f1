import { describe, expect, it } from 'vitest'
import type { Held } from '../../../src/store/leases.ts'
import type { NewLogLine } from '../../../src/store/logs.ts'
import { type Bench, LEASE_MS, success } from './bench.ts'

export function describeLogs(bench: Bench): void {
  const line = ({ executionId, epoch }: Held, sequence: number, change: Partial<NewLogLine> = {}): NewLogLine => ({
    executionId,
    epoch,
    sequence,
    attempt: 1,
    at: bench.now,
    level: 'info',
    message: `line ${sequence}`,
    fields: null,
    ...change,
  })
  const read = (executionId: string, change: object = {}) =>
    bench.store.logs.read({ executionId, limit: 99, ...change })

  it('lines are read as they were written, in order', async () => {
    const held = await bench.running()
    const lines = [
      line(held, 2 ** 32 + 2, { level: 'error', message: 'second', fields: '{"row":7}', at: bench.now + 1 }),
      line(held, 2 ** 32 + 1, { level: 'debug', message: 'first' }),
      line(held, 3 * 2 ** 32, { level: 'warn', message: 'third', attempt: 3 }),
    ]
    expect(await bench.store.logs.append(lines)).toEqual([])
    const kept = (await read(held.executionId)).map((each) => ({ ...each, epoch: held.epoch }))
    expect(kept).toEqual([lines[1], lines[0], lines[2]])
  })

  it.each(['!urgent', '!erase', '!undecryptable:corrupt:x', '"sealed:1:1::AAAA"', ''])(
    'the words %j are told as they were written',
    async (message) => {
      const held = await bench.running()
      await bench.store.logs.append([line(held, 1, { message })])
      await bench.store.leases.progress([{ ...held, fraction: 0, note: message }])
      expect(await read(held.executionId)).toMatchObject([{ message }])
      expect(await bench.find(held.executionId)).toMatchObject({ progressNote: message })
    },
  )

  it('lines stay after the end, and over attempts', async () => {
    const first = await bench.running()
    await bench.store.logs.append([line(first, 1)])
    bench.advance(LEASE_MS + 1)
    await bench.store.leases.recover({ silentForMs: null, limit: 9 })
    const second = await bench.claimOne(await bench.node())
    await bench.store.logs.append([line(second, 2 ** 33, { attempt: 2 })])
    await bench.store.leases.finish([success(second)])
    expect((await read(first.executionId)).map(({ attempt }) => attempt)).toEqual([1, 2])
  })

  it('lines of one attempt are read alone', async () => {
    const held = await bench.running()
    await bench.store.logs.append([1, 2, 2, 1].map((attempt, index) => line(held, index + 1, { attempt })))
    const sequences = async (change: object) => (await read(held.executionId, change)).map(({ sequence }) => sequence)
    expect(await sequences({ attempt: 2 })).toEqual([2, 3])
    expect(await sequences({ attempt: 1, after: 1 })).toEqual([4])
    expect(await sequences({ attempt: 2, limit: 1 })).toEqual([2])
    expect(await sequences({ attempt: 3 })).toEqual([])
  })

  it('of lines of several executions, those are refused that are not held', async () => {
    const [mine, lost] = [await bench.running(), await bench.running()]
    const lines = [line(mine, 1), line({ ...lost, epoch: 2 }, 1), line(mine, 2), line({ ...lost, epoch: 2 }, 2)]
    expect([...new Set(await bench.store.logs.append(lines))]).toEqual([lost.executionId])
    expect((await read(mine.executionId)).map(({ sequence }) => sequence)).toEqual([1, 2])
    expect(await read(lost.executionId)).toEqual([])
  })

  it('lines after the end are refused', async () => {
    const held = await bench.running()
    await bench.store.leases.finish([success(held)])
    expect(await bench.store.logs.append([line(held, 1)])).toEqual([held.executionId])
    expect(await read(held.executionId)).toEqual([])
  })

  it('a line that is told again is kept once', async () => {
    const held = await bench.running()
    await bench.store.logs.append([line(held, 1)])
    expect(await bench.store.logs.append([line(held, 1), line(held, 2)])).toEqual([])
    expect((await read(held.executionId)).map(({ message }) => message)).toEqual(['line 1', 'line 2'])
  })

  describe('read', () => {
    const queries: [object, number[]][] = [
      [{}, [1, 2, 3, 4]],
      [{ after: 0 }, [1, 2, 3, 4]],
      [{ after: 2 }, [3, 4]],
      [{ after: 4 }, []],
      [{ limit: 2 }, [1, 2]],
      [{ limit: 0 }, []],
      [{ after: 1, limit: 2 }, [2, 3]],
      [{ lowest: 'debug' }, [1, 2, 3, 4]],
      [{ lowest: 'info' }, [2, 3, 4]],
      [{ lowest: 'warn' }, [3, 4]],
      [{ lowest: 'error' }, [4]],
      [{ lowest: 'warn', after: 3 }, [4]],
    ]
    it.each(queries)('%j gives lines %j', async (query, expected) => {
      const held = await bench.running()
      const levels = ['debug', 'info', 'warn', 'error'] as const
      await bench.store.logs.append(levels.map((level, index) => line(held, index + 1, { level })))
      expect((await read(held.executionId, query)).map(({ sequence }) => sequence)).toEqual(expected)
    })

    it('gives nothing of an execution without lines', async () => {
      expect(await read(await bench.enqueue())).toEqual([])
      expect(await read('00000000-0000-7000-8000-000000000000')).toEqual([])
    })
  })

  it('size tells how many bytes are kept', async () => {
    const held = await bench.running()
    const { logs } = bench.store
    expect(await logs.size(held.executionId)).toBe(0)
    await logs.append([line(held, 1, { message: 'x'.repeat(1_000) })])
    const one = await logs.size(held.executionId)
    expect(one).toBeGreaterThanOrEqual(1_000)
    await logs.append([line(held, 2, { message: 'é'.repeat(1_000) })])
    const two = await logs.size(held.executionId)
    expect(two - one).toBeGreaterThanOrEqual(2_000)
    await logs.append([line(held, 3, { message: '', fields: JSON.stringify('y'.repeat(500)) })])
    expect((await logs.size(held.executionId)) - two).toBeGreaterThanOrEqual(500)
    await logs.append([line({ ...held, epoch: 9 }, 4)])
    expect(await logs.size(held.executionId)).toBeLessThan(3_700)
  })

  it('nothing to append is nothing refused', async () => {
    expect(await bench.store.logs.append([])).toEqual([])
  })
}
