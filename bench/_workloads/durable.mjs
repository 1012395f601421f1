import { setTimeout as sleep } from 'node:timers/promises'
import { startStatementCounter } from '../_statements.mjs'

/**
 * Runs of some activities that do nothing, one after the other in a run and `atOnce` runs at a time: from the start of the workers until the end of the last
 * run is committed. Each activity is performed once and is on record.
 */
export async function durable(stage) {
  const { queue, task, settle, quietMeter } = stage
  const { runs, warmUpRuns, activities } = task
  await queue.put?.(warmUpRuns)
  await perform(stage, warmUpRuns)
  await queue.put?.(runs)
  await settle()
  const countStatements = await startStatementCounter(stage)
  const finish = await quietMeter()
  await perform(stage, runs)
  const cost = await finish()
  const figures = { jobs: runs, activities: runs * activities, ...cost, ...(await countStatements()) }
  await checkRecorded(stage)
  return figures
}

async function perform({ queue, ask, task: { atOnce, activities } }, runs) {
  const total = runs * activities
  let performed = 0
  const { promise, resolve } = Promise.withResolvers()
  const count = () => {
    if (++performed === total) resolve()
  }
  await queue.start({ runs, atOnce, activities, perform: count })
  await promise
  while (await ask(queue.isLeft)) await sleep(1)
  await queue.stop()
  if (performed !== total) throw new Error(`${performed} activities were performed of ${total}.`)
}

async function checkRecorded({ queue, ask, task: { runs, warmUpRuns, activities } }) {
  const recorded = await ask(queue.recorded)
  const expected = (runs + warmUpRuns) * activities
  if (recorded !== expected) throw new Error(`${recorded} activities are on record of ${expected}.`)
}
