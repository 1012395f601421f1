import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { type Pontual, pontual } from '../../../src/pontual.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { RecordedEvents, RecordedLog } from './recorded.ts'

const WARNING = 'The nodes may use up the connections of the server'
const work = job('work', { run: () => null })

describe.skipIf(isPostgresSkipped('stock'))('nodes on a server that grants 97 connections', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase('stock')
  })
  afterAll(() => database.drop())

  it('report how many they open, and the fourth warns that they may use up all', async () => {
    using events = new RecordedEvents()
    const warnings: unknown[] = []
    const apps: Pontual[] = []
    try {
      for (const name of ['one', 'two', 'three', 'four']) {
        const log = new RecordedLog()
        const app = pontual({ store: postgres(database.url), jobs: [work], logger: log.logger, node: { name } })
        apps.push(app)
        await app.start()
        warnings.push(log.of(WARNING).map(({ fields }) => fields))
      }
      expect(events.of('node.started').map(({ connections }) => connections)).toEqual([22, 22, 22, 22])
      expect((await apps[0]?.nodes())?.map(({ connections }) => connections)).toEqual([22, 22, 22, 22])
      expect(warnings).toEqual([[], [], [], [expect.objectContaining({ nodes: 4, connections: 88, available: 97 })]])
    } finally {
      await Promise.all(apps.map((app) => app.stop()))
    }
  })
})
