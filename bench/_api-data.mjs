import { cron, job, pontual } from '../dist/index.js'
import { postgres } from '../dist/postgres.js'

/** The tenant that asks; the others are there to be filtered out. */
export const TENANT = 'acme'
export const JOB_TYPE = 'import'
/** For this machine, and for as long as the benchmark runs. */
export const SECRET = 'a secret of the benchmark, which guards nothing at all'

const CALLERS = 32

/** An application that knows the job type of the jobs; `app.start()` would run them. */
export function openApp(url) {
  return pontual({ store: postgres(url), jobs: [job(JOB_TYPE, { run: async () => {} })], node: { slots: 500 } })
}

/** The tables of Pontual with so many `jobs` of the tenant and `executions` of each that have ended, and `others` more tenants with as many jobs. */
export async function fillTables(url, { jobs, executions, others }) {
  const app = openApp(url)
  const tenants = [TENANT, ...Array.from({ length: others }, (_, n) => `other-${n}`)]
  const wanted = tenants.flatMap((tenant) => Array.from({ length: jobs }, (_, n) => ({ tenant, name: `job-${n}` })))
  await inParallel(wanted, ({ tenant, name }) =>
    app.schedule(JOB_TYPE, {
      tenant,
      name,
      trigger: cron('0 3 * * *', { timeZone: 'America/Sao_Paulo' }),
      input: { source: `s3://invoices/${name}`, isFull: true },
    }),
  )
  await app.start()
  const runs = wanted
    .filter(({ tenant }) => tenant === TENANT)
    .flatMap((each) => Array.from({ length: executions }, () => each))
  await inParallel(runs, ({ tenant, name }) => app.runNow({ tenant, name }))
  await untilEnded(app, runs.length)
  // From now on every entry of the audit log is written, whoever writes it.
  await (await app.opened()).store.audit.enable()
  await app.stop()
}

async function untilEnded(app, total) {
  const { store } = await app.opened()
  const count = async () => {
    const { succeeded } = await store.executions.statistics({ tenant: TENANT, since: 0, limit: total })
    return succeeded
  }
  while ((await count()) < total) await new Promise((resolve) => setTimeout(resolve, 100))
}

async function inParallel(items, perform) {
  let next = 0
  const caller = async () => {
    while (next < items.length) await perform(items[next++])
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}
