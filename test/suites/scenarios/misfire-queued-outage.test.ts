import { describeQueuedOutage } from './queued-outage.ts'
import { scenarioStore } from './scenario-store.ts'

describeQueuedOutage(scenarioStore)
