import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { ManualEnv } from '../../suites/conformance/manual-env.ts'
import { explore } from '../model/explore.ts'
import { MUTANTS } from '../model/lease-mutants.ts'
import { LARGE_SIZES, SMALL_SIZES } from '../model/lease-sizes.ts'
import { leaseSpec } from '../model/lease-spec.ts'
import { replay } from '../model/replay.ts'
import { memoryTheatre, postgresTheatre } from '../model/theatres.ts'
import { keepRecord } from '../record/record.ts'
import { envOf } from '../transaction-races/serial.ts'
import { Stage } from '../transaction-races/stage.ts'

const SIZES = Object.entries({ ...SMALL_SIZES, ...LARGE_SIZES })
/** A size with more states is looked at as far as that, and the rest is told as a gap. */
const MOST_STATES = Number(process.env['PONTUAL_PROVE_STATES'] ?? 1_500_000)
const WALKS = Number(process.env['PONTUAL_PROVE_WALKS'] ?? 2_000)
const LENGTH = 80
const ACTORS = 4

const startedAt = performance.now()
const counts = {
  states: 0,
  steps: 0,
  diameter: 0,
  sizes: 0,
  mutants: 0,
  violations: 0,
  walks: 0,
  statements: 0,
  blocked: 0,
}
const gaps: string[] = []

afterAll(() => {
  const { states, steps, diameter, sizes, mutants, violations, walks, statements, blocked } = counts
  const invariants = ['I5', 'I6', 'I7', 'I11', 'I12', 'I17', 'I18', 'I21']
  keepRecord({
    name: 'model',
    command: 'npm run prove -- model',
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    violations,
    figures: [
      {
        section: 'faults',
        invariants,
        what: `states of the model of leases, in ${sizes} sizes, all of them looked at`,
        value: states,
      },
      { section: 'faults', invariants, what: 'steps between them', value: steps },
      { section: 'faults', invariants, what: 'steps to the state furthest from the beginning', value: diameter },
      {
        section: 'faults',
        invariants: [],
        what: 'bugs planted in the model that it found',
        value: mutants,
        atLeast: MUTANTS.length,
      },
      {
        section: 'faults',
        invariants,
        what: 'statements of random walks that memory and PostgreSQL made as the model does',
        value: statements,
      },
      {
        section: 'faults',
        invariants,
        what: `of them in ${walks} walks, statements that waited for a lock as in the model`,
        value: blocked,
      },
    ],
    gaps,
  })
})

describe('the model of leases', () => {
  it.each(SIZES)('holds with %s', (name, size) => {
    const found = explore(leaseSpec(size), { mostStates: MOST_STATES })
    const { states, steps, diameter, isComplete, counterExample } = found
    console.log(
      `${name}: ${states} states, ${steps} steps, diameter ${diameter}${isComplete ? '' : ', not all of them'}`,
    )
    if (counterExample) {
      counts.violations += 1
      console.log(`${counterExample.invariant}: ${counterExample.what}\n${counterExample.trace.join('\n')}`)
    } else if (!isComplete) {
      gaps.push(`The model with ${name} has more than the ${states} states that were looked at.`)
    }
    counts.states += states
    counts.steps += steps
    counts.sizes += 1
    counts.diameter = Math.max(counts.diameter, diameter)
    expect(counterExample).toBeNull()
  })

  it.each(MUTANTS)('breaks where $name: $breaks', ({ rules, size, breaks }) => {
    const { counterExample } = explore(leaseSpec(size, rules))
    if (counterExample?.invariant === breaks) counts.mutants += 1
    expect(counterExample?.invariant).toBe(breaks)
  })
})

describe('what is real keeps to the model', () => {
  let database: TestDatabase | undefined
  let stage: Stage | undefined
  beforeAll(async () => {
    database = await createDatabase()
    stage = new Stage(database.url, envOf(0))
    await stage.open(ACTORS + 1)
  })
  afterAll(async () => {
    await stage?.close()
    await database?.drop()
  })

  const walk = async (name: string, walks: number, open: () => ReturnType<typeof memoryTheatre>) => {
    let [statements, blocked] = [0, 0]
    for (let seed = 1; seed <= walks; seed += 1) {
      const [, size] = SIZES[seed % SIZES.length]!
      const { random } = new ManualEnv(0, seed)
      const walked = await replay(await open(), size, LENGTH, random).catch((error: unknown) => {
        counts.violations += 1
        throw new Error(`Walk ${seed}`, { cause: error })
      })
      statements += walked.statements
      blocked += walked.blocked
    }
    console.log(`${name}: ${walks} walks, ${statements} statements, ${blocked} of them waited for a lock`)
    counts.walks += walks
    counts.statements += statements
    counts.blocked += blocked
  }

  it('the memory store', () => walk('memory', WALKS, memoryTheatre))
  it('PostgreSQL, with several statements before their commits at once', () =>
    walk('PostgreSQL', WALKS, () => postgresTheatre(stage!, ACTORS)))
})
