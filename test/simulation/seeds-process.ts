import process from 'node:process'
import { runSeed } from './run-seed.ts'

/** What a process is told: seeds from one on, every so many, until it is told to end. */
interface Order {
  readonly from: number
  readonly to: number
  readonly step: number
  /** Ends at the first that fails. */
  readonly isOnlyOne: boolean
}

// Runs seeds one after the other and tells of each; whoever started it adds up.
const { from, to, step, isOnlyOne } = JSON.parse(process.argv[2] ?? '{}') as Order
for (let seed = from; seed <= to; seed += step) {
  const { violation, seen, happenings } = await runSeed(seed)
  process.send?.({
    seed,
    violation: violation && { invariant: violation.invariant, message: violation.message },
    seen: [...seen],
    happenings,
  })
  if (violation && isOnlyOne) break
}
process.disconnect?.()
