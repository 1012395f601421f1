import { setTimeout as sleep } from 'node:timers/promises'
import { launchSatellite } from '../_satellite.mjs'
import { inputs } from '../_stage.mjs'

/** A drain by several processes: from the word to all of them until no job is left. Jobs do nothing for `jobMs`. */
export async function nodes(stage) {
  const { queue, task, ask, settle, quietMeter } = stage
  const { count, warmUp, processes, jobMs } = task
  const satellites = await Promise.all(Array.from({ length: processes }, () => launchSatellite(stage)))
  const all = (deed, options) => Promise.all(satellites.map((each) => each.ask(deed, options)))
  const account = async () => {
    const accounts = await all('account')
    return (key) => accounts.reduce((sum, each) => sum + each[key], 0)
  }
  const drainAll = async () => {
    await all('work', { jobMs })
    while (await ask(queue.isLeft)) await sleep(5)
  }

  await queue.enqueueMany(inputs(warmUp))
  await drainAll()
  await all('rest')
  await queue.enqueueMany(inputs(count))
  await settle()
  const before = await account()
  const finish = await quietMeter()
  await drainAll()
  const cost = await finish()
  const after = await account()
  if (after('handled') !== warmUp + count) throw new Error(`${after('handled')} runs of ${warmUp + count} jobs.`)
  return { jobs: count, ...cost, nodeCpuMs: after('cpuMs') - before('cpuMs'), peakMb: after('peakMb') }
}
