import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approvedJob, rejectedJob } from '../../../src/engine/lifecycle/approval.ts'
import { editedJob } from '../../../src/engine/lifecycle/redefine-job.ts'
import { JobConflictError } from '../../../src/job/job-status.ts'
import { postgres } from '../../../src/postgres.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { testPontual } from '../../../src/testing.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { ANA, BEN, type Decide, DORA, Stage, work } from './stage.ts'

const YES = { comment: null, allowsSelfApproval: false }

type Contest = readonly [string, (stage: Stage) => Promise<readonly [Decide, Decide]>]

const approving =
  (stage: Stage, by = BEN): Decide =>
  (job) =>
    approvedJob(stage.around, job, YES, by)

/** Two who decide about the same job at the same time; neither knows of the other. */
const CONTESTS: readonly Contest[] = [
  ['two approvals', async (stage) => [approving(stage), approving(stage, DORA)]],
  ['a yes and a no', async (stage) => [approving(stage), (job) => rejectedJob(job, { reason: 'no' }, DORA)]],
  [
    'a yes and an edit',
    async (stage) => {
      const definition = await stage.define({ input: 'other' })
      return [approving(stage), (job) => editedJob(stage.around, job, { definition }, ANA)]
    },
  ],
]

/** Decides only about what both have seen, whoever is quicker. */
function asSeen(version: number, decide: Decide): Decide {
  return (job) => {
    if (job.version !== version) throw new JobConflictError('job.changed_meanwhile', 'Somebody else was quicker.')
    return decide(job)
  }
}

describe('of two who decide about a job at the same time', () => {
  async function oneWins(source: StoreSource, contest: Contest[1], rounds: number): Promise<void> {
    await using it = await testPontual({ store: source, jobs: [work] })
    const stage = await Stage.of(it.app)
    for (let round = 0; round < rounds; round++) {
      const made = await stage.create({ name: `closing-${round}`, isSensitive: true })
      const contestants = (await contest(stage)).map((decide) => stage.change(made, asSeen(made.version, decide)))
      const done = await Promise.allSettled(contestants)
      const lost = done.filter((each) => each.status === 'rejected')
      expect(lost).toHaveLength(1)
      expect(lost[0]?.reason).toBeInstanceOf(JobConflictError)
      const [stored] = await stage.around.store.jobs.find([made.id])
      expect(stored?.version).toBe(2)
      expect(stored?.details.approval === null).toBe(stored?.status !== 'APPROVED')
      await stage.around.store.jobs.remove([made.id])
    }
  }

  describe.each(CONTESTS)('%s', (_what, contest) => {
    it('one wins in memory', () => oneWins(memory(), contest, 100))
  })

  describe.skipIf(isPostgresSkipped())('on PostgreSQL', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase()
    })
    afterAll(() => database?.drop())

    it.each(CONTESTS)('%s: one wins', (_what, contest) => oneWins(postgres(database.url), contest, 40))
  })
})
