import { describe, expect, it } from 'vitest'
import { BARE } from '../../durable/journal.ts'
import type { NewEntry } from '../../job/activity/history.ts'
import type { RecordItem } from '../../store/histories.ts'
import { inRounds, type WriteKind, WriteOrder } from './run-writes.ts'

type Told = readonly [sequence: number, what: 'began' | 'ended' | 'fired']

function entryOf([sequence, what]: Told): NewEntry {
  const bare = { ...BARE, kind: 'activity', name: 'a', sequence } as const
  if (what === 'began') return { ...bare, status: 'RUNNING' }
  return { ...bare, position: sequence, ...(what === 'fired' && { isTimer: true }) }
}

const item = (executionId: string, ...told: Told[]): RecordItem => ({
  executionId,
  epoch: 1,
  entries: told.map(entryOf),
})

function inWords(rounds: readonly (readonly RecordItem[])[]): string[][] {
  return rounds.map((round) =>
    round.map(({ executionId, entries }) => {
      const words = entries.map((entry) => {
        if (entry.position === null) return `${entry.sequence} began`
        return `${entry.sequence} ${entry.isTimer ? 'fired' : 'ended'}`
      })
      return `${executionId}: ${words.join(', ')}`
    }),
  )
}

describe('items that are recorded together', () => {
  it.each<[string, RecordItem[], string[][]]>([
    ['one', [item('a', [1, 'ended'])], [['a: 1 ended']]],
    ['those of different runs', [item('a', [1, 'ended']), item('b', [1, 'fired'])], [['a: 1 ended', 'b: 1 fired']]],
    ['different calls of one run', [item('a', [1, 'ended']), item('a', [2, 'fired'])], [['a: 1 ended', 'a: 2 fired']]],
    [
      'two words on one call, of which the last counts',
      [item('a', [2, 'began'], [1, 'ended']), item('a', [2, 'ended'])],
      [['a: 1 ended', 'a: 2 ended']],
    ],
    [
      'three words on one call',
      [item('a', [1, 'began']), item('a', [1, 'began'], [2, 'began']), item('a', [1, 'ended'])],
      [['a: ', 'a: 2 began', 'a: 1 ended']],
    ],
    [
      'a timer that may be early, after a word on it',
      [item('a', [1, 'began']), item('b', [1, 'ended']), item('a', [1, 'fired']), item('b', [2, 'ended'])],
      [
        ['a: 1 began', 'b: 1 ended'],
        ['a: 1 fired', 'b: 2 ended'],
      ],
    ],
    [
      'what a lost hold of the same run still says, and takes nothing from the one that holds',
      [item('a', [1, 'ended']), { ...item('a', [1, 'began']), epoch: 0 }],
      [['a: 1 ended', 'a: 1 began']],
    ],
  ])('%s', (_name, items, expected) => {
    expect(inWords(inRounds(items))).toEqual(expected)
  })
})

/** Writes that end when they are told to, and which of them are under way. */
class Writes {
  readonly underWay: string[] = []
  readonly #order = new WriteOrder()
  readonly #ends = new Map<string, (error?: Error) => void>()

  write(kind: WriteKind, name: string): Promise<string> {
    return this.#order.write(kind, () => {
      this.underWay.push(name)
      return new Promise((resolve, reject) => {
        this.#ends.set(name, (error) => (error ? reject(error) : resolve(name)))
      })
    })
  }

  async end(name: string, error?: Error): Promise<void> {
    this.underWay.splice(this.underWay.indexOf(name), 1)
    this.#ends.get(name)?.(error)
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }
}

describe('the writes of a run', () => {
  it('of one kind go side by side', () => {
    const writes = new Writes()
    for (const name of ['a', 'b']) void writes.write('record', name)
    expect(writes.underWay).toEqual(['a', 'b'])
  })

  it('of another kind wait, and what comes later waits behind them', async () => {
    const writes = new Writes()
    void writes.write('record', 'a')
    void writes.write('child', 'b')
    void writes.write('child', 'c')
    void writes.write('record', 'd')
    expect(writes.underWay).toEqual(['a'])
    await writes.end('a')
    expect(writes.underWay).toEqual(['b', 'c'])
    await writes.end('b')
    expect(writes.underWay).toEqual(['c'])
    await writes.end('c')
    expect(writes.underWay).toEqual(['d'])
  })

  it('that are transactions go one by one', async () => {
    const writes = new Writes()
    void writes.write('transaction', 'a')
    void writes.write('transaction', 'b')
    expect(writes.underWay).toEqual(['a'])
    await writes.end('a')
    expect(writes.underWay).toEqual(['b'])
  })

  it('go on after one that failed', async () => {
    const writes = new Writes()
    const failed = writes.write('transaction', 'a')
    const next = writes.write('record', 'b')
    const caught = expect(failed).rejects.toThrow('No.')
    await writes.end('a', new Error('No.'))
    await caught
    expect(writes.underWay).toEqual(['b'])
    await writes.end('b')
    expect(await next).toBe('b')
  })
})
