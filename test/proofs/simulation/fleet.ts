import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { PlantedBug } from '../planted/planted-bug.ts'
import { environmentWith } from '../planted/registry.ts'

/** What became of a seed. */
export interface Told {
  readonly seed: number
  readonly violation: { readonly invariant: string; readonly message: string } | null
  readonly seen: readonly (readonly [string, number])[]
  readonly happenings: number
  readonly finished: number
}

export interface FleetOptions {
  /** Run before the others. */
  readonly first?: readonly number[] | undefined
  readonly from: number
  readonly to: number
  /** No seed is begun after that; null: all are run. */
  readonly endsInMs?: number | null | undefined
  readonly bug?: PlantedBug | undefined
  /** Ends with the first seed that fails. */
  readonly isOnlyOne: boolean
  readonly onTold: (told: Told) => void
}

const PROGRAM = fileURLToPath(new URL('seeds-process.ts', import.meta.url))
const LOADER = new URL('../../harness/typescript-loader.mjs', import.meta.url).href

/** Runs seeds in as many processes as there are cores. */
export async function runSeeds(options: FleetOptions): Promise<void> {
  const { first = [], from, to, endsInMs = null, bug, isOnlyOne, onTold } = options
  const step = Math.min(availableParallelism(), to - from + 1)
  const env = { ...process.env, ...(bug && environmentWith(bug)) }
  const children = Array.from({ length: step }, (_, index) => {
    const own = first.filter((_, nth) => nth % step === index)
    const order = JSON.stringify({ first: own, from: from + index, to, step, isOnlyOne, endsInMs })
    return fork(PROGRAM, [order], { execArgv: ['--max-semi-space-size=64', '--import', LOADER], env })
  })
  await Promise.all(
    children.map(
      (child) =>
        new Promise<void>((resolve, reject) => {
          child.on('message', (told: Told) => {
            onTold(told)
            if (told.violation && isOnlyOne) for (const each of children) each.kill()
          })
          child.once('error', reject)
          child.once('exit', (code, signal) => {
            if (code === 0 || signal !== null) resolve()
            else reject(new Error(`A process of the simulation ended with ${code}.`))
          })
        }),
    ),
  )
}
