import { firesNow } from '../../../../src/job/job-status.ts'
import { cron } from '../../../../src/time/triggers/cron.ts'
import type { Task } from '../user-code.ts'
import { type Act, type Asking, TENANT, wish } from './asking.ts'

export async function putSchedule(
  asking: Asking,
  index: number,
  change: { readonly everySeconds?: number } = {},
): Promise<void> {
  const { app, configuration } = asking
  const found = configuration.schedules[index]
  if (!found) return
  const { policy, overlap, timeZone, runMs, failures, hours, everySeconds } = { ...found, ...change }
  const input: Task = { runMs, failures, killsAt: 0, isDeaf: false }
  const options = {
    name: `tick ${index}`,
    tenant: TENANT,
    trigger: cron(`*/${everySeconds} * ${hours} * * *`, { timeZone }),
    misfire: { policy, threshold: '3s', catchUp: { limit: 5 } },
    overlap,
    retry: { retries: 1, initial: '1s' },
    onFaulted: index % 2 === 0 ? 'continue' : 'stop',
    input,
  } as const
  await wish(asking, options.name, () => app.schedule('tick', options))
}

/** Somebody pauses, resumes, edits or runs a job. Whether a pause took hold nobody asks again: it is no promise. */
export const disturbSchedule: Act = async (asking) => {
  const { app, chance, configuration } = asking
  const index = chance.between(0, configuration.schedules.length - 1)
  const name = { name: `tick ${index}`, tenant: TENANT }
  const acts = [
    () => app.pause(name, 'for a while'),
    () => app.resume(name),
    () => app.resume(name),
    () => putSchedule(asking, index, { everySeconds: chance.pick([2, 3, 7]) }),
    () => app.runNow(name),
  ]
  await chance.pick(acts)()
}

/** Lets nothing fire any more. */
export const pauseAll: Act = async ({ app }) => {
  for (const job of await app.jobs({ tenant: TENANT })) {
    if (firesNow(job)) await app.pause({ name: job.name, tenant: TENANT })
  }
}

export const changeLimit: Act = async ({ app, chance, persist }) => {
  const concurrency = chance.between(1, 10)
  await persist(() => app.setTenant(TENANT, { concurrency }))
}
