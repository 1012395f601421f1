import type { AuditEntry } from '../../access/audit.ts'
import type { AuditHead, AuditStore } from '../../store/audit.ts'
import { hashAuditEntry, NO_HASH } from '../../store/audit.ts'
import type { AuditVerdict } from '../answers.ts'

/** How many entries are in memory at once. */
const PAGE = 1_000

/** Where a chain ended when somebody noted it, outside of the database. */
export type NotedHead = Pick<AuditHead, 'sequence' | 'hash'>

interface Broken {
  readonly sequence: number
  readonly reason: string
}

/**
 * Reads the chain of a tenant from its beginning to where it ends now, the archive included, reckons every hash anew, and names the first entry that is wrong.
 * Where its first entries are gone, since they were kept for as long as they had to be, it goes on from the hash of the last of them. Who can change
 * the whole database can also make it a chain that holds; heads that were noted elsewhere before tell that this is another one.
 */
export async function verifyAudit(
  audit: AuditStore,
  tenant: string,
  noted: readonly NotedHead[] = [],
  onProgress: (entries: number, end: number) => void = () => {},
): Promise<AuditVerdict> {
  const end = await findEnd(audit, tenant)
  if ('reason' in end) return { isIntact: false, entries: 0, ...end }
  const unmet = new Map(noted.map(({ sequence, hash }) => [sequence, hash]))
  let anchor = await audit.anchor(tenant)
  let last: NotedHead = BEGINNING
  while (last.sequence < end.sequence) {
    const limit = Math.min(PAGE, end.sequence - last.sequence)
    const page = await audit.list({ tenant, after: last.sequence, limit, isAscending: true, archived: true })
    const next = page[0]?.sequence ?? end.sequence + 1
    // What came next may have gone meanwhile.
    if (next > last.sequence + 1 && next - 1 > (anchor?.sequence ?? 0)) anchor = await audit.anchor(tenant)
    if (page.length === 0) {
      if (anchor?.sequence !== end.sequence)
        return { isIntact: false, entries: last.sequence, ...missing(last.sequence + 1, end.sequence) }
      last = anchor
    }
    for (const entry of page) {
      const before = overGap(last, entry.sequence, anchor)
      const reason = whatIsWrong(entry, before) ?? whatWasNoted(entry, unmet)
      if (reason) return { isIntact: false, entries: before.sequence, sequence: reason.sequence, reason: reason.reason }
      last = entry
    }
    onProgress(last.sequence, end.sequence)
  }
  const wrong = whatIsWrongAtEnd(last, end, unmet) ?? (await whatStandsAfter(audit, tenant, end))
  if (wrong) return { isIntact: false, entries: last.sequence, ...wrong }
  return { isIntact: true, entries: end.sequence, hash: end.hash }
}

const BEGINNING: NotedHead = { sequence: 0, hash: NO_HASH }

/** What the chain may go on from. */
interface Link {
  readonly sequence: number
  /** null: what stood before is gone, and nothing is known of it. */
  readonly hash: string | null
}

/**
 * What an entry has to follow: the one before it. Where those between are gone, since they were kept for as long as they had to be, it is the last of them;
 * one that was left behind, since the clock had gone on to the next month before its turn, follows what nobody knows any more. What is there is always read:
 * an anchor says what is gone, and hides nothing.
 */
function overGap(last: NotedHead, sequence: number, anchor: NotedHead | null): Link {
  if (anchor === null || sequence === last.sequence + 1) return last
  if (anchor.sequence >= sequence) return { sequence: sequence - 1, hash: null }
  return anchor.sequence > last.sequence ? anchor : last
}

/** Where the chain ends. It goes on meanwhile: what comes later is for the next time. */
async function findEnd(audit: AuditStore, tenant: string): Promise<NotedHead | Broken> {
  const [head] = await audit.heads(tenant)
  if (head) return head
  const [first] = await audit.list({ tenant, limit: 1, isAscending: true, archived: true })
  if (!first) return { sequence: 0, hash: NO_HASH }
  // The first one may just have been written.
  const [made] = await audit.heads(tenant)
  return made ?? { sequence: first.sequence, reason: 'There are entries, but nothing says where the chain ends.' }
}

function whatIsWrong(entry: AuditEntry, last: Link): Broken | null {
  const { sequence } = entry
  if (sequence !== last.sequence + 1) return missing(last.sequence + 1, sequence - 1)
  if (last.hash !== null && entry.previousHash !== last.hash) {
    const before = last.sequence === 0 ? 'that nothing stands before it' : `the hash of entry ${last.sequence}`
    return { sequence, reason: `Entry ${sequence} does not hold ${before}.` }
  }
  const { hash, ...held } = entry
  if (hash === hashAuditEntry(held)) return null
  return { sequence, reason: `Entry ${sequence} was changed: its hash is not that of what it holds.` }
}

function whatWasNoted({ sequence, hash }: NotedHead, unmet: Map<number, string>): Broken | null {
  const noted = unmet.get(sequence)
  unmet.delete(sequence)
  if (noted === undefined || noted === hash) return null
  return { sequence, reason: `Entry ${sequence} is not the one that was noted: its hash was ${noted}.` }
}

function whatIsWrongAtEnd(last: NotedHead, end: NotedHead, unmet: ReadonlyMap<number, string>): Broken | null {
  if (last.hash !== end.hash) {
    return { sequence: last.sequence, reason: `Entry ${last.sequence} is not the one that the chain ends with.` }
  }
  const beyond = [...unmet.keys()].toSorted((a, b) => a - b).find((sequence) => sequence > end.sequence)
  if (beyond === undefined) return null
  const reason = `Entry ${end.sequence + 1} is missing: entry ${beyond} was noted, and the chain ends with ${end.sequence}.`
  return { sequence: end.sequence + 1, reason }
}

async function whatStandsAfter(audit: AuditStore, tenant: string, end: NotedHead): Promise<Broken | null> {
  const [newest] = await audit.list({ tenant, limit: 1, archived: true })
  if (!newest || newest.sequence <= end.sequence) return null
  const [now] = await audit.heads(tenant)
  const reached = now?.sequence ?? 0
  if (newest.sequence <= reached) return null
  const reason = `Entry ${newest.sequence} stands behind the end of the chain, which is entry ${reached}.`
  return { sequence: reached + 1, reason }
}

function missing(first: number, last: number): Broken {
  const reason = first === last ? `Entry ${first} is missing.` : `Entries ${first} to ${last} are missing.`
  return { sequence: first, reason }
}
