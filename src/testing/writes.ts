import type { HistoryEntry } from '../job/activity/history.ts'
import type { ContinueItem, DivergeItem, ParkItem, RecordItem } from '../store/histories.ts'
import type { Ending } from '../store/leases.ts'
import { formatInstant } from '../time/instant.ts'
import type { Ask } from './mortal-node.ts'

/** Something a node tells the store about durable executions. */
export interface Write {
  /** What it tells, in words. */
  readonly told: string
  /** The entries that it writes, with whose they are. */
  readonly entries: readonly WrittenEntry[]
  /** The runs that begin anew with it. */
  readonly begunAnew: readonly string[]
  /** Why runs are put aside with it, in words. */
  readonly divergences: readonly string[]
}

interface WrittenEntry extends HistoryEntry {
  readonly executionId: string
}

/** What a question to the store tells it; null where it is none of these, or tells nothing. */
export function writeOf({ verb, values }: Ask, answer?: unknown): Write | null {
  switch (verb) {
    case 'histories.record':
    case 'histories.startChildren':
      return entriesWrite(values[0] as readonly RecordItem[], answer)
    case 'histories.transact':
      return answer === undefined
        ? { ...NOTHING, told: 'a transaction' }
        : entriesWrite(answer === null ? [] : [answer as RecordItem], undefined)
    case 'histories.park':
      return { ...NOTHING, told: `that it waits${untilOf((values[0] as readonly ParkItem[])[0])}` }
    case 'histories.continueAs': {
      const begunAnew = (values[0] as readonly ContinueItem[]).map(({ executionId }) => executionId)
      return { ...NOTHING, told: 'that it begins anew', begunAnew }
    }
    case 'histories.diverge': {
      const divergences = (values[0] as readonly DivergeItem[]).map(({ divergence }) => divergence.message)
      return { ...NOTHING, told: 'that it is DIVERGED', divergences }
    }
    case 'leases.finish':
      return { ...NOTHING, told: `its end as ${(values[0] as readonly Ending[])[0]?.status}` }
    default:
      return null
  }
}

const NOTHING: Write = { told: '', entries: [], begunAnew: [], divergences: [] }

function entriesWrite(items: readonly RecordItem[], answers: unknown): Write {
  const stored = items.filter((_, index) => !Array.isArray(answers) || isStored(answers[index]))
  const entries = stored.flatMap(({ executionId, entries: own }) => own.map((entry) => ({ ...entry, executionId })))
  return { ...NOTHING, told: entries.map(wordsFor).join(', '), entries }
}

function isStored(answer: unknown): boolean {
  return answer === 'recorded' || answer === true
}

function wordsFor({ kind, name, sequence, status }: HistoryEntry): string {
  return `${kind} "${name}" (call ${sequence}) as ${status}`
}

function untilOf(item: ParkItem | undefined): string {
  return typeof item?.dueAt === 'number' ? ` until ${formatInstant(item.dueAt)}` : ''
}
