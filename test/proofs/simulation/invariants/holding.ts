import type { Held, Recovered } from '../../../../src/store/leases.ts'
import type { Commit } from '../commits.ts'
import type { Machine } from '../machine.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** Verbs of whoever holds executions, and how their answers tell which were accepted. */
const HELD_VERBS: Readonly<Record<string, (item: Held, answer: unknown, index: number) => boolean>> = {
  'leases.finish': ({ executionId }, answer) => (answer as string[]).includes(executionId),
  'leases.retry': ({ executionId }, answer) => (answer as string[]).includes(executionId),
  'leases.release': ({ executionId }, answer) => (answer as string[]).includes(executionId),
  'leases.progress': ({ executionId }, answer) => (answer as string[]).includes(executionId),
  'logs.append': ({ executionId }, answer) => !(answer as string[]).includes(executionId),
  'histories.record': (_, answer, index) => (answer as unknown[])[index] === 'recorded',
  'histories.startChildren': (_, answer, index) => (answer as unknown[])[index] === true,
  'histories.park': (_, answer, index) => (answer as unknown[])[index] === 'parked',
  'histories.diverge': ({ executionId }, answer) => (answer as string[]).includes(executionId),
  'histories.checkpoint': ({ executionId }, answer) => (answer as string[]).includes(executionId),
}

/** Faults that do not keep a node from telling the store what it has to. */
const HARMLESS: ReadonlySet<string> = new Set(['rollingRestart', 'deploy', 'deafen'])

/** I5: one lease per execution, and epochs that only grow. I6: whoever lost an execution writes nothing of it. */
export class Holding implements Invariant {
  readonly #epochs = new Map<string, number>()
  /** Ends that were accepted, as they were told: to hear of the same once more is no new one. */
  readonly #ended = new Set<string>()
  /** What was taken from nodes that are gone, with its epoch. */
  readonly #rescued = new Set<string>()
  /** The id under which a machine is known, as it registered last. */
  readonly #nodeIds = new Map<string, Set<string>>()

  afterCommit(commit: Commit, evidence: Evidence): void {
    const { question, changes } = commit
    if (question.verb === 'nodes.register') {
      const ids = this.#nodeIds.get(question.from.name) ?? new Set()
      ids.add((question.values[0] as { id: string }).id)
      this.#nodeIds.set(question.from.name, ids)
    }
    if (question.verb === 'leases.recover') {
      for (const { executionId, epoch } of commit.answer as readonly Recovered[])
        this.#rescued.add(`${executionId} ${epoch}`)
    }
    for (const change of changes) {
      if (change.table !== 'leases' || !change.after || change.before?.epoch === change.after.epoch) continue
      const { epoch } = change.after
      require(change.before === null, 'I5', () => `${change.key} is claimed although somebody holds it`)
      require(epoch > (this.#epochs.get(change.key) ?? 0), 'I5', () => `the epoch of ${change.key} does not grow`)
      this.#epochs.set(change.key, epoch)
    }
    this.#requireHolder(commit, evidence)
  }

  /** I30: without faults, each execution of a node that has stopped is finished, given back, or announced to be recovered unspent. */
  onStopped(machine: Machine, { tables, configuration, sometimes }: Evidence): void {
    sometimes('a node stops as it should')
    if (Object.keys(configuration.rates).some((kind) => !HARMLESS.has(kind))) return
    for (const nodeId of this.#nodeIds.get(machine.name) ?? []) {
      const held = tables.leasesByNode.rowsOf(nodeId).filter(({ isUnspent }) => !isUnspent)
      require(held.length === 0, 'I30', () => `${machine.name} has stopped, and holds ${held[0]?.body.id}`)
    }
  }

  #requireHolder({ question, answer, heldBefore }: Commit, evidence: Evidence): void {
    const isAccepted = HELD_VERBS[question.verb]
    if (!isAccepted) return
    for (const [index, item] of (question.values[0] as readonly Held[]).entries()) {
      const { executionId, epoch } = item
      const lease = heldBefore.get(executionId)
      const holds = lease?.epoch === epoch && this.#nodeIds.get(question.from.name)?.has(lease.nodeId) === true
      if (!isAccepted(item, answer, index)) {
        if (!holds) evidence.sometimes('a fenced write was attempted')
        const isRaced = question.verb === 'leases.finish' && this.#rescued.has(`${executionId} ${epoch}`)
        if (isRaced) evidence.sometimes('a rescue raced a completion')
        continue
      }
      // Told twice since the first answer was lost: it is the same end.
      const end = question.verb === 'leases.finish' ? JSON.stringify(item) : null
      const isRepeated = end !== null && !lease && this.#ended.has(end)
      require(holds || isRepeated, 'I6', () =>
        `${question.verb} of ${executionId} in epoch ${epoch} by ${question.from.name} was accepted`)
      if (end !== null) this.#ended.add(end)
    }
  }
}
