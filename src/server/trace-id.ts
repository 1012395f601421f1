import type { Env } from '../clock.ts'

/** `traceparent` of W3C Trace Context: version, trace id, parent id, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

const NO_TRACE = '0'.repeat(32)

/** The trace that a request is part of, or one of its own. */
export function traceIdOf(headers: Headers, env: Env): string {
  const traceId = TRACEPARENT.exec(headers.get('traceparent') ?? '')?.[1]
  if (traceId !== undefined && traceId !== NO_TRACE) return traceId
  return env.uuid(env.now()).replaceAll('-', '')
}
