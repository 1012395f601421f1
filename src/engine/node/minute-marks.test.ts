import { describe, expect, it } from 'vitest'
import { Processes } from '../../../test/suites/scenarios/processes.ts'
import { job } from '../../job/type/job-type.ts'

const work = job('work', { run: () => 'done' })
const MINUTE = 60_000

describe('minutes', () => {
  /** Minute by minute, since a clock that is moved by hand may call what repeats once for a long stretch. */
  async function passMinutes(all: Processes, count: number): Promise<void> {
    for (let half = 0; half < 2 * count; half += 1) await all.pass('30s')
  }

  it('are noted while a node lives, however many there are, and not while none does', async () => {
    await using all = new Processes()
    const onlooker = all.process({ jobs: [work] })
    const { store, deps } = await onlooker.app.opened()
    const count = async () => (await store.minutes.count(begunAt)).marked
    const begunAt = Math.ceil(deps.time.now() / MINUTE) * MINUTE
    await passMinutes(all, 3)
    expect(await count()).toBe(0)
    const nodes = [await all.node({ jobs: [work] }), await all.node({ jobs: [work] })]
    await passMinutes(all, 5)
    const lived = await count()
    expect([5, 6]).toContain(lived)
    for (const { app } of nodes) await app.stop()
    await passMinutes(all, 5)
    expect((await count()) - lived).toBeLessThanOrEqual(1)
  })

  it('are not noted while the store is away, and are again once it is back', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [work] })
    const { store, deps } = await all.process({ jobs: [work] }).app.opened()
    await passMinutes(all, 1)
    node.link.isAway = true
    const awayAt = (Math.floor(deps.time.now() / MINUTE) + 1) * MINUTE
    await passMinutes(all, 4)
    expect((await store.minutes.count(awayAt)).marked).toBe(0)
    node.link.isAway = false
    await passMinutes(all, 4)
    expect((await store.minutes.count(awayAt)).marked).toBeGreaterThanOrEqual(3)
  })
})
