import { describe, expect, it } from 'vitest'
import { job } from '../../job/type/job-type.ts'
import { memory } from '../../store/memory/memory.ts'
import type { EngineStore, StoreSource } from '../../store/store.ts'
import { testPontual } from '../../testing/test-pontual.ts'

const KIB = 1_024

/** A store that tells how many bytes of logs it gives at once. */
function watched(pages: number[]): StoreSource {
  const source = memory()
  return {
    kind: source.kind,
    open: async (surroundings): Promise<EngineStore> => {
      const store = await source.open(surroundings)
      const read: EngineStore['logs']['read'] = async (query) => {
        const lines = await store.logs.read(query)
        pages.push(lines.reduce((sum, { message, fields }) => sum + message.length + (fields?.length ?? 0), 0))
        return lines
      }
      return { ...store, logs: { ...store.logs, read } }
    },
  }
}

describe('a log that is read line by line', () => {
  it.each([
    ['long', 8_000, 600],
    ['short', 20, 5_000],
    ['empty', 0, 1_200],
  ])('%s lines are read a little at a time, whoever holds them up, and all of them', async (_kind, length, count) => {
    const pages: number[] = []
    const talk = job('talk', {
      run: (_input: undefined, { logger }) => {
        for (let line = 0; line < count; line += 1) logger.info('x'.repeat(length))
      },
    })
    await using t = await testPontual({ store: watched(pages), jobs: [talk] })
    const { id } = await t.app.enqueue(talk)
    await t.advance('1m')
    const sequences: number[] = []
    for await (const { sequence } of t.app.logs(id)) sequences.push(sequence)
    expect(sequences).toHaveLength(count)
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(Math.max(...pages)).toBeLessThanOrEqual(512 * KIB)
    expect(pages.length).toBeLessThan(count / 50)
  })

  it('short lines that are followed by long ones are no way around it', async () => {
    const pages: number[] = []
    const talk = job('talk', {
      run: (_input: undefined, { logger }) => {
        for (let line = 0; line < 1_000; line += 1) logger.info('x'.repeat(line < 500 ? 1 : 8_000))
      },
    })
    await using t = await testPontual({ store: watched(pages), jobs: [talk] })
    const { id } = await t.app.enqueue(talk)
    await t.advance('1m')
    let count = 0
    for await (const line of t.app.logs(id)) count += line.message.length > 0 ? 1 : 0
    expect(count).toBe(1_000)
    expect(Math.max(...pages)).toBeLessThanOrEqual(512 * KIB)
  })
})
