import { APPROVALS } from './approval.ts'
import { DURABLE } from './durable.ts'
import { FIRING } from './firing.ts'
import { HOLDING } from './holding.ts'
import { LIMITS } from './limits.ts'
import type { Mutant } from './mutant.ts'
import { REQUESTS } from './requests.ts'
import { SERVICE } from './service.ts'

export const MUTANTS: readonly Mutant[] = [
  ...FIRING,
  ...HOLDING,
  ...REQUESTS,
  ...LIMITS,
  ...DURABLE,
  ...APPROVALS,
  ...SERVICE,
]
