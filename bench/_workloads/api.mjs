import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { TENANT } from '../_api-data.mjs'
import { quantile } from '../_measure.mjs'
import { startStatementCounter } from '../_statements.mjs'

const CLIENT = fileURLToPath(new URL('../_api-client.mjs', import.meta.url))

/** Requests of one kind from clients in another process, each of which waits for its answer before it asks again. */
export async function api(stage) {
  const { queue, task, observer, quietMeter } = stage
  const { verb, count, warmUp, connections } = task
  const { rows } = await observer.query('select id from pontual.jobs where tenant = $1 order by id limit 1000', [
    TENANT,
  ])
  const port = await queue.serve()
  const client = await launchClient({ port, connections, ids: rows.map(({ id }) => id) })
  await client.ask({ verb, count: warmUp })
  const counter = await startStatementCounter(stage)
  const finish = await quietMeter()
  const times = await client.ask({ verb, count })
  const cost = await finish()
  return { jobs: count, ...cost, ...(await counter()), p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

async function launchClient(assignment) {
  const child = fork(CLIENT, [JSON.stringify(assignment)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`The clients ended with ${code}.`)
  })
  await once(child, 'message')
  return {
    async ask(what) {
      child.send(what)
      const [{ answer }] = await once(child, 'message')
      return answer
    },
  }
}
