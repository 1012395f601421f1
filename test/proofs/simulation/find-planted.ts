import type { PlantedBug } from '../planted/planted-bug.ts'
import { PLANTED_BUGS } from '../planted/registry.ts'
import { keepRecord } from '../record/record.ts'
import { runSeeds, type Told } from './fleet.ts'
import { runSeed } from './run-seed.ts'

const ASKED_BUGS = 15

/** Every planted bug has to be found within so many seeds. `name`: of one, or `all`. */
export async function findPlanted(name: string, within: number): Promise<number> {
  const known = PLANTED_BUGS.filter(({ simulation }) => simulation)
  const bugs = known.filter((bug) => name === 'all' || bug.name === name)
  if (bugs.length === 0) {
    throw new TypeError(`No planted bug "${name}". Known: all, ${known.map((bug) => bug.name).join(', ')}.`)
  }
  const startedAt = performance.now()
  const found: { readonly bug: PlantedBug; readonly runs: number }[] = []
  for (const bug of bugs) {
    const { caught, runs } = await find(bug, within)
    if (caught) found.push({ bug, runs })
    const told = caught ? `seed ${caught.seed}, ${caught.violation?.message}` : ''
    console.log(`${caught ? 'found ' : 'MISSED'}  ${bug.name}: ${told} (${runs} seeds)`)
  }
  console.log(`${found.length} of ${bugs.length} planted bugs were found.`)
  const missed = bugs.filter((bug) => !found.some((each) => each.bug === bug))
  if (name === 'all') {
    const slowest = Math.max(0, ...found.map(({ runs }) => runs))
    keepRecord({
      name: 'simulation-bugs',
      command: `npm run simulate -- --planted all --within ${within}`,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      violations: missed.length,
      figures: [
        {
          section: 'lost',
          invariants: [],
          what: 'bugs planted for the simulation',
          value: bugs.length,
          atLeast: ASKED_BUGS,
        },
        { section: 'lost', invariants: [], what: 'planted bugs that it did not find', value: missed.length, atMost: 0 },
        {
          section: 'lost',
          invariants: [],
          what: 'seeds that it took to find the slowest',
          value: slowest,
          atMost: 2_000,
        },
      ],
      gaps: missed.map((bug) => `The simulation does not find a planted bug within ${within} seeds: ${bug.name}.`),
    })
  }
  return missed.length === 0 ? 0 : 1
}

async function find(bug: PlantedBug, within: number): Promise<{ readonly caught: Told | null; readonly runs: number }> {
  let runs = 0
  for (let from = 1; from <= within; ) {
    let caught: Told | null = null
    const onTold = (told: Told) => {
      runs += 1
      if (told.violation) caught ??= told
    }
    await runSeeds({ from, to: within, bug, isOnlyOne: true, onTold })
    const { seed } = (caught as Told | null) ?? {}
    if (seed === undefined) break
    // A seed that fails without the bug as well says nothing about it.
    if (!(await runSeed(seed, null)).violation) return { caught, runs }
    console.log(`seed ${seed} fails without any bug`)
    from = seed + 1
  }
  return { caught: null, runs }
}
