import { PontualError } from '../errors.ts'
import type { HistoryStore } from './histories.ts'
import type { LogStore } from './logs.ts'
import type { NodeStore } from './nodes.ts'
import type { Store } from './store.ts'

/** What only whoever runs work asks of a store, and nobody asks for a tenant. */
type EngineNouns = Pick<Store, 'leases' | 'rates' | 'pulse' | 'maintain' | 'close'>

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

export const appendOnly: Pick<LogStore, 'append'> = { append: () => refuse('logs.append') }

/** Who works is known to every tenant. */
export function readableNodes(nodes: NodeStore): NodeStore {
  return {
    list: () => nodes.list(),
    countStale: () => nodes.countStale(),
    register: () => refuse('nodes.register'),
    renew: () => refuse('nodes.renew'),
    remove: () => refuse('nodes.remove'),
    keepAlive: () => {
      throw refusal('nodes.keepAlive')
    },
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
