import { AUDIT } from './audit.ts'
import { DURABLE } from './durable.ts'
import { ENDING } from './ending.ts'
import { FIRING } from './firing.ts'
import { HOLDING } from './holding.ts'
import { RUNNING } from './running.ts'
import type { Tampering } from './tampering.ts'

/** Histories that a checker must not let pass. */
export const TAMPERINGS: readonly Tampering[] = [...FIRING, ...HOLDING, ...ENDING, ...DURABLE, ...RUNNING, ...AUDIT]
