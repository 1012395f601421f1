import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../unavailable.ts'
import type { Statement } from './driver.ts'
import { type Asked, Together } from './together.ts'

const one: Statement = { name: 'one', text: 'select 1' }
const two: Statement = { name: 'two', text: 'select 2' }
const bad: Statement = { name: 'bad', text: 'select 1 / 0' }

const divisionByZero = Object.assign(new Error('division by zero'), { code: '22012' })
const lost = new StoreUnavailableError('store.unavailable', 'The server went away.', {}, { cause: divisionByZero })

/** Answers each statement with its name; fails what `failing` says. */
function sender(failing: (names: readonly string[]) => Error | null = () => null) {
  const sent: string[][] = []
  const together = new Together(async (asked: readonly Asked[]) => {
    const names = asked.map(({ statement }) => statement.name)
    sent.push(names)
    const error = failing(names)
    if (error) throw error
    return asked.map(({ statement, values }) => [{ name: statement.name, values }])
  })
  return { sent, together }
}

describe('what is asked for at once', () => {
  it('goes together, and each gets its own answer', async () => {
    const { sent, together } = sender()
    const answers = await Promise.all([together.query(one, [1]), together.query(two, [2])])
    expect(answers).toEqual([[{ name: 'one', values: [1] }], [{ name: 'two', values: [2] }]])
    expect(sent).toEqual([['one', 'two']])
  })

  it('holds no statement twice', async () => {
    const { sent, together } = sender()
    const asked = [
      together.query(one, [1]),
      together.query(two, []),
      together.query(one, [2]),
      together.query(one, [3]),
    ]
    expect((await Promise.all(asked))[2]).toEqual([{ name: 'one', values: [2] }])
    expect(sent).toEqual([['one', 'two'], ['one'], ['one']])
  })

  it('what is asked for later goes by itself', async () => {
    const { sent, together } = sender()
    await together.query(one, [])
    await together.query(two, [])
    expect(sent).toEqual([['one'], ['two']])
  })

  it('fails alone where the server refuses one of them', async () => {
    const { sent, together } = sender((names) => (names.includes('bad') ? divisionByZero : null))
    const answers = await Promise.allSettled([
      together.query(one, []),
      together.query(bad, []),
      together.query(two, []),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(answers[1]).toMatchObject({ reason: divisionByZero })
    expect(sent).toEqual([['one', 'bad', 'two'], ['one'], ['bad'], ['two']])
  })

  it('is not sent again where nobody knows whether it was done', async () => {
    const { sent, together } = sender(() => lost)
    const answers = await Promise.allSettled([together.query(one, []), together.query(two, [])])
    expect(answers).toEqual([
      { status: 'rejected', reason: lost },
      { status: 'rejected', reason: lost },
    ])
    expect(sent).toEqual([['one', 'two']])
  })
})
