import type { Commit } from '../commits.ts'
import type { Effect } from '../ledger.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** I30: what failed for good stands in the outbox with its end, once; whoever wants to be told is, by one mail where nothing goes wrong, and never by none. */
export class Notices implements Invariant {
  readonly #taken = new Map<string, number>()

  afterCommit({ changes }: Commit, { tables, sometimes }: Evidence): void {
    const { events } = tables.service.notifications
    for (const change of changes) {
      if (change.table !== 'results' || !change.after || change.after.body.jobId === null) continue
      const isFailure = change.after.status === 'FAILED' || change.after.status === 'TIMEOUT'
      require(events.has(change.key) === isFailure, 'I30', () =>
        `${change.key} ended as ${change.after?.status}, and ${isFailure ? 'nothing' : 'something'} is to be told of it`)
      if (isFailure) sometimes('a failure is to be told')
    }
  }

  onEffect({ kind, executionId }: Effect): void {
    if (kind === 'told') this.#taken.set(executionId, (this.#taken.get(executionId) ?? 0) + 1)
  }

  atEnd({ tables, configuration, sometimes }: Evidence): void {
    if (!configuration.hasNotices) return
    const { events, deliveries } = tables.service.notifications
    for (const { event, plannedAt, suppression, toldAt } of events.rows()) {
      require(plannedAt !== null, 'I30', () => `nobody has decided whether ${event.id} is told`)
      require(suppression !== null || toldAt !== null, 'I30', () => `${event.id} was told to nobody`)
    }
    let mails = 0
    for (const { id, status } of deliveries.rows()) {
      require(status === 'SENT', 'I30', () => `the mail ${id} is ${status}`)
      mails += 1
    }
    require(this.#taken.size === mails, 'I30', () => `${mails} mails are told to be sent, and ${this.#taken.size} were`)
    if (mails > 0) sometimes('somebody is told of a failure')
    const isCalm = Object.keys(configuration.rates).length === 0
    for (const [id, count] of this.#taken) {
      if (count > 1) sometimes('a mail is sent again, under the same id')
      require(count === 1 || !isCalm, 'I30', () => `the mail ${id} was sent ${count} times`)
    }
  }
}
