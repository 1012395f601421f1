import type { JobVerb } from '../../parts/job-verbs.ts'
import type { Selection } from './selection.ts'

/** What is asked of many jobs at once. */
export interface BulkRequest {
  readonly verb: JobVerb
  readonly ids?: readonly string[]
  readonly query?: { readonly q?: string }
  readonly dryRun?: boolean
  readonly reason?: string
  readonly cursor?: string
}

interface BulkFailure {
  readonly id: string
  readonly name: string | null
  readonly code: string
  readonly message: string
}

export interface BulkAnswer {
  readonly matched: number
  readonly applicable: number | null
  readonly done: number
  readonly failed: readonly BulkFailure[]
  readonly sample?: readonly string[]
  readonly nextCursor: string | null
}

/** How far it has come. */
export interface BulkProgress {
  /** Jobs that have been come to, whatever became of them. */
  readonly seen: number
  readonly done: number
  readonly failed: readonly BulkFailure[]
}

/** What would be done. */
export interface BulkForecast {
  readonly matched: number
  readonly applicable: number
  readonly sample: readonly string[]
}

type Send = (request: BulkRequest) => Promise<BulkAnswer>

/** The server takes so many ids at once. */
const MOST_IDS = 100

/** The parts in which jobs are named to the server. */
export function partsOf(selection: Selection, q: string): Pick<BulkRequest, 'ids' | 'query'>[] {
  if (selection.isAll) return [{ query: q === '' ? {} : { q } }]
  const ids = [...selection.ids]
  return Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, part) => ({
    ids: ids.slice(part * MOST_IDS, (part + 1) * MOST_IDS),
  }))
}

/** Asks what would be done, and does nothing. */
export async function forecast(
  verb: JobVerb,
  parts: readonly Pick<BulkRequest, 'ids' | 'query'>[],
  send: Send,
): Promise<BulkForecast> {
  let [matched, applicable] = [0, 0]
  let sample: readonly string[] = []
  for (const part of parts) {
    const answer = await send({ verb, ...part, dryRun: true })
    matched += answer.matched
    applicable += answer.applicable ?? answer.matched
    if (sample.length === 0) sample = answer.sample ?? []
  }
  return { matched, applicable, sample }
}

/** Does it, call by call, and tells after each how far it has come. What was begun is finished also when it is stopped. */
export async function carryOut(
  request: Pick<BulkRequest, 'verb' | 'reason'>,
  parts: readonly Pick<BulkRequest, 'ids' | 'query'>[],
  { send, onProgress, signal }: { send: Send; onProgress: (progress: BulkProgress) => void; signal: AbortSignal },
): Promise<void> {
  let progress: BulkProgress = { seen: 0, done: 0, failed: [] }
  for (const part of parts) {
    let cursor: string | null | undefined
    while (cursor !== null && !signal.aborted) {
      const answer: BulkAnswer = await send({ ...request, ...part, ...(cursor === undefined ? {} : { cursor }) })
      progress = {
        seen: progress.seen + answer.matched,
        done: progress.done + answer.done,
        failed: [...progress.failed, ...answer.failed],
      }
      onProgress(progress)
      cursor = answer.nextCursor
    }
  }
}
