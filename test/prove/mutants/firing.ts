import { IN_MEMORY, type Mutant, ON_POSTGRES } from './mutant.ts'

const RESOLVE = 'src/time/misfire/resolve.ts'
const RESOLVE_TEST = 'src/time/misfire/resolve.test.ts'
const CLUSTER = 'test/scenarios/schedule-cluster.test.ts'
const COMPLETENESS = 'test/scenarios/misfire-completeness.test.ts'

/** Bugs in when something fires, and in what is written down about it. */
export const FIRING: readonly Mutant[] = [
  {
    invariant: 'I1',
    name: 'an occurrence is fired without a look whether it exists',
    file: 'src/store/memory/firing/fire.ts',
    find: 'if (scheduledAt === null || tables.occurrences.has(keyOf(jobId, scheduledAt))) return',
    replace: 'if (scheduledAt === null) return',
    caughtBy: [
      [IN_MEMORY, 'an occurrence that exists is left as it is and brings no second execution'],
      [CLUSTER, 'jumps back and an edit meanwhile does not reopen an instant that fired'],
    ],
  },
  {
    invariant: 'I1',
    name: 'SQL: an occurrence that exists is given to a second execution',
    file: 'src/store/postgres/firing/fire.ts',
    find: 'on conflict (job_id, scheduled_at) do nothing',
    replace: 'on conflict (job_id, scheduled_at) do update set execution_id = excluded.execution_id',
    caughtBy: [[ON_POSTGRES, 'an occurrence that exists is left as it is and brings no second execution']],
  },
  {
    invariant: 'I1',
    name: 'a job is fired also where another node has fired it meanwhile',
    file: 'src/store/memory/firing/fire.ts',
    find: 'if (job?.version !== version || job.schedule.nextFireAt !== nextFireAt) return false',
    replace: 'if (job?.version !== version) return false',
    caughtBy: [[IN_MEMORY, 'of two schedulers with the same view, one fires']],
  },
  {
    invariant: 'I1',
    name: 'SQL: a job is fired also where another node has fired it meanwhile',
    file: 'src/store/postgres/firing/fire.ts',
    find: '      and jobs.next_fire_at = pontual.from_ms(input.seen_fire_at)\n',
    replace: '',
    caughtBy: [[ON_POSTGRES, 'of two schedulers with the same view, one fires']],
  },
  {
    invariant: 'I2',
    name: 'what was missed is lost when a job fires',
    file: 'src/store/memory/firing/fire.ts',
    find: '  recordMissed(tables, jobId, ledger, now)\n',
    replace: '',
    caughtBy: [
      [IN_MEMORY, 'may fire nothing, and move on'],
      [COMPLETENESS, 'each occurrence up to now is fired or in exactly one row of the ledger'],
    ],
  },
  {
    invariant: 'I2',
    name: 'what a paused job missed is lost when it is resumed',
    file: 'src/engine/firing/missed-occurrences.ts',
    find: 'return { ...change, job, expectedNextFireAt: before.schedule.nextFireAt, ledger }',
    replace: 'return { ...change, job, expectedNextFireAt: before.schedule.nextFireAt, ledger: [] }',
    caughtBy: [[COMPLETENESS, 'each occurrence up to now is fired or in exactly one row of the ledger']],
  },
  {
    invariant: 'I2',
    name: 'what a catch-up drops is not recorded',
    file: RESOLVE,
    find: '...(newestDropped === null\n',
    replace: '...(newestDropped !== undefined\n',
    caughtBy: [
      [RESOLVE_TEST, 'a thousand run by default, and the drop is recorded'],
      ['test/oracle/misfire-properties.test.ts', 'accounts for every occurrence exactly once'],
    ],
  },
  {
    invariant: 'I3',
    name: 'what is late by exactly the threshold is a misfire',
    file: RESOLVE,
    find: 'now - missed.oldest > rules.thresholdMs',
    replace: 'now - missed.oldest >= rules.thresholdMs',
    caughtBy: [
      [RESOLVE_TEST, 'back at 10:02:00 with a threshold of 1m fires'],
      ['test/scenarios/misfire-outage.test.ts', 'back at 10:02:00 with {} and a scheduler of undefined'],
    ],
  },
  {
    invariant: 'I3',
    name: 'fireAll has no cap',
    file: RESOLVE,
    find: 'missed.newestFew(limit)',
    replace: 'missed.newestFew(missed.count)',
    caughtBy: [[RESOLVE_TEST, 'catch-up is bounded to the newest n']],
  },
  {
    invariant: 'I3',
    name: 'fireAll runs the newest first',
    file: RESOLVE,
    find: "order === 'oldestFirst' ? kept : kept.toReversed()",
    replace: "order === 'oldestFirst' ? kept.toReversed() : kept",
    caughtBy: [
      [RESOLVE_TEST, 'back at 10:10:30 fireAll fires'],
      ['test/scenarios/misfire-outage.test.ts', 'runs the newest thousand, the oldest of them first'],
    ],
  },
  {
    invariant: 'I3',
    name: 'fireOnce runs the oldest',
    file: RESOLVE,
    find: 'return fireOne(misfire, misfire.missed.newest)',
    replace: 'return fireOne(misfire, misfire.missed.oldest)',
    caughtBy: [[RESOLVE_TEST, 'back at 10:10:30 fireOnce fires']],
  },
  {
    invariant: 'I4',
    name: 'next() of a cron may answer its own argument',
    file: 'src/time/cron/zoned-times.ts',
    find: 'isInclusive && second === after ? second : second + 1000',
    replace: 'second === after ? second : second + 1000',
    caughtBy: [['src/time/triggers/cron.test.ts', 'leave out the instant asked about: exactly at a fire time']],
  },
  {
    invariant: 'I4',
    name: 'what falls into a gap is lost although it is to be shifted',
    file: 'src/time/cron/zoned-times.ts',
    find: "this.#shiftsGap = gap === 'shift'",
    replace: 'this.#shiftsGap = false',
    caughtBy: [['test/oracle/cron.test.ts', 'fires the same in America/Sao_Paulo around 2018-11-04']],
  },
  {
    invariant: 'I4',
    name: 'a repeated hour fires in its first pass whatever is asked for',
    file: 'src/time/cron/zoned-times.ts',
    find: "this.#firesFirst = overlap !== 'last'",
    replace: 'this.#firesFirst = true',
    caughtBy: [['test/oracle/cron.test.ts', 'fires the same in America/Sao_Paulo around 2018-02-18']],
  },
  {
    invariant: 'I23',
    name: 'what is due is decided by the clock of the node',
    file: 'src/engine/firing/scheduler.ts',
    find: 'resolveJob(job, calendar, now, cause)',
    replace: 'resolveJob(job, calendar, env.now(), cause)',
    caughtBy: [
      [CLUSTER, 'fire each occurrence once, at the time of the store'],
      [CLUSTER, 'date misfires by the clock of the store'],
    ],
  },
  {
    invariant: 'I23',
    name: 'the time is that of the node',
    file: 'src/engine/node/store-time.ts',
    find: 'return Math.round((this.#ahead.least + this.#ahead.most) / 2 + this.#env.monotonic())',
    replace: 'return this.#env.now()',
    caughtBy: [[CLUSTER, 'ms takes what is past and future from the store']],
  },
]
