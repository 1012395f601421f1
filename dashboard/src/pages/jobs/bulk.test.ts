import { describe, expect, it } from 'vitest'
import { type BulkAnswer, type BulkProgress, type BulkRequest, carryOut, forecast, partsOf } from './bulk.ts'

const some = (count: number) => ({ ids: new Set(Array.from({ length: count }, (_, at) => `job-${at}`)), isAll: false })

describe('jobs are named to the server', () => {
  it.each([
    ['one by one', some(3), 'tag:x', [3]],
    ['at most a hundred at once', some(230), '', [100, 100, 30]],
  ])('%s', (_, selection, q, counts) => {
    expect(partsOf(selection, q).map(({ ids }) => ids?.length)).toEqual(counts)
  })

  it('by the search where all that match are meant', () => {
    expect(partsOf({ ids: new Set(), isAll: true }, 'tag:x')).toEqual([{ query: { q: 'tag:x' } }])
    expect(partsOf({ ids: new Set(), isAll: true }, '')).toEqual([{ query: {} }])
  })
})

/** A server that comes to so many jobs at once, and fails on those it is told to. */
function server(total: number, atOnce: number, failing: readonly number[] = []) {
  const asked: BulkRequest[] = []
  const send = async (request: BulkRequest): Promise<BulkAnswer> => {
    asked.push(request)
    const from = Number(request.cursor ?? 0)
    const to = Math.min(total, from + atOnce)
    const failed = failing
      .filter((at) => at >= from && at < to)
      .map((at) => ({ id: `${at}`, name: `job ${at}`, code: 'job.status_conflict', message: 'It is paused.' }))
    return {
      matched: to - from,
      applicable: request.dryRun ? to - from - 1 : null,
      done: to - from - failed.length,
      failed,
      nextCursor: to === total ? null : `${to}`,
      ...(request.dryRun ? { sample: ['a', 'b'] } : {}),
    }
  }
  return { send, asked }
}

it('a forecast adds up what each part would do', async () => {
  const { send, asked } = server(100, 100)
  const parts = partsOf(some(200), '')
  expect(await forecast('pause', parts, send)).toEqual({ matched: 200, applicable: 198, sample: ['a', 'b'] })
  expect(asked.map(({ dryRun }) => dryRun)).toEqual([true, true])
})

describe('carrying it out', () => {
  const parts = [{ query: { q: 'tag:x' } }]

  it('goes on until there is no more, and adds up', async () => {
    const { send, asked } = server(120, 50, [7, 110])
    const told: BulkProgress[] = []
    const onProgress = (progress: BulkProgress) => told.push(progress)
    await carryOut({ verb: 'pause', reason: 'Closing' }, parts, {
      send,
      onProgress,
      signal: new AbortController().signal,
    })
    expect(told.map(({ seen, done }) => [seen, done])).toEqual([
      [50, 49],
      [100, 99],
      [120, 118],
    ])
    expect(told.at(-1)?.failed.map(({ name }) => name)).toEqual(['job 7', 'job 110'])
    expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, '50', '100'])
    expect(asked[0]).toEqual({ verb: 'pause', reason: 'Closing', query: { q: 'tag:x' } })
  })

  it('stops after the call during which it was told to', async () => {
    const { send, asked } = server(120, 50)
    const stop = new AbortController()
    const told: BulkProgress[] = []
    const onProgress = (progress: BulkProgress) => {
      told.push(progress)
      stop.abort()
    }
    await carryOut({ verb: 'delete' }, parts, { send, onProgress, signal: stop.signal })
    expect(asked).toHaveLength(1)
    expect(told).toEqual([{ seen: 50, done: 50, failed: [] }])
  })
})
