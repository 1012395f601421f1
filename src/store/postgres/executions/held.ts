import type { Held } from '../../leases.ts'

/** What is named twice is done once. */
export function distinctHeld<Each extends Held>(held: readonly Each[]): Each[] {
  if (new Set(held.map(({ executionId }) => executionId)).size === held.length) return [...held]
  const seen = new Map<string, Each>()
  for (const each of held) {
    const key = `${each.executionId}:${each.epoch}`
    if (!seen.has(key)) seen.set(key, each)
  }
  return [...seen.values()]
}

/** Ids and epochs, as a statement takes them. */
export function heldValues(held: readonly Held[]): [ids: string, epochs: string] {
  return [listOf(held.map(({ executionId }) => executionId)), listOf(held.map(({ epoch }) => epoch))]
}

/** An array as the server reads it, of what needs no quotes: the driver would look at each element as if it were any text. */
export function listOf(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`
}
