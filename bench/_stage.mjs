import pg from 'pg'
import { contestant } from './_contestants.mjs'
import { startMeter } from './_cost.mjs'

/**
 * What a workload works with: the contestant's `queue`, which is set up; its `task`; `ask(question)` for what a contestant says in SQL or by a
 * function; `observer`, a connection to the database of the run, null where the jobs are elsewhere; and the meter of what is spent.
 */
export async function openStage({ name, aim, task, place, serverPid }) {
  const observer = contestant(name).server === 'redis' ? null : new pg.Client(place.url)
  await observer?.connect()
  const queue = await contestant(name).load(aim)
  await queue.setup(place)
  const meter = () => startMeter(observer, serverPid)
  return {
    name,
    aim,
    task,
    place,
    queue,
    observer,
    ask: async (question) => {
      if (typeof question === 'function') return await question()
      const { rows } = await observer.query(question)
      return rows[0].answer
    },
    /** What was written before is where it stays, and counted. */
    settle: () => observer?.query('vacuum analyze'),
    meter,
    /** A meter where neither a checkpoint nor a collection of garbage of what came before falls into the measurement. */
    async quietMeter() {
      await observer?.query('checkpoint')
      globalThis.gc()
      return await meter()
    },
  }
}

export function inputs(total) {
  return Array.from({ length: total }, (_, n) => ({ n }))
}
