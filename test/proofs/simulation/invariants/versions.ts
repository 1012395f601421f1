import { decodeValue } from '../../../../src/durable/codec.ts'
import type { Divergence } from '../../../../src/job/activity/divergence.ts'
import type { DivergeItem, RecordItem } from '../../../../src/store/histories.ts'
import type { Commit } from '../commits.ts'
import type { Order } from '../order-type.ts'
import { activitiesOf, isKnownTo, type Version } from '../versions.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** So many nodes are lost with a run before it counts as what they die of. */
const LEAST_LOSSES = 4

/**
 * I14: code that does not fit what is recorded parks a run as DIVERGED, before it does anything and with the history as it was; code that fits never does, and goes on. Whoever wrote to a history
 * last has followed all of it, so that his version fits. And nobody takes what his code does not know.
 */
export class Versions implements Invariant {
  /** The version that wrote to a history last. */
  readonly #fitting = new Map<string, Version>()
  /** How much user code had done when an execution was claimed last. */
  readonly #claimedAfter = new Map<string, number>()
  readonly #diverged = new Set<string>()

  afterCommit({ question, answer, changes, entriesBefore }: Commit, evidence: Evidence): void {
    const { configuration, ledger, sometimes } = evidence
    const { version } = question.from
    for (const change of changes) {
      if (change.table !== 'leases' || change.before || !change.after) continue
      this.#claimedAfter.set(change.key, ledger.effects.length)
      const { jobType } = change.after.body
      const isKnown = !configuration.hasTwoVersions || isKnownTo(version, jobType)
      require(isKnown, 'I14', () => `${question.from.name} has claimed "${jobType}", which the ${version} code has not`)
    }
    if (question.verb === 'histories.record') {
      for (const [index, { executionId }] of (question.values[0] as readonly RecordItem[]).entries()) {
        if ((answer as unknown[])[index] !== 'recorded') continue
        this.#requireOwn(executionId, version, evidence)
        this.#fitting.set(executionId, version)
        if (this.#diverged.delete(executionId)) sometimes('a run that was DIVERGED goes on')
      }
    }
    if (question.verb !== 'histories.diverge') return
    for (const item of question.values[0] as readonly DivergeItem[]) {
      if (!(answer as string[]).includes(item.executionId)) continue
      if (item.divergence.reason === 'noProgress') this.#requireLosses(item, evidence)
      else this.#requireMisfit(item, version, question.from.name, evidence)
      const before = entriesBefore.get(item.executionId)
      const after = JSON.stringify(evidence.tables.runs.entriesOf(item.executionId))
      require(before === after, 'I14', () => `the history of ${item.executionId} was changed as it DIVERGED`)
    }
  }

  /** Who writes to a history has made the calls that it holds, in their places. */
  #requireOwn(executionId: string, version: Version, { tables, configuration }: Evidence): void {
    const body = tables.executions.get(executionId)
    if (!configuration.hasTwoVersions || body?.jobType !== 'order') return
    const called = activitiesOf(version, configuration.codeChange, decodeValue(body.payload) as Order)
    for (const { entry } of tables.runs.entries.get(executionId)?.values() ?? []) {
      if (entry.kind !== 'activity') continue
      require(called[entry.sequence - 1] === entry.name, 'I14', () =>
        `the ${version} code goes on with ${executionId}, whose call ${entry.sequence} was "${entry.name}"`)
    }
  }

  /** I12: what its nodes seem to die of is not taken up for ever. */
  #requireLosses({ executionId }: DivergeItem, { tables, sometimes }: Evidence): void {
    const lost = tables.attempts.get(executionId)?.filter(({ record }) => record.status === 'LOST').length ?? 0
    require(lost >= LEAST_LOSSES, 'I12', () => `${executionId} is given up after ${lost} losses`)
    sometimes('a run whose nodes were lost again and again is DIVERGED')
  }

  #requireMisfit(
    { executionId, divergence }: { readonly executionId: string; readonly divergence: Divergence },
    version: Version,
    machine: string,
    { ledger, sometimes }: Evidence,
  ): void {
    const isOther = this.#fitting.get(executionId) !== undefined && this.#fitting.get(executionId) !== version
    require(isOther, 'I14', () => `${executionId} is DIVERGED, its code the same: ${divergence.message}`)
    const since = ledger.effects.slice(this.#claimedAfter.get(executionId) ?? 0)
    const done = since.find(
      (each) => each.executionId === executionId && each.machine === machine && each.kind === 'performed',
    )
    require(done === undefined, 'I14', () => `"${done?.step}" of ${executionId} was performed before it DIVERGED`)
    this.#diverged.add(executionId)
    sometimes('a run is DIVERGED')
  }
}
