import { PontualError } from '../errors.ts'
import type { AlertStore } from './alerts.ts'
import type { ContentStore } from './contents.ts'
import type { FlagStore } from './flags.ts'
import type { HistoryStore } from './histories.ts'
import type { LogStore } from './logs.ts'
import type { MinuteStore } from './minutes.ts'
import type { NodeStore } from './nodes.ts'
import type { NotificationStore } from './notifications.ts'
import type { Store } from './store.ts'

/** What only whoever runs work asks of a store, and nobody asks for a tenant. */
type EngineNouns = Pick<Store, 'leases' | 'archive' | 'dataKeys' | 'rates' | 'pulse' | 'maintain' | 'close'>

export const engineOnly: EngineNouns = {
  leases: {
    claim: () => refuse('leases.claim'),
    finish: () => refuse('leases.finish'),
    retry: () => refuse('leases.retry'),
    release: () => refuse('leases.release'),
    held: () => refuse('leases.held'),
    progress: () => refuse('leases.progress'),
    promote: () => refuse('leases.promote'),
    recover: () => refuse('leases.recover'),
  },
  rates: { acquire: () => refuse('rates.acquire') },
  archive: {
    due: () => refuse('archive.due'),
    move: () => refuse('archive.move'),
    moveLate: () => refuse('archive.moveLate'),
    auditBytes: () => refuse('archive.auditBytes'),
    cutAudit: () => refuse('archive.cutAudit'),
    expired: () => refuse('archive.expired'),
    clear: () => refuse('archive.clear'),
    drop: () => refuse('archive.drop'),
    clearLedger: () => refuse('archive.clearLedger'),
  },
  dataKeys: {
    find: () => refuse('dataKeys.find'),
    add: () => refuse('dataKeys.add'),
    listOthers: () => refuse('dataKeys.listOthers'),
    rewrap: () => refuse('dataKeys.rewrap'),
    count: () => refuse('dataKeys.count'),
  },
  pulse: () => refuse('pulse'),
  maintain: () => refuse('maintain'),
  close: () => Promise.resolve(),
}

type HolderVerb =
  | 'record'
  | 'transact'
  | 'startChildren'
  | 'load'
  | 'news'
  | 'goingOn'
  | 'park'
  | 'diverge'
  | 'continueAs'
  | 'checkpoint'

/** What only the holder of a run does with its history. */
export const holderOnly: Pick<HistoryStore, HolderVerb> = {
  record: () => refuse('histories.record'),
  transact: () => refuse('histories.transact'),
  startChildren: () => refuse('histories.startChildren'),
  load: () => refuse('histories.load'),
  news: () => refuse('histories.news'),
  goingOn: () => refuse('histories.goingOn'),
  park: () => refuse('histories.park'),
  diverge: () => refuse('histories.diverge'),
  continueAs: () => refuse('histories.continueAs'),
  checkpoint: () => refuse('histories.checkpoint'),
}

/** What only whoever looks at everything does. */
export const watcherOnly: Pick<AlertStore, 'watch' | 'record' | 'untold' | 'tell'> = {
  watch: () => refuse('alerts.watch'),
  record: () => refuse('alerts.record'),
  untold: () => refuse('alerts.untold'),
  tell: () => refuse('alerts.tell'),
}

/** All that was ever stored is read and rewritten by who keeps the keys. */
export const keeperOnly: Pick<ContentStore, 'read' | 'rewrite'> = {
  read: () => refuse('contents.read'),
  rewrite: () => refuse('contents.rewrite'),
}

export const appendOnly: Pick<LogStore, 'append'> = { append: () => refuse('logs.append') }

/** What holds for all tenants, or what a provider answered, is nothing a tenant settles. */
export const ownFlags: Pick<FlagStore, 'putDefaults' | 'provide'> = {
  putDefaults: () => refuse('flags.putDefaults'),
  provide: () => refuse('flags.provide'),
}

/** What only whoever sends notifications does. */
export const senderOnly: Pick<NotificationStore, 'next' | 'unplanned' | 'plan' | 'claim' | 'settle'> = {
  next: () => refuse('notifications.next'),
  unplanned: () => refuse('notifications.unplanned'),
  plan: () => refuse('notifications.plan'),
  claim: () => refuse('notifications.claim'),
  settle: () => refuse('notifications.settle'),
}

/** Who works is known to every tenant. */
export function readableNodes(nodes: NodeStore): NodeStore {
  return {
    list: () => nodes.list(),
    countStale: () => nodes.countStale(),
    register: () => refuse('nodes.register'),
    renew: () => refuse('nodes.renew'),
    remove: () => refuse('nodes.remove'),
    leave: () => refuse('nodes.leave'),
    declarations: () => refuse('nodes.declarations'),
    keepAlive: () => {
      throw refusal('nodes.keepAlive')
    },
  }
}

/** And so is when nodes were active. */
export function readableMinutes(minutes: MinuteStore): MinuteStore {
  return {
    count: (since) => minutes.count(since),
    active: (since) => minutes.active(since),
    mark: () => refuse('minutes.mark'),
  }
}

export function refuse(verb: string): Promise<never> {
  return Promise.reject(refusal(verb))
}

function refusal(verb: string): PontualError {
  return new PontualError('store.engine_only', `${verb} is not for a tenant: it is asked of the store itself.`, {
    verb,
  })
}
