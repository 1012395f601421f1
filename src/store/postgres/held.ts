import type { Held } from '../leases.ts'

/** What is named twice is done once. */
export function distinctHeld<Each extends Held>(held: readonly Each[]): Each[] {
  if (held.length < 2) return [...held]
  const seen = new Map<string, Each>()
  for (const each of held) {
    const key = `${each.executionId}:${each.epoch}`
    if (!seen.has(key)) seen.set(key, each)
  }
  return [...seen.values()]
}

/** Ids and epochs, as a statement takes them. */
export function heldValues(held: readonly Held[]): [ids: string[], epochs: number[]] {
  return [held.map(({ executionId }) => executionId), held.map(({ epoch }) => epoch)]
}
