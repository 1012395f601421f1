import type { Logger } from '../../../src/logger.ts'
import { type Pontual, pontualIn } from '../../../src/pontual.ts'
import type { ServiceOptions } from '../../../src/service/options.ts'
import { createService, type Service } from '../../../src/service/service.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { ManualEnv } from '../../../src/testing/manual-env.ts'
import { START_AT, stopByHand } from '../../../src/testing/test-pontual.ts'
import { Tracker } from '../../../src/testing/tracked-store.ts'

export interface Answering extends AsyncDisposable {
  readonly app: Pontual
  readonly service: Service
  advance(ms: number): Promise<void>
  settle(): Promise<void>
}

/** A process that answers and does its duties, and runs no jobs. */
export async function openAnswering(
  store: StoreSource,
  { logger, ...options }: ServiceOptions & { readonly logger?: Logger } = {},
): Promise<Answering> {
  const tracker = new Tracker()
  const env = new ManualEnv({
    startAt: START_AT,
    seed: 1,
    ...tracker.activity,
  })
  const app = pontualIn(
    { store: tracker.watch(store), tenant: 'acme', logger: logger ?? 'silent' },
    { env, now: () => env.now() },
  )
  const service = createService(app, options)
  await service.ready()
  return {
    app,
    service,
    advance: async (ms) => await env.moveTo(env.now() + ms),
    settle: () => env.settle(),
    [Symbol.asyncDispose]: () => stopByHand(app, env),
  }
}
