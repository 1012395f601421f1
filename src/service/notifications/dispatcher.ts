import type { App } from '../../engine/app/app.ts'
import { AT_ONCE, Loop, type NextStep, type Service } from '../../engine/node/loop.ts'
import type { Logger } from '../../logger.ts'
import type {
  ClaimedDelivery,
  DeliverySettlement,
  NotificationChannel,
  NotificationEvent,
} from '../../store/notifications.ts'
import type { TenantSettings } from '../../store/settings.ts'
import type { EngineStore } from '../../store/store.ts'
import { settingsOf } from '../administration/default-settings.ts'
import type { ServiceRules } from '../options.ts'
import { type DeliveryOutcome, type DeliverySurroundings, deliver } from './deliver.ts'
import { mailerTo } from './mailer.ts'
import { pauseAfter, planOf } from './plan-event.ts'

const EVERY_MS = 5_000

/** How long to wait, at the end, for a mail server that does not answer. What it may have taken is sent again, under the same id. */
const GRACE_MS = 5_000

/** The duty to tell people: soon after something has failed in this process, and every few seconds what others have left. */
export function notifier(opened: App, rules: ServiceRules): Service {
  const { env, logger, telemetry } = opened.deps
  const dispatcher = dispatcherOf(opened, rules, () => loop.wake())
  const loop = new Loop({ name: 'notifier', env, logger, step: () => dispatcher.step(), everyMs: EVERY_MS })
  let unlisten: (() => void)[] = []
  return {
    start() {
      unlisten = [telemetry.on('execution.failed', () => loop.wake()), telemetry.on('job.faulted', () => loop.wake())]
      loop.start()
    },
    async stop() {
      for (const end of unlisten.splice(0)) end()
      let cancel = () => {}
      const late = new Promise<void>((resolve) => {
        cancel = env.after(GRACE_MS, resolve)
      })
      await Promise.race([loop.stop().then(() => dispatcher.rest()), late])
      cancel()
    },
  }
}

/** What tells people of one application, as its service was told to. */
export function dispatcherOf(
  { store, deps }: App,
  { mail, publicUrl, webhooks }: ServiceRules,
  onRoom?: () => void,
): Dispatcher {
  const { env, logger, time } = deps
  return new Dispatcher({
    env,
    logger,
    store,
    now: () => time.now(),
    mail: mail && { rules: mail, mailer: mailerTo(mail) },
    webhooks,
    publicUrl,
    onRoom,
  })
}

export interface DispatcherOptions extends DeliverySurroundings {
  readonly logger: Logger
  /** Something that was under way is over. */
  readonly onRoom?: (() => void) | undefined
}

/** What one tenant wants. */
interface Wishes {
  readonly settings: TenantSettings
  readonly isEnabled: boolean
}

const PLANNED_AT_ONCE = 200

/** How many are under way at once: of mails, as many as there are connections to the server. */
const AT_MOST: Readonly<Record<NotificationChannel, number>> = { mail: 5, webhook: 20 }

/** How many webhooks of one tenant are: where they do not answer, there is room for those of others. */
const WEBHOOKS_OF_A_TENANT = 5

/** Longer than any try can take. */
const LEASE_MS = 120_000

/** After so many mails in a row that found no server, the others need not find that out one by one. */
const AWAY_AFTER = 5
const REST_MS = 30_000

