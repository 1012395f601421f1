import { useQuery } from '@tanstack/preact-query'
import { apiAddress } from '../../api/places.ts'
import type { ServiceHealth } from '../../api/wire.ts'

/** What the server says about itself; the status alone to whoever may not know more, and `unreachable` where it says nothing. */
export type Health = ServiceHealth | { readonly status: ServiceHealth['status'] | 'unreachable' }

const EVERY_MS = 10_000

/** Asked for in a way of its own: an answer of 503 is the answer, not a problem. */
export function useHealth() {
  return useQuery<Health>({
    queryKey: ['health/ready'],
    queryFn: ({ signal }) => askHealth(signal),
    refetchInterval: EVERY_MS,
    networkMode: 'always',
    meta: { isLive: false },
  })
}

async function askHealth(signal: AbortSignal): Promise<Health> {
  try {
    const answer = await fetch(apiAddress('health/ready'), { credentials: 'same-origin', signal })
    if (answer.status === 200 || answer.status === 503) return (await answer.json()) as Health
  } catch {
    // Nobody is there, or something in between has answered.
  }
  return { status: 'unreachable' }
}
