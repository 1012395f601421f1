import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { describeAlerts } from './alerts.ts'
import { Bench, type OpenSource } from './bench.ts'
import { describeCache } from './cache.ts'
import { describeCalendars } from './calendars.ts'
import { describeCancelling } from './cancelling.ts'
import { describeChains } from './chains.ts'
import { describeChildren } from './children.ts'
import { describeClaims } from './claims.ts'
import { describeContents } from './contents.ts'
import { describeCredentials } from './credentials.ts'
import { describeDataKeys } from './data-keys.ts'
import { describeEndings } from './endings.ts'
import { describeExecutions } from './executions.ts'
import { describeFlags } from './flags.ts'
import { describeHints } from './hints.ts'
import { describeHistories } from './histories.ts'
import { describeHostileText } from './hostile-text.ts'
import { describeJobDetails } from './job-details.ts'
import { describeJobs } from './jobs.ts'
import { describeLimits } from './limits.ts'
import { describeLogs } from './logs.ts'
import { describeMeasures } from './measures.ts'
import { describeNodes } from './nodes.ts'
import { describeNotifications } from './notifications.ts'
import { describeOccurrences } from './occurrences.ts'
import { describeParking } from './parking.ts'
import { describePulse } from './pulse.ts'
import { describeRates } from './rates.ts'
import { describeRecovery } from './recovery.ts'
import { describeRequests } from './requests.ts'
import { describeRestarts } from './restarts.ts'
import { describeSearch } from './search.ts'
import { describeExecutionSearch } from './search-executions.ts'
import { describeSeries } from './series.ts'
import { describeSettings } from './settings.ts'
import { describeSignals } from './signals.ts'
import { describeStanding } from './standing.ts'
import { describeStatistics } from './statistics.ts'
import { describeTenancy } from './tenancy.ts'

const NOUNS: readonly [string, (bench: Bench) => void][] = [
  ['jobs', describeJobs],
  ['details of jobs', describeJobDetails],
  ['search', describeSearch],
  ['search for executions', describeExecutionSearch],
  ['calendars', describeCalendars],
  ['occurrences', describeOccurrences],
  ['executions', describeExecutions],
  ['claims', describeClaims],
  ['limits', describeLimits],
  ['endings', describeEndings],
  ['chains', describeChains],
  ['recovery', describeRecovery],
  ['histories', describeHistories],
  ['parking', describeParking],
  ['signals', describeSignals],
  ['children', describeChildren],
  ['restarts', describeRestarts],
  ['cancelling', describeCancelling],
  ['nodes', describeNodes],
  ['logs', describeLogs],
  ['cache', describeCache],
  ['hostile text', describeHostileText],
  ['pulse', describePulse],
  ['rates', describeRates],
  ['standing', describeStanding],
  ['statistics', describeStatistics],
  ['measures', describeMeasures],
  ['series', describeSeries],
  ['settings', describeSettings],
  ['flags', describeFlags],
  ['credentials', describeCredentials],
  ['requests', describeRequests],
  ['notifications', describeNotifications],
  ['alerts', describeAlerts],
  ['data keys', describeDataKeys],
  ['contents', describeContents],
  ['tenancy', describeTenancy],
]

interface SuiteOptions {
  readonly givesHints?: boolean
  /** Default: all. */
  readonly only?: readonly string[] | undefined
}

/** What every store does. One store is opened for all of it; each test finds it empty. */
export function describeStore(name: string, openSource: OpenSource, options: SuiteOptions = {}): void {
  const { givesHints = true, only } = options
  describe(name, () => {
    const bench = new Bench(openSource)
    beforeAll(() => bench.open())
    beforeEach(() => bench.begin())
    afterAll(() => bench.close())
    const nouns = NOUNS.filter(([noun]) => only?.includes(noun) ?? true)
    for (const [noun, describeNoun] of nouns) describe(noun, () => describeNoun(bench))
    if (givesHints && !only) describe('hints', () => describeHints(bench))
  })
}