/** Tells people what stands in the outbox. Any number of processes may do so at once: each delivery is taken by one of them. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #channels: readonly NotificationChannel[]
  readonly #underWay = new Map<ClaimedDelivery, Promise<void>>()
  #awayInARow = 0
  #mailRestsUntil = -Infinity
  #failure: { readonly error: unknown } | null = null

  constructor(options: DispatcherOptions) {
    this.#options = options
    this.#channels = options.mail === null ? ['webhook'] : ['mail', 'webhook']
  }

  /** Decides who is told, and begins to send what is due, as far as there is room. Gives when there is more to do; once there is room again `onRoom` is called. */
  async step(): Promise<NextStep> {
    const failure = this.#failure
    this.#failure = null
    if (failure) throw failure.error
    const channels = this.#channels.filter((channel) => this.#roomFor(channel) > 0)
    const { now, hasUnplanned, nextDueAt } = await this.#options.store.notifications.next(channels)
    const planned = hasUnplanned ? await this.#plan() : 0
    const isDue = nextDueAt !== null && nextDueAt <= now
    const begun = planned > 0 || isDue ? await this.#begin(channels) : 0
    if (planned === PLANNED_AT_ONCE || begun > 0) return AT_ONCE
    return nextDueAt === null || isDue ? 'whenWoken' : { inMs: nextDueAt - now }
  }

  /** Resolves once nothing is under way. Gives whether anything was. */
  async rest(): Promise<boolean> {
    const wasBusy = this.#underWay.size > 0
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values())
    return wasBusy
  }

  async #plan(): Promise<number> {
    const { store } = this.#options
    const { now, events } = await store.notifications.unplanned(PLANNED_AT_ONCE)
    const wishes = await wishesOf(store, events)
    return await store.notifications.plan(
      events.flatMap((event) => {
        const wanted = wishes.get(event.tenant)
        return wanted ? [planOf(event, { ...wanted, now })] : []
      }),
    )
  }

  #roomFor(channel: NotificationChannel): number {
    if (channel === 'mail' && this.#options.now() < this.#mailRestsUntil) return 0
    return AT_MOST[channel] - this.#ofChannel(channel).length
  }

  #ofChannel(channel: NotificationChannel): ClaimedDelivery[] {
    return [...this.#underWay.keys()].filter((each) => each.channel === channel)
  }

  async #begin(channels: readonly NotificationChannel[]): Promise<number> {
    const { store } = this.#options
    let count = 0
    // Where there is room for nothing, there is for giving up what has expired.
    for (const channel of channels.length === 0 ? [null] : channels) {
      const { deliveries } = await store.notifications.claim({
        channels: channel === null ? [] : [channel],
        limit: channel === null ? 1 : Math.min(this.#roomFor(channel), WEBHOOKS_OF_A_TENANT),
        leaseMs: LEASE_MS,
        except: channel === 'webhook' ? this.#busyTenants() : [],
      })
      const wishes = await wishesOf(store, deliveries)
      for (const delivery of deliveries) this.#underWay.set(delivery, this.#send(delivery, wishes))
      count += deliveries.length
    }
    return count
  }

  /** Those whose webhooks take all the room they may. */
  #busyTenants(): string[] {
    const counts = new Map<string, number>()
    for (const { tenant } of this.#ofChannel('webhook')) counts.set(tenant, (counts.get(tenant) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= WEBHOOKS_OF_A_TENANT).map(([tenant]) => tenant)
  }

  /** Never rejects: what goes wrong is told by the next step. */
  async #send(delivery: ClaimedDelivery, wishes: ReadonlyMap<string, Wishes>): Promise<void> {
    try {
      const outcome = await this.#deliver(delivery, wishes)
      if (delivery.channel === 'mail') this.#noteServer(outcome)
      this.#log(delivery, outcome)
      await this.#options.store.notifications.settle([settlementOf(delivery, outcome)])
    } catch (error) {
      this.#failure = { error }
    } finally {
      this.#underWay.delete(delivery)
      this.#options.onRoom?.()
    }
  }

  #noteServer(outcome: DeliveryOutcome): void {
    if (outcome.is === 'sent') this.#awayInARow = 0
    if (outcome.is !== 'failed' || !outcome.isServerAway) return
    this.#awayInARow += 1
    if (this.#awayInARow >= AWAY_AFTER) this.#mailRestsUntil = this.#options.now() + REST_MS
  }

  async #deliver(delivery: ClaimedDelivery, wishes: ReadonlyMap<string, Wishes>): Promise<DeliveryOutcome> {
    const wanted = wishes.get(delivery.tenant)
    if (delivery.isExpired || !wanted) {
      return { is: 'hopeless', error: `Nobody could be told in time. ${delivery.lastError ?? ''}`.trim() }
    }
    if (!wanted.isEnabled) return { is: 'hopeless', error: 'Notifications are switched off.' }
    return await deliver(this.#options, delivery, wanted.settings)
  }

  #log({ id, tenant, channel, attempt }: ClaimedDelivery, outcome: DeliveryOutcome): void {
    const { logger } = this.#options
    const fields = { delivery: id, tenant, channel, attempt }
    if (outcome.is === 'hopeless')
      logger.error('Nobody was told, and nobody tries any more', { ...fields, reason: outcome.error })
    // Once for each: it is tried again for days.
    else if (outcome.is === 'failed' && attempt === 1) {
      const { reason = outcome.error } = outcome
      logger.warn('A notification could not be sent, and will be tried again', { ...fields, reason })
    } else if (outcome.is === 'sent' && outcome.refused.length > 0) {
      logger.warn('The mail server has refused some who were to be told', {
        ...fields,
        refused: outcome.refused.length,
      })
    }
  }
}

function settlementOf({ id, attempt }: ClaimedDelivery, outcome: DeliveryOutcome): DeliverySettlement {
  switch (outcome.is) {
    case 'sent': {
      const { length } = outcome.refused
      const error = length === 0 ? null : `The mail server has refused ${length} of the addresses.`
      return { id, attempt, status: 'SENT', retryInMs: null, error }
    }
    case 'failed':
      return { id, attempt, status: 'WAITING', retryInMs: pauseAfter(attempt), error: outcome.error }
    case 'hopeless':
      return { id, attempt, status: 'UNDELIVERED', retryInMs: null, error: outcome.error }
  }
}

async function wishesOf(
  store: EngineStore,
  things: readonly Pick<NotificationEvent, 'tenant'>[],
): Promise<ReadonlyMap<string, Wishes>> {
  const wishes = new Map<string, Wishes>()
  for (const tenant of new Set(things.map((each) => each.tenant))) {
    const { settings } = await settingsOf(store, tenant)
    const { JOB_NOTIFICATIONS: flag } = await store.flags.read(tenant)
    wishes.set(tenant, { settings, isEnabled: flag.isEnabled })
  }
  return wishes
}
