import assert from 'node:assert/strict'
import { job, memory, cron as ownCron, pontual } from 'pontual'
import { pglite } from 'pontual/pglite'
import { postgres } from 'pontual/postgres'
import { createApi } from 'pontual/server'
import { testPontual } from 'pontual/testing'
import { cron } from 'pontual/time'

assert.equal(cron('0 9 * * 1-5', { timeZone: 'America/Sao_Paulo' }).next(0), Date.UTC(1970, 0, 1, 12))
assert.equal(ownCron, cron)
assert.equal(postgres('postgres://127.0.0.1/none').kind, 'postgres')

// A year of schedules in memory, and a day on the embedded database.
let runs = 0
const daily = job('daily', {
  schedule: { trigger: cron('0 2 * * *') },
  run: () => {
    runs += 1
  },
})
for (const [store, time, expected] of [
  [memory(), '1 year', 365],
  [pglite(), '1 day', 1],
]) {
  runs = 0
  const test = await testPontual({ store, jobs: [daily] })
  await test.advance(time)
  await test.stop()
  await store.dispose?.()
  assert.equal(runs, expected)
}

// The API, and the dashboard's files.
const app = pontual({ application: 'packed', store: memory(), jobs: [daily] })
const ada = { tenant: 'default', userId: 'ada', profile: 'Admin' }
const api = await createApi(app, { identity: { authenticate: () => ada } })
await app.start()
const answer = await api.fetch(new Request('http://localhost/api/jobs'))
const { items } = await answer.json()
assert.deepEqual(
  items.map(({ name }) => name),
  ['daily'],
)
const page = await (await api.fetch(new Request('http://localhost/jobs/list'))).text()
assert.match(page, /<base href="\.\/">/)
const [, script] = /<script[^>]* src="([^"]+)"/.exec(page)
const file = await api.fetch(new Request(new URL(script, 'http://localhost/jobs/')))
assert.equal(file.status, 200)
assert.match(file.headers.get('content-type'), /^text\/javascript/)
api.close()
await app.stop()
