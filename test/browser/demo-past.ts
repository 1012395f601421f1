import { demoJobs } from '../../src/cli/demo/demo-jobs.ts'
import { setUpDemo } from '../../src/cli/demo/set-up-demo.ts'
import type { Pontual } from '../../src/pontual.ts'
import { pontualIn } from '../../src/pontual.ts'
import { createService } from '../../src/service/service.ts'
import { memory } from '../../src/store/memory/memory.ts'
import type { StoreSource } from '../../src/store/store.ts'
import { ManualEnv } from '../../src/testing/manual-env.ts'
import { LEASE, stopByHand } from '../../src/testing/test-pontual.ts'
import { Tracker } from '../../src/testing/tracked-store.ts'

const STEP_MS = { least: 150, more: 700 }

export interface DemoPast {
  /** Holds all that has happened. */
  readonly store: StoreSource
  /** What it happened to: its clock stands still. */
  readonly app: Pontual
  stop(): Promise<void>
}

/** The demo after so many hours in which it ran, by a clock that was moved: everything has happened, only faster. The same every time for the same `endAt`. */
export async function demoPast({ endAt, hours }: { endAt: number; hours: number }): Promise<DemoPast> {
  const store = memory()
  const tracker = new Tracker()
  // Its handlers wait for nothing but the clock, and are not waited for.
  const env = new ManualEnv({
    startAt: endAt - hours * 3_600_000,
    seed: 8,
    ...tracker.activity,
  })
  const pace = {
    env,
    get stepMs() {
      return STEP_MS.least + env.random() * STEP_MS.more
    },
  }
  const app = pontualIn(
    {
      application: 'demo',
      tenant: 'default',
      defaultTimeout: '30m',
      // As in `pontual dev`.
      onFaulted: 'stop',
      staleThreshold: LEASE,
      logger: 'silent',
      jobs: demoJobs(pace, 'en'),
      store: tracker.watch(store),
    },
    { env, now: () => env.now() },
  )
  const service = createService(app)
  await service.ready()
  await app.start()
  await env.settle()
  await setUpDemo(app, service, { locale: 'en' })
  await env.moveTo(endAt)
  service.close()
  return { store, app, stop: () => stopByHand(app, env) }
}
