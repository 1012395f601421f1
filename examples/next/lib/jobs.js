import { cron, job, memory, pontual } from 'pontual'
import { createApi } from 'pontual/server'
import { SECRET } from './secret.mjs'

export const closeDay = job('close-day', {
  schedule: { trigger: cron('0 20 * * 1-5', { timeZone: 'America/Sao_Paulo' }) },
  run: async (_input, { logger }) => {
    logger.info('Closing the day')
    return { closed: true }
  },
})

/** Made when it is first asked for, since `next build` loads modules too, and kept beside them, since they are loaded more than once. */
export function jobs() {
  globalThis.jobs ??= open()
  return globalThis.jobs
}

function open() {
  // A store that outlives the process: pglite('./.data') of pontual/pglite, or postgres(process.env.DATABASE_URL) of pontual/postgres.
  // Slots: at least four times as many as one tenant may use (10 by default).
  const app = pontual({ application: 'shop', store: memory(), jobs: [closeDay], node: { slots: 40 } })
  return { app, api: createApi(app, { identity: { jwt: { secret: SECRET } } }) }
}
