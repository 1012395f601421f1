import process from 'node:process'

/**
 * Milliseconds of a clock that all processes of the machine share, that nobody sets, and that does not stand still: what is written down by different processes
 * can be put in order by it. Its zero is of no meaning.
 */
export function machineNow(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}

/** By how much the wall clock is ahead of the clock of the lines, now. */
export function wallMinusMachine(): number {
  return Date.now() - machineNow()
}
