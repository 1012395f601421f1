import { expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { Gate } from './gate.ts'
import { Processes } from './processes.ts'

const CAP = 10
const FLOOD = 1_000

/** One node on which tenant A runs endless executions up to its cap and has a thousand waiting. */
async function startLate(slots: number | undefined): Promise<{ startedAfterMs: number; running: number }> {
  await using processes = new Processes()
  const end = new Gate()
  const started: number[] = []
  const endless = job('endless', { run: () => end.opened })
  const quick = job('quick', { run: () => started.push(processes.now()) })
  const node = await processes.node({
    jobs: [endless, quick],
    tenantConcurrency: CAP,
    node: slots === undefined ? {} : { slots },
  })
  await node.app.setTenant('b', { concurrency: CAP })
  for (let each = 0; each < FLOOD; each += 1) await node.app.enqueue(endless, undefined, { tenant: 'a' })
  await processes.settle()
  const { RUNNING: running } = await node.app.counts()
  const askedAt = processes.now()
  await node.app.enqueue(quick, undefined, { tenant: 'b' })
  await processes.settle()
  const startedAfterMs = (started[0] ?? Number.POSITIVE_INFINITY) - askedAt
  end.open()
  await processes.settle()
  return { startedAfterMs, running }
}

it.each([
  ['as many slots as the cap', 10, 9],
  ['the default slots', undefined, 9],
  ['four times the cap', 40, 10],
])('with %s another tenant starts at once', async (_name, slots, running) => {
  expect(await startLate(slots)).toEqual({ startedAfterMs: 0, running })
})

it('a node of a single tenant uses all of its slots', async () => {
  await using processes = new Processes()
  const end = new Gate()
  const endless = job('endless', { run: () => end.opened })
  const node = await processes.node({ jobs: [endless], node: { slots: 10 } })
  for (let each = 0; each < 20; each += 1) await node.app.enqueue(endless)
  await processes.settle()
  expect((await node.app.counts()).RUNNING).toBe(10)
  end.open()
})
