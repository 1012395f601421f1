import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import type { Meeting } from './meeting.ts'
import { allOrders, allPairs, CHOSEN_VERBS, ENDING_VERBS, JOB_VERBS } from './meetings.ts'
import { envOf } from './serial.ts'
import { Stage } from './stage.ts'
import { meetAll } from './tally.ts'

describe.skipIf(isPostgresSkipped())('verbs that meet before a commit on PostgreSQL', () => {
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
  })

  const groups: [string, readonly Meeting[]][] = [
    ['any two that want the same execution', allPairs(CHOSEN_VERBS, ['held'])],
    ['any two that want the same job', allPairs(JOB_VERBS, ['ready'])],
    ['I7: the four that may end an execution, in all 24 orders', allOrders(ENDING_VERBS, 'held')],
  ]
  it.each(groups)('%s: as if one had come after the other', async (_name, meetings) => {
    const { violations } = await meetAll(stage!, meetings)
    expect(violations).toEqual([])
  })
})
