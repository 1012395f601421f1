import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../../harness/postgres/database.ts'
import { keepRecord } from '../record/record.ts'
import { SETTINGS, type Setting } from '../transaction-races/cast.ts'
import { raceFreely } from '../transaction-races/free-races.ts'
import type { Meeting } from '../transaction-races/meeting.ts'
import {
  ALL_VERBS,
  allOrders,
  allPairs,
  ENDING_VERBS,
  secondStatements,
  TRIPLES,
} from '../transaction-races/meetings.ts'
import { envOf } from '../transaction-races/serial.ts'
import { Stage } from '../transaction-races/stage.ts'
import { meetAll, type Tally } from '../transaction-races/tally.ts'

const RACES = Number(process.env['PONTUAL_PROVE_RACES'] ?? 100_000)
/** Such as "held,ready", where not all are wanted. */
const CHOSEN = process.env['PONTUAL_PROVE_SETTINGS']?.split(',') as Setting[] | undefined
/** Takes every so many-th meeting only. */
const EVERY = Number(process.env['PONTUAL_PROVE_EVERY'] ?? 1)
const AT_ONCE = 200

describe('what happens before a commit', () => {
  const startedAt = performance.now()
  const tallies: Tally[] = []
  let raced = { races: 0, violations: 0 }
  let database: TestDatabase | undefined
  let stage: Stage | undefined
  beforeAll(async () => {
    database = await createDatabase()
    stage = new Stage(database.url, envOf(0))
    await stage.open(5)
  })
  afterAll(async () => {
    await stage?.close()
    await database?.drop()
    keep()
  })

  const groups: [string, readonly Meeting[]][] = [
    [
      'I7: the four that may end an execution, in all 24 orders',
      SETTINGS.flatMap((each) => allOrders(ENDING_VERBS, each)),
    ],
    [
      'three at once, in all their orders',
      TRIPLES.flatMap((verbs) => SETTINGS.flatMap((each) => allOrders(verbs, each))),
    ],
    ['verbs of several statements, held before the second commit', secondStatements()],
    ...(CHOSEN ?? SETTINGS).map((setting): [string, readonly Meeting[]] => {
      return [`every two verbs, ${setting}`, allPairs(ALL_VERBS, [setting])]
    }),
  ]
  it.each(groups)('%s: as if one had come after the other', async (name, meetings) => {
    const chosen = meetings.filter((_, index) => index % EVERY === 0)
    const tally = await meetAll(stage!, chosen, (line) => console.log(line))
    tallies.push(tally)
    const { violations, ...counts } = tally
    console.log(name, { ...counts, violations: violations.length })
    expect(violations).toEqual([])
  })

  it(`I7: ${RACES} executions end once, whoever races for them`, async () => {
    const bench = await stage!.begin(envOf(stage!.nextNumber()))
    const { races, violations, wins } = await raceFreely(stage!, bench, RACES, AT_ONCE)
    raced = { races, violations: violations.length }
    console.log({ races, wins })
    expect(violations).toEqual([])
  })

  function keep(): void {
    const sum = (count: (tally: Tally) => number) => tallies.reduce((total, tally) => total + count(tally), 0)
    keepRecord({
      name: 'isolation',
      command: 'npm run prove -- isolation',
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      violations: sum(({ violations }) => violations.length) + raced.violations,
      figures: [
        {
          section: 'faults',
          invariants: ['I5', 'I6', 'I7', 'I17', 'I21', 'I26'],
          what: 'verbs that met another before its commit, and ended as if one had come after the other',
          value: sum(({ meetings, violations }) => meetings - violations.length),
        },
        {
          section: 'faults',
          invariants: ['I7'],
          what: 'executions that rescuer, cancel, timeout and completion raced for, and that ended once',
          value: raced.races - raced.violations,
          atLeast: 100_000,
        },
        {
          section: 'faults',
          invariants: [],
          what: 'of these meetings, verbs that waited for a lock',
          value: sum(({ blocked }) => blocked),
        },
      ],
      gaps: [
        ...(raced.races < 100_000 ? [`I7 was raced for ${raced.races} times of 100,000.`] : []),
        ...(EVERY > 1 ? [`Of the meetings every ${EVERY}th was tried.`] : []),
        ...(CHOSEN ? [`Only these settings were tried: ${CHOSEN.join(', ')}.`] : []),
      ],
    })
  }
})
