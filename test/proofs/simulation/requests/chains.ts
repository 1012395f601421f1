import { chain } from '../../../../src/job/execution/chain.ts'
import type { Chance } from '../../../harness/chance.ts'
import type { Task } from '../user-code.ts'
import { type Act, TENANT } from './asking.ts'

function step(chance: Chance): { readonly type: string; readonly input: Task } {
  const failures = chance.isIn(0.3) ? 5 : chance.between(0, 1)
  return { type: 'task', input: { runMs: chance.pick([0, 100, 2_000]), failures, killsAt: 0, isDeaf: false } }
}

/** Steps that stand behind each other: some run side by side, some whatever became of those before, some only after a failure. */
export const enqueueChain: Act = async ({ app, chance, persist, promised, nextNumber }) => {
  const first = step(chance)
  let steps = chain(first.type, first.input)
  for (let count = chance.between(1, 3); count > 0; count -= 1) {
    if (chance.isIn(0.3)) steps = steps.onFailure(step(chance))
    const next = Array.from({ length: chance.between(1, 2) }, () => step(chance))
    steps = chance.isIn(0.7) ? steps.next(...next) : steps.always(...next)
  }
  const made = await persist(() => app.enqueueChain(steps, { tenant: TENANT }))
  for (const { id, jobType } of made) promised.enqueued.set(`${TENANT} ${jobType} link ${nextNumber()}`, id)
}
