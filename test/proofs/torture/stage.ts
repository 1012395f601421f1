import type { HistoryWriter } from './history/writer.ts'

/** What faults may do to the server. It has `fsync` on, a port and a folder of its own, and ends with us. */
export interface TorturedServer {
  /** Of its database, as its superuser, past every proxy. */
  readonly url: string
  /**
   * Ends every process of it at once, as `kill -9` does or `pg_ctl stop -m immediate`, and starts it again once `meanwhile` is over; returns when it answers.
   * Default `kill`.
   */
  crash(how?: 'kill' | 'immediate', meanwhile?: () => Promise<void>): Promise<void>
  /** Lets every process of it stand still, and go on once `meanwhile` is over. */
  freeze(meanwhile: () => Promise<void>): Promise<void>
  /** Space left for its data in bytes where that is limited, null where it has the whole disk. */
  freeSpace(): Promise<number | null>
  /** Where its data are, on the file system whose space is limited. */
  readonly folder: string
  /** How many errors of a kind, by its SQLSTATE, it has written into its log so far: what nodes and clients have met. */
  refusals(sqlState: string): Promise<number>
}

/** `open`; `stalled`: all stays connected and nothing passes; `gone`: cut, and refused; or so many milliseconds later in both directions. */
export type WireMode = 'open' | 'stalled' | 'gone' | { readonly delayMs: number }

/** What lies between one process and the server. */
export interface Wire {
  readonly url: string
  set(mode: WireMode): void
  /** Cuts the connections that are there, and returns how many. */
  cut(): number
  /**
   * Cuts each connection, also those that are made from now on, instead of letting an answer through that tells of a commit: it is done, and nobody knows.
   * Until the signal is aborted. Resolves with how many.
   */
  cutAfterCommits(until: AbortSignal): Promise<number>
  /** Stalls those connections that listen, also after the others are open again: the other side is gone without a word. Returns how many; they stay so. */
  stallListeners(): number
}

/** A node in a process of its own. */
export interface TorturedNode {
  readonly name: string
  readonly pid: number
  readonly wire: Wire
  /** Whether its process is there and was not stopped by a signal. */
  readonly isUp: boolean
  /** `kill -9`, and another in its place once `meanwhile` is over. */
  kill(meanwhile?: () => Promise<void>): Promise<void>
  /** SIGSTOP, and SIGCONT after so long. */
  stop(forMs: number): Promise<void>
  /** SIGTERM, waits until it has ended, and starts another in its place. Returns how long that took. */
  restart(): Promise<{ readonly stoppedMs: number }>
}

/** Where it all happens: what the faults are given. */
export interface Stage {
  readonly history: HistoryWriter
  readonly server: TorturedServer
  /** Those that are there now. */
  readonly nodes: readonly TorturedNode[]
  /** Between the clients that enqueue by code and the server. */
  readonly clientWires: readonly Wire[]
  /** How long a lease is: what is silent for longer has lost its work. */
  readonly leaseMs: number
  /** How long chaos is to reign: what is done in a strike grows with it. */
  readonly minutes: number
  /** Stores so many executions that fall due together, past every wire. Returns how many were acknowledged. */
  flood(count: number, dueInMs: number): Promise<number>
  /** Waits, or less where the time is over. */
  wait(ms: number): Promise<void>
}
