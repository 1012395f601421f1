import type { HistoryStore, TenantHistoryStore } from '../../histories.ts'
import type { Parts } from '../parts.ts'
import { checkpoint, lastCheckpoint } from './checkpoints.ts'
import { startChildren } from './children.ts'
import { continueAs, cut, fork } from './fork.ts'
import { goingOn, load, news, read } from './load.ts'
import { diverge, park, resume } from './park.ts'
import { record } from './record.ts'
import { signal, wake } from './signals.ts'
import { transact } from './transact.ts'

export function tenantHistoryStore(parts: Parts): TenantHistoryStore {
  return {
    resume: (filter) => resume(parts, filter),
    wake: (ids) => wake(parts, ids),
    signal: (signals) => signal(parts, signals),
    cut: (executionId, sequence, audit) => cut(parts, executionId, sequence, audit),
    fork: (executionId, sequence, execution, audit) => fork(parts, executionId, sequence, execution, audit),
    read: (executionId, where) => read(parts, executionId, where),
    lastCheckpoint: (executionId) => lastCheckpoint(parts, executionId),
  }
}

export function historyStore(parts: Parts): HistoryStore {
  return {
    ...tenantHistoryStore(parts),
    record: (items) => record(parts, items),
    transact: (held, work) => transact(parts, held, work),
    startChildren: (items) => startChildren(parts, items),
    load: (held) => load(parts, held),
    news: (held) => news(parts, held),
    goingOn: (held) => goingOn(parts, held),
    park: (items) => park(parts, items),
    diverge: (items) => diverge(parts, items),
    continueAs: (items) => continueAs(parts, items),
    checkpoint: (items) => checkpoint(parts, items),
  }
}
