import { afterAll, beforeAll, describe } from 'vitest'
import type { StoreSource } from '../../../../src/store/store.ts'
import { describeAlerts, describeUnavailable } from './alerts.ts'
import { describeAudited } from './audited.ts'
import { describeBulk } from './bulk.ts'
import { describeEncrypted } from './encryption.ts'
import { describeEndpoints } from './endpoints.ts'
import { describeEvents } from './events.ts'
import { describeFields, describeRanges } from './fields.ts'
import { describeFlags } from './flags.ts'
import { describeKpis } from './kpis.ts'
import { describeManifest } from './manifest.ts'
import { describeNinetyDays } from './ninety-days.ts'
import { describeNotifications } from './notifications.ts'
import { describeOperations } from './operations.ts'
import { describePages } from './pages.ts'
import { describePermissions } from './permissions.ts'
import { describeRules } from './rules.ts'
import { describeRulesOfPeople } from './rules-of-people.ts'
import { describeRunning } from './running.ts'
import { describeSearch } from './search.ts'
import { describeSentAgain } from './sent-again.ts'
import { Stage } from './stage.ts'
import { describeTexts } from './texts.ts'
import { describeVerbs } from './verbs.ts'

/** `whole`: also what never reaches a store. `brief`: without the tables whose rows ask the same of a store, for one that is slow and has its SQL from another. */
export type Extent = 'whole' | 'usual' | 'brief'

/** What seed 001 asks for, over HTTP. Every test has tenants of its own, so that all of them share one database. */
export function describeRequirement(
  kind: string,
  openStore: () => StoreSource | undefined,
  extent: Extent = 'usual',
): void {
  describe(`RF-112 on ${kind}`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await Stage.open(openStore())
    })
    afterAll(() => stage?.[Symbol.asyncDispose]())

    const at = () => stage
    const hasTables = extent !== 'brief'
    describeRules(at)
    describeOperations(at, hasTables)
    describeRunning(at)
    describeRulesOfPeople(at, hasTables)
    describeAudited(at)
    if (hasTables) describePermissions(at)
    describeEndpoints(at, hasTables)
    describeFields(at)
    if (extent === 'whole') describeRanges(at)
    describeVerbs(at, hasTables)
    describeManifest(at)
    describeKpis(at)
    describeFlags(at)
    describeTexts(at)
    describeAlerts(at)
    describeNotifications(at)
    describePages(at)
    describeSearch(at)
    describeBulk(at)
    describeSentAgain(at)
    describeEvents(at)
    // The last ones: they take all others along.
    describeNinetyDays(at)
    describeUnavailable(at)
  })
}

/** What seed 001 asks for about data at rest, on a store that nobody else uses. */
export function describeRequirementOfRest(kind: string, openStore: () => StoreSource | undefined): void {
  describe(`RF-112 on ${kind}, encrypted`, () => {
    let stage: Stage
    beforeAll(async () => {
      stage = await Stage.open(openStore(), true)
    })
    afterAll(() => stage?.[Symbol.asyncDispose]())

    describeEncrypted(() => stage)
  })
}
