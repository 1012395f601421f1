// The API and the dashboard of Pontual inside an Express server that has pages and users of its own. Everything is kept in memory, and gone when it ends.

import express from 'express'
import { cron, job, memory, pontual } from 'pontual'
import { createApi, expressHandler } from 'pontual/server'

const sendReminders = job('send-reminders', {
  schedule: { trigger: cron('0 9 * * 1-5', { timeZone: 'America/Sao_Paulo' }) },
  run: async (_input, { logger, progress }) => {
    for (const [index, customer] of ['Alfa', 'Beta', 'Gama'].entries()) {
      logger.info('Reminded', { customer })
      progress((index + 1) / 3)
    }
    return { reminded: 3 }
  },
})

const deleteAccount = job('delete-account', {
  sensitive: true, // runs only what somebody else has approved
  run: async ({ account }, { logger }) => {
    logger.info('Deleted', { account })
    return { deleted: account }
  },
})

// Stands for a sign-in of your own: a cookie that you have set, a header of your gateway, a table of users.
const USERS = new Map([
  ['ana:a', { tenant: 'default', userId: 'ana', profile: 'Admin' }],
  ['bia:b', { tenant: 'default', userId: 'bia', profile: 'Admin' }],
  ['max:m', { tenant: 'default', userId: 'max', profile: 'Manager' }],
])

function authenticate(request) {
  const [scheme, text = ''] = (request.headers.get('authorization') ?? '').split(' ')
  return scheme === 'Basic' ? (USERS.get(Buffer.from(text, 'base64').toString()) ?? null) : null
}

const app = pontual({
  application: 'shop',
  store: memory(),
  jobs: [sendReminders, deleteAccount],
  defaultTimeout: '30m',
  node: { slots: 40 }, // at least four times as many as one tenant may use (10 by default)
})
// Before the start: what happens from here on is in the audit log.
const api = await createApi(app, { identity: { authenticate }, prefix: '/ops' })
await app.start()

const server = express()
// Before express.json(): the API reads bodies itself, and more strictly.
server.use('/ops', expressHandler(api))
server.use(express.json())
server.get('/', (_request, response) => response.type('text').send('The shop is open.\n'))

const listening = server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', (error) => {
  if (error) {
    console.error(`${error.message}. Where the port is taken, choose another: PORT=8080 npm start`)
    process.exit(1)
  }
  const url = `http://127.0.0.1:${listening.address().port}`
  console.log(`The shop is at ${url}, its jobs are at ${url}/ops/api/jobs.

  API=${url}/ops/api/jobs
  JSON='content-type: application/json'
  curl -u max:m $API                                         # Manager max sees the jobs,
  curl -u max:m $API/enqueue -H "$JSON" -d '{"jobName":"send-reminders"}'    # but may not run one
  curl -u ana:a $API/enqueue -H "$JSON" -d '{"jobName":"send-reminders"}'    # Admin ana may
  curl -u ana:a $API -H "$JSON" -d '{"name":"delete 4711","jobType":"delete-account","trigger":{"type":"once","at":"2030-01-01T00:00:00Z"},"payload":{"account":4711}}'
  ID=…                                                       # the id that this has answered
  curl -u ana:a -X POST $API/$ID/approve                     # she may not approve her own,
  curl -u bia:b -X POST $API/$ID/approve                     # but bia may
  curl -u ana:a -X POST $API/$ID/executar                    # now it runs
  curl -u ana:a $API/$ID/historico
`)
})

// Requests and running work may finish.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    api.close()
    listening.close(() => {
      app.stop().then(
        () => process.exit(0),
        (error) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  })
}
