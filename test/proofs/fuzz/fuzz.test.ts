import { afterAll, describe, expect, it } from 'vitest'
import { nameOf } from './check.ts'
import { CHECKS } from './checks.ts'
import { watchForHangs } from './hang-watch.ts'
import { runCheck } from './run-check.ts'

/** The same each time, so that a change is judged by what it changes; `npm run fuzz` tries something new whenever it is run. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 412_151_894)
/** For all checks together. */
const MILLISECONDS = Number(process.env['FUZZ_MS'] ?? 4_000)

const shares = CHECKS.reduce((sum, { share = 1 }) => sum + share, 0)

describe('whatever comes from outside', () => {
  const watch = watchForHangs()
  afterAll(() => watch.close())

  it.each(CHECKS.map((check) => [nameOf(check), check] as const))('%s', async (_, check) => {
    const milliseconds = (MILLISECONDS * (check.share ?? 1)) / shares
    const { violation } = await runCheck(check, { seed: SEED, milliseconds, watch })
    expect(violation, `seed ${SEED}`).toBeNull()
  })
})
