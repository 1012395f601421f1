// A service for several tenants that mails the administrators of a tenant when one of its jobs has failed for good.

import { fileURLToPath } from 'node:url'
import { job, pontual } from 'pontual'
import { pglite } from 'pontual/pglite'
import { postgres } from 'pontual/postgres'
import { builtInTypes, createApi, serve } from 'pontual/server'
import { SECRET } from './secret.mjs'

const FOLDER = process.env.DATA ?? fileURLToPath(new URL('./.data', import.meta.url))

// What jobs may be of. Each tenant makes jobs of its own from it, over the API or in the dashboard.
const chargeCustomers = job('charge-customers', {
  retry: { retries: 1, initial: '1s' },
  run: async ({ gateway = 'up' } = {}, { tenant, logger }) => {
    logger.info('Charging', { tenant })
    if (gateway === 'down') throw new Error('The payment gateway does not answer')
    return { charged: 3 }
  },
})

const app = pontual({
  application: 'billing',
  store: process.env.DATABASE_URL ? postgres(process.env.DATABASE_URL) : pglite(FOLDER),
  jobs: [chargeCustomers, ...builtInTypes(() => app)],
  defaultTimeout: '30m',
  tenantConcurrency: 5, // of each tenant, over all processes: none of them takes all the room
  node: { slots: 20 }, // at least four times as many as one tenant may use
})

const api = await createApi(app, {
  // Tokens say who somebody is, and of which tenant. Nobody sees what belongs to another one.
  identity: { jwt: { secret: SECRET } },
  service: {
    mail: { url: process.env.SMTP_URL ?? 'smtp://127.0.0.1:2525', from: 'Jobs <jobs@example.com>' },
    publicUrl: process.env.PUBLIC_URL ?? 'http://127.0.0.1:3000',
  },
})
await app.start()
const served = await serve(api, { port: Number(process.env.PORT ?? 3000) })
console.log(`Jobs are at ${served.url}/jobs/; npm run token -- acme ana Admin prints a token to sign in with.`)

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    void served.close().then(() => app.stop()) // requests and running work may finish
  })
}
