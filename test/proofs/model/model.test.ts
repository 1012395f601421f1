import { describe, expect, it } from 'vitest'
import { ManualEnv } from '../../suites/conformance/manual-env.ts'
import { explore } from './explore.ts'
import { MUTANTS } from './lease-mutants.ts'
import { RULES } from './lease-rules.ts'
import { SMALL_SIZES } from './lease-sizes.ts'
import { leaseSpec } from './lease-spec.ts'
import { replay } from './replay.ts'
import { memoryTheatre } from './theatres.ts'

describe('the model of leases holds in every state', () => {
  it.each(Object.entries(SMALL_SIZES))('with %s', (_name, size) => {
    const { counterExample, isComplete } = explore(leaseSpec(size))
    expect(counterExample?.trace ?? []).toEqual([])
    expect(isComplete).toBe(true)
  })

  it.each([
    ['the key of a slot is enough without the lock', { slotsAreLocked: false }],
    ['the lock is enough without the key', { slotsAreKeys: false }],
  ])('%s', (_name, change) => {
    const size = SMALL_SIZES['two executions under a limit of one, a pause']!
    const { counterExample, isComplete } = explore(leaseSpec(size, { ...RULES, ...change }))
    expect(counterExample?.trace ?? []).toEqual([])
    expect(isComplete).toBe(true)
  })
})

describe('a model with a bug breaks', () => {
  it.each(MUTANTS)('$name: $breaks', ({ rules, size, breaks }) => {
    const { counterExample } = explore(leaseSpec(size, rules))
    expect(counterExample?.invariant).toBe(breaks)
  })
})

const WALKS = 10
const LENGTH = 60

describe('the memory store keeps to the model', () => {
  it.each(Object.entries(SMALL_SIZES))('with %s', async (_name, size) => {
    for (let seed = 1; seed <= WALKS; seed += 1) {
      const { random } = new ManualEnv(0, seed)
      await replay(await memoryTheatre(), size, LENGTH, random)
    }
  })
})
