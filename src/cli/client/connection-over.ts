import type { Env } from '../../clock.ts'
import { entityTag } from '../../server/request/entity-tag.ts'
import { type AskOptions, type Connection, cutOff, readAnswer, UnreachableError } from './connection.ts'
import { followEvents } from './events.ts'

/** How requests get to a service and answers back. */
export interface Way {
  readonly place: string
  readonly isDirect: boolean
  readonly env: Env
  /** Throws an UnreachableError where no answer comes. */
  send(path: string, request: RequestInit): Promise<Response>
  close(): Promise<void>
}

const DEADLINE_MS = 30_000

/** What the API understands, over any way to it. */
export function connectionOver(way: Way): Connection {
  const { place, isDirect, env } = way
  return {
    place,
    isDirect,
    close: () => way.close(),
    ask: async <Answer>(method: string, path: string, body?: unknown, options: AskOptions = {}) => {
      const deadline = new AbortController()
      const cancel = env.after(DEADLINE_MS, () => deadline.abort(tooLate(place)))
      const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal
      const request = { ...questionOf(method, body, options.version), signal }
      try {
        const answer = way.send(path, request).then((response) => readAnswer(response, place))
        return (await untilAborted(answer, signal)) as Answer
      } catch (error) {
        throw signal.aborted ? signal.reason : cutOff(error, place)
      } finally {
        cancel()
      }
    },
    stream: (path, signal, onCut) => {
      const open = (lastId: string | null, either: AbortSignal) => {
        const headers = { accept: 'text/event-stream', ...(lastId !== null && { 'last-event-id': lastId }) }
        return way.send(path, { method: 'GET', headers, signal: either })
      }
      return followEvents({ env, place, signal, onCut, open })
    },
  }
}

function questionOf(method: string, body: unknown, version: number | undefined): RequestInit {
  const headers = {
    accept: 'application/json',
    'accept-language': 'en',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(version !== undefined && { 'if-match': entityTag(version) }),
  }
  return { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
}

/** A way that does not hear the signal is left behind. */
async function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let leave = () => {}
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error)
  })
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

function tooLate(place: string): UnreachableError {
  const message = `${place} has given no answer within ${DEADLINE_MS / 1_000} s: what was asked for may have been done or not. Look before you ask again.`
  return new UnreachableError('client.timeout', message, { place })
}
