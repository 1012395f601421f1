import { describe, expect, it } from 'vitest'
import { type WriteKind, WriteOrder } from './write-order.ts'

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
