import type { App } from '../engine/app/app.ts'
import type { Service } from '../engine/node/loop.ts'
import { alertDuties } from './alerts/alert-duties.ts'
import { flagDuties } from './flags/follow-flags.ts'
import { metricsOffer } from './metrics/open-telemetry.ts'
import { notifier } from './notifications/notifier.ts'
import type { Operations } from './operations.ts'
import type { ServiceRules } from './options.ts'

/** What a duty is done with. */
export interface DutySurroundings {
  readonly opened: App
  readonly rules: ServiceRules
  readonly operations: Operations
}

/** What a service does by itself beside answering: in every process that has one, so that whoever is alive does it. */
export function dutiesOf({ opened, rules, operations }: DutySurroundings): readonly Service[] {
  return [
    ...flagDuties(opened.deps, rules.flags),
    ...alertDuties(opened, rules.deadMansPing),
    notifier(opened, rules),
    metricsOffer(opened.deps.env, operations),
  ]
}
