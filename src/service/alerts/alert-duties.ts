import type { App } from '../../engine/app/app.ts'
import type { Service } from '../../engine/node/loop.ts'
import { DeadMansPing } from './dead-mans-ping.ts'
import type { PingRules } from './ping-options.ts'
import { AlertWatch } from './watch-alerts.ts'

/** What is done by itself so that trouble is noticed: inside, and by its silence outside. */
export function alertDuties(opened: App, ping: PingRules | null): readonly Service[] {
  return [new AlertWatch(opened), ...(ping === null ? [] : [new DeadMansPing(opened, ping)])]
}
