import { afterEach } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { describeQueuedOutage } from './queued-outage.ts'

const opened: ReturnType<typeof pglite>[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.dispose()
})

describeQueuedOutage(() => {
  const store = pglite()
  opened.push(store)
  return store
})
