import type { Divergence } from '../job/activity/divergence.ts'
import type { HistoryEntry, NewEntry, News, RecordAnswer } from '../job/activity/history.ts'
import type { WhereToLook } from './archive.ts'
import type { NewAuditEntry } from './audit.ts'
import type { NewExecution, TransactionClient } from './executions.ts'
import type { Held } from './leases.ts'

/**
 * What is recorded of durable executions, and what comes to them while they wait. A durable execution in short: a run. Whoever does not hold the lease with the epoch
 * he names changes nothing, and nobody else can take the lease before what he wrote is committed.
 */
export interface TenantHistoryStore {
  /** Makes runs that are DIVERGED ready again. Returns the ids. */
  resume(filter: ResumeFilter): Promise<string[]>
  /** Makes runs that wait ready, or marks those that run: something has come for them. Unknown and ended ones are left alone. */
  wake(ids: readonly string[]): Promise<void>
  /** Keeps signals for their runs, and wakes those. The answers stand in the order of the signals. */
  signal(signals: readonly NewSignal[]): Promise<SignalAnswer[]>
  /**
   * Lets a run that is DIVERGED go on from an earlier point: entries from `sequence` on are removed, and what came after that call was made, and it is ready again.
   * Children that what is left has started, and has not seen the end of, are its children again. False where it is not DIVERGED.
   */
  cut(executionId: string, sequence: number, audit?: NewAuditEntry): Promise<boolean>
  /**
   * Stores an execution whose history begins with that of another, up to but not including `sequence`, as {@link TenantHistoryStore.cut} would leave it; but an activity that another
   * execution was doing is to be started anew. One whose id exists already is left alone. False where the other is unknown.
   */
  fork(executionId: string, sequence: number, execution: NewExecution, audit?: NewAuditEntry): Promise<boolean>
  /** The history of a run, in the order of sequence; of one that is unknown or not durable: none. */
  read(executionId: string, where?: WhereToLook): Promise<StoredEntry[]>
  /** The last checkpoint of an execution; null where there is none. */
  lastCheckpoint(executionId: string): Promise<string | null>
}

export interface HistoryStore extends TenantHistoryStore {
  /**
   * Writes entries, each new or in place of the one that has its sequence; one that is RUNNING never takes the place of one that is settled, and is left out. Those of
   * one item are written together or not at all; an item is refused where its run is not held any more. One with a `dueAt` that is settled as the timer it is (`isTimer`) is written only if that instant has come by the store's clock: else
   * its item is `early`, and nothing of it is written. What an entry consumes goes with it. The answers stand in the order of the items.
   */
  record(items: readonly RecordItem[]): Promise<RecordAnswer[]>
  /**
   * Runs the caller's SQL and writes the item it returns, in one transaction. Where the run is not held any more nothing is run, and the answer is null.
   * Where `work` throws, nothing has happened. A store without SQL gives a client whose every query fails.
   */
  transact(held: Held, work: (client: TransactionClient) => Promise<RecordItem>): Promise<RecordItem | null>
  /**
   * Stores a child execution together with the entry that tells of it, and links it to its run: its end is news for the run. One whose id exists already
   * counts as started. The answers stand in the order of the items; false where the run is not held any more.
   */
  startChildren(items: readonly NewChild[]): Promise<boolean[]>
  /**
   * All that is known of runs that are taken up by someone who has nothing of them in memory; noted as a replay, and clears their mark. Those that are not held are
   * left out.
   */
  load(held: readonly Held[]): Promise<LoadedRun[]>
  /** What has come for runs that are held, and clears their mark. Those that are not held are left out. */
  news(held: readonly Held[]): Promise<RunNews[]>
  /** Of runs that are taken up, those that had begun before, and since were never lost with their node: they go on. Returns the ids. */
  goingOn(held: readonly Held[]): Promise<string[]>
  /**
   * Lets go of runs that wait: WAITING until `dueAt`, or until something comes for them. Their attempt is not spent. One for which something has come is not let go:
   * its answer is `news`. One that is not held: `lost`. The answers stand in the order of the items.
   */
  park(items: readonly ParkItem[]): Promise<ParkAnswer[]>
  /** Parks runs as DIVERGED. Returns the ids of those accepted. */
  diverge(items: readonly DivergeItem[]): Promise<string[]>
  /**
   * Begins runs anew with another input, and forgets their history and their children; signals that nobody has taken, and a cancellation, are news again. Returns the
   * ids of those accepted.
   */
  continueAs(items: readonly ContinueItem[]): Promise<string[]>
  /** Keeps how far an execution, durable or not, has come, in its own words. Returns the ids of those accepted. */
  checkpoint(items: readonly CheckpointItem[]): Promise<string[]>
}

export interface RecordItem extends Held {
  readonly entries: readonly NewEntry[]
  /** Signals that are taken out of the inbox by no entry, since they fit nothing. */
  readonly discards?: readonly number[] | undefined
}

export interface NewChild extends Held {
  /** What is recorded of the run together with it: among them the entry that has it as its child. */
  readonly entries: readonly NewEntry[]
  readonly child: NewExecution
}

export interface RunNews extends Held, News {}

export interface LoadedRun extends RunNews {
  readonly entries: readonly HistoryEntry[]
  /** How many attempts were lost right before this one, one after the other, since anything was settled. */
  readonly lostSinceProgress: number
}

export interface ParkItem extends Held {
  readonly dueAt: number | null
}

export type ParkAnswer = 'parked' | 'news' | 'lost'

export interface DivergeItem extends Held {
  readonly divergence: Divergence
}

export interface ResumeFilter {
  /** Those of these job types only, and among them only those that diverged by mismatch. */
  readonly jobTypes?: readonly string[] | undefined
  /** These only, whatever the reason. */
  readonly ids?: readonly string[] | undefined
  readonly limit: number
}

export interface NewSignal {
  readonly executionId: string
  readonly name: string
  readonly payload: string | null
  /** The same key for the same run means the same signal. */
  readonly idempotencyKey: string | null
  /** Written where the signal is sent. */
  readonly audit?: NewAuditEntry | undefined
}

/** `final`: it has ended. `unknown`: there is none. `notDurable`: it takes no signals. One that was sent before under its key is `sent`. */
export type SignalAnswer = 'sent' | 'final' | 'unknown' | 'notDurable'

export interface ContinueItem extends Held {
  /** The entry with sequence 0 that holds the input to go on with. */
  readonly entry: NewEntry
}

export interface CheckpointItem extends Held {
  readonly state: string
}

/** An entry as it stands in the store. */
export interface StoredEntry extends HistoryEntry {
  /** How often it was given to the code again in place of being performed. */
  readonly replayed: number
}
