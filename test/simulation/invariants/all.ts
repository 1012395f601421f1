import { Audited } from './audit.ts'
import { Durable } from './durable.ts'
import { Ending } from './ending.ts'
import { Firing } from './firing.ts'
import { Holding } from './holding.ts'
import type { Invariant } from './invariant.ts'
import { Limits } from './limits.ts'

/** All that looks on; each world has its own. */
export const ALL_INVARIANTS: readonly (() => Invariant)[] = [
  () => new Holding(),
  () => new Ending(),
  () => new Limits(),
  () => new Firing(),
  () => new Durable(),
  () => new Audited(),
]
