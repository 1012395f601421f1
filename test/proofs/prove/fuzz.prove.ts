import { expect, it } from 'vitest'
import { nameOf } from '../fuzz/check.ts'
import { CHECKS } from '../fuzz/checks.ts'
import { recordOf } from '../fuzz/fuzz-record.ts'
import { watchForHangs } from '../fuzz/hang-watch.ts'
import { type Outcome, runCheck } from '../fuzz/run-check.ts'
import { keepRecord } from '../record/record.ts'

const MINUTES = Number(process.env['PONTUAL_PROVE_MINUTES'] ?? 20)
const SEED = Number(process.env['PONTUAL_PROVE_SEED'] ?? Date.now() % 2 ** 31)

it('nothing that comes from outside breaks what reads it', async () => {
  const begunAt = performance.now()
  const shares = CHECKS.reduce((sum, { share = 1 }) => sum + share, 0)
  const watch = watchForHangs()
  const outcomes: Outcome[] = []
  for (const check of CHECKS) {
    const milliseconds = (MINUTES * 60_000 * (check.share ?? 1)) / shares
    const outcome = await runCheck(check, { seed: SEED, milliseconds, watch })
    outcomes.push(outcome)
    console.log(`${nameOf(check)}: ${outcome.inputs.toLocaleString('en')} inputs, seed ${SEED}`)
  }
  await watch.close()
  keepRecord(recordOf(outcomes, 'npm run prove -- fuzz', (performance.now() - begunAt) / 1000))
  expect(outcomes.flatMap(({ violation }) => violation ?? [])).toEqual([])
})
