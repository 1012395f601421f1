import process from 'node:process'
import { runSeed } from './run-seed.ts'

/** What a process is told: seeds that are named, then from one on, every so many, until it is told to end. */
interface Order {
  readonly first: readonly number[]
  readonly from: number
  readonly to: number
  readonly step: number
  /** Ends at the first that fails. */
  readonly isOnlyOne: boolean
  /** After so long it begins no other seed. */
  readonly endsInMs: number | null
}

// Whoever started it is gone, or has heard all there is to tell.
process.once('disconnect', () => process.exit())

// Runs seeds one after the other and tells of each; whoever started it adds up.
const order = JSON.parse(process.argv[2] ?? '{}') as Order
const { isOnlyOne, endsInMs } = order
for (const seed of seedsOf(order)) {
  if (endsInMs !== null && performance.now() >= endsInMs) break
  const { violation, seen, happenings, finished } = await runSeed(seed)
  process.send?.({
    seed,
    violation: violation && { invariant: violation.invariant, message: violation.message },
    seen: [...seen],
    happenings,
    finished,
  })
  if (violation && isOnlyOne) break
}
process.disconnect?.()

function* seedsOf({ first, from, to, step }: Order): Generator<number> {
  yield* first
  for (let seed = from; seed <= to; seed += step) yield seed
}
