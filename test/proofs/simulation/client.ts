import { PontualError } from '../../../src/errors.ts'
import type { Pontual } from '../../../src/pontual.ts'
import type { Service } from '../../../src/service/service.ts'
import { isTransient } from '../../../src/store/unavailable.ts'
import type { Chance } from '../../harness/chance.ts'
import { approveSensitive, createSensitive, editSensitive, runSensitive, subscribe } from './requests/approvals.ts'
import { type Act, type Asking, type Promised, TENANT } from './requests/asking.ts'
import { enqueueChain } from './requests/chains.ts'
import { enqueueOrder, sendSignal, signalAny } from './requests/orders.ts'
import { changeLimit, disturbSchedule, pauseAll, putSchedule } from './requests/schedules.ts'
import { cancelAny, enqueueAgain, enqueueLimited, enqueueTask } from './requests/tasks.ts'
import type { Configuration } from './swarm.ts'
import type { VirtualTime } from './virtual-time.ts'

const RETRY_MS = 500

/** Those who use the application: they ask again where nobody knows whether it was done, as its answers tell them to. */
export class Client {
  readonly promised: Promised = {
    enqueued: new Map(),
    cancelled: new Map(),
    signalled: new Map(),
    wished: new Map(),
    hasReaders: false,
    errors: [],
  }
  readonly #asking: Asking
  readonly #acts: readonly Act[]
  #underWay = 0
  #numbers = 0

  constructor(
    app: Pontual,
    service: Service,
    around: { readonly time: VirtualTime; readonly chance: Chance; readonly configuration: Configuration },
  ) {
    this.#asking = {
      ...around,
      app,
      service,
      promised: this.promised,
      inputs: new Map(),
      persist: (ask) => this.#persist(ask),
      nextNumber: () => {
        this.#numbers += 1
        return this.#numbers
      },
    }
    this.#acts = actsOf(around.configuration)
  }

  get isBusy(): boolean {
    return this.#underWay > 0
  }

  /** Everything that they will ask for, spread over the time of chaos. */
  begin(): void {
    const { chance, configuration, app } = this.#asking
    const { schedules, cap, chaosMs, operations, hasApprovals, hasNotices } = configuration
    const persistently =
      (act: Act): Act =>
      (asking) =>
        this.#persist(() => act(asking))
    if (cap !== null)
      this.#later(
        0,
        persistently(() => app.setTenant(TENANT, { concurrency: cap })),
      )
    for (const [index] of schedules.entries())
      this.#later(
        0,
        persistently((asking) => putSchedule(asking, index)),
      )
    if (hasApprovals) this.#later(100, persistently(createSensitive))
    if (hasNotices) this.#later(50, persistently(subscribe))
    for (let count = 0; count < operations; count += 1) {
      this.#later(chance.between(200, chaosMs), (asking) => chance.pick(this.#acts)(asking))
    }
  }

  /** Lets no schedule fire any more. */
  calm(): void {
    this.#later(0, pauseAll)
  }

  /** Sends the next signal to an order. */
  sendLater(id: string): void {
    this.#later(0, (asking) => sendSignal(asking, id))
  }

  /** Lets a run go on that was given up. */
  resumeLater(id: string): void {
    this.#later(0, ({ app }) => app.resumeExecution(id))
  }

  #later(inMs: number, act: Act): void {
    this.#underWay += 1
    this.#asking.time.after(inMs, () => {
      act(this.#asking)
        .catch((error: unknown) => this.#promisedOr(error))
        .finally(() => {
          this.#underWay -= 1
        })
    })
  }

  /** An answer is no accident: somebody else was first, or it has ended. Anything else is. */
  #promisedOr(error: unknown): void {
    if (!(error instanceof PontualError)) this.promised.errors.push(error)
  }

  async #persist<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (!isTransient(error)) throw error
        await new Promise<void>((resolve) => this.#asking.time.after(RETRY_MS, resolve))
      }
    }
  }
}

/** What is asked for in a world, some of it more often. */
function actsOf({ isDurable, hasApprovals, hasChains, hasRates, schedules, cap }: Configuration): Act[] {
  return [
    enqueueTask,
    enqueueTask,
    enqueueAgain,
    cancelAny,
    ...(isDurable ? [enqueueOrder, enqueueOrder, signalAny, signalAny] : []),
    ...(schedules.length > 0 ? [disturbSchedule] : []),
    ...(cap === null ? [] : [changeLimit]),
    ...(hasChains ? [enqueueChain] : []),
    ...(hasRates ? [enqueueLimited, enqueueLimited] : []),
    ...(hasApprovals ? [editSensitive, approveSensitive, runSensitive] : []),
  ]
}
