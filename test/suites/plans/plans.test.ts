import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPostgresSkipped } from '../../harness/postgres/database.ts'
import { describePlans, PlanFixture } from './describe-plans.ts'
import { useDuties, useExecutions, useLists, useRuns, useService } from './uses.ts'

describe.skipIf(isPostgresSkipped('18'))('PostgreSQL 18', () => {
  describePlans('18', { 'a request': useService }, { conditions: ['missing', 'stale'] })
})

const USES = {
  'what executions go through': useExecutions,
  'what durable executions go through': useRuns,
  'a list or a search': useLists,
  'a duty of the service': useDuties,
}

/** Statements that are still estimated above the cost at which a server compiles: once per page of statistics, and once per chain that a person opens. */
const STILL_COMPILED: ReadonlySet<string> = new Set(['ended_late()', 'findChain'])

describe.skipIf(isPostgresSkipped('stock'))('a stock server', () => {
  let fixture: PlanFixture
  beforeAll(async () => {
    fixture = await PlanFixture.create('stock', 'fresh', [])
  })
  afterAll(() => fixture?.drop())

  describe.each(['an engine', 'a tenant'])('for %s', (asker) => {
    it.each(Object.entries(USES))('compiles nothing of %s', async (_name, use) => {
      const compiled = (await fixture.plans(asker, use)).filter(
        ({ name, compiled }) => compiled > 0 && !STILL_COMPILED.has(name),
      )
      expect(compiled.map(({ name, cost }) => ({ name, cost }))).toEqual([])
    })
  })
})
