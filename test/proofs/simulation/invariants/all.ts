import { Audited } from './audit.ts'
import { Chained } from './chained.ts'
import { Durable } from './durable.ts'
import { Ending } from './ending.ts'
import { Firing } from './firing.ts'
import { Holding } from './holding.ts'
import type { Invariant } from './invariant.ts'
import { Limits } from './limits.ts'
import { Notices } from './notices.ts'
import { Rates } from './rates.ts'
import { Versions } from './versions.ts'

/** All that looks on; each world has its own. */
export const ALL_INVARIANTS: readonly (() => Invariant)[] = [
  () => new Holding(),
  () => new Ending(),
  () => new Limits(),
  () => new Firing(),
  () => new Durable(),
  () => new Versions(),
  () => new Chained(),
  () => new Rates(),
  () => new Notices(),
  () => new Audited(),
]
