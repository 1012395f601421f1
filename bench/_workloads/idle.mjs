import { setTimeout as sleep } from 'node:timers/promises'
import { startStatementCounter } from '../_statements.mjs'

/** What a node that has nothing to do says to the server: statements a second, its `begin` and `commit` among them. */
export async function idle({ queue, task: { settlingMs, seconds }, observer, meter }) {
  await queue.start(() => {})
  await sleep(settlingMs)
  const count = await startStatementCounter({ observer })
  const finish = await meter()
  await sleep(seconds * 1000)
  const cost = await finish()
  const { calls } = await count()
  return { jobs: 0, ...cost, statements: calls / seconds }
}
