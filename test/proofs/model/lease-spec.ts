import { leaseInvariants } from './lease-invariants.ts'
import { RULES, type Rules } from './lease-rules.ts'
import { describeState, keyOf, type State } from './lease-state.ts'
import { stepsOf } from './lease-steps.ts'
import { initialState, type LeaseStep, type Size } from './lease-world.ts'
import type { Spec } from './spec.ts'

/** Claim, renewal, recovery, end, retry, cancel and limit, as statements of a database under READ COMMITTED. */
export function leaseSpec(size: Size, rules: Rules = RULES): Spec<State, LeaseStep> {
  return {
    initial: initialState(size),
    steps: (state) => stepsOf(state, rules, size),
    key: keyOf,
    describe: describeState,
    invariants: leaseInvariants(size),
    goal: {
      name: 'everything ends',
      isReached: ({ rows }) => rows.every((each) => each.some(({ place }) => place === 'results')),
    },
  }
}
