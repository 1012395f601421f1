/** What a process of the soak is told when it is started. */
export interface ProcessRequest {
  readonly url: string
  readonly name: string
  readonly slots: number
  /** Which job types it has. */
  readonly types: 'steady' | 'plain'
  /** Whether it answers over HTTP too. */
  readonly serves: boolean
  /** How many bytes of each execution its handlers keep for ever. */
  readonly leakedBytes: number
}

/** How a process is: what it holds once its garbage is collected, and what has happened in it. */
export interface ProcessState {
  /** What is reachable: the heap and what hangs on it outside. */
  readonly retainedBytes: number
  readonly rssBytes: number
  /** To the server, of its pool; what listens and what renews are beside these. */
  readonly connections: number
  /** How many executions have ended here since it was started. */
  readonly ended: number
  /** Executions that were taken from a node, writes that were refused and nodes that were lost, as seen here. */
  readonly steals: number
  /** How long each claim took since the last question, in milliseconds. */
  readonly claimsMs: readonly number[]
}

export type FromProcess =
  | { readonly kind: 'ready'; readonly url: string | null }
  | { readonly kind: 'state'; readonly state: ProcessState }
