import { readFileSync, writeFileSync } from 'node:fs'
import type { Fault } from './faults.ts'
import { type Change, runSeed } from './run-seed.ts'
import { shrink } from './shrink.ts'

const TRACE_LINES = 40

/** Plays one seed; where it fails, the smallest form of it. `file`: the faults that are left, as an earlier replay has written them. */
export async function replay(seed: number, file: string | undefined): Promise<number> {
  const given =
    file === undefined ? null : (JSON.parse(readFileSync(file, 'utf8')) as { faults: Fault[]; change: Change })
  const result = await runSeed(seed, given?.faults ?? null, given?.change)
  console.log(JSON.stringify(result.configuration))
  if (!result.violation) {
    console.log(`Seed ${seed} holds: ${result.happenings} happenings, ${result.faults.length} faults.`)
    return 0
  }
  const smallest = given ? { result, faults: given.faults, change: given.change, runs: 0 } : await shrink(seed, result)
  const { violation, trace } = smallest.result
  console.log(trace.slice(-TRACE_LINES).join('\n'))
  console.log(`\nSeed ${seed}: ${violation?.message}`)
  if (!given) {
    const path = `seed-${seed}.faults.json`
    writeFileSync(path, `${JSON.stringify({ faults: smallest.faults, change: smallest.change })}\n`)
    console.log(
      `${result.faults.length} faults became ${smallest.faults.length} in ${smallest.runs} runs: npm run simulate -- --seed ${seed} --faults ${path}`,
    )
  }
  return 1
}
