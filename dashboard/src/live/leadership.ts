interface Candidate {
  /** No longer stands, and stops leading. */
  readonly signal: AbortSignal
  /** What the leader does until its signal is aborted. */
  readonly lead: (signal: AbortSignal) => Promise<void>
}

const LOCK = 'pontual.live'

/**
 * One tab of a browser leads; when it is closed, the next one does. Where there are no locks, as over plain http, every tab leads itself. Returns how to take
 * over from a leader that is there but does nothing any more, as a tab that the browser has put to sleep.
 */
export function standForLeader({ signal, lead }: Candidate): () => void {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (!locks) {
    void lead(signal)
    return () => {}
  }
  let standing = new AbortController()
  const stand = (isForced: boolean) => {
    const own = new AbortController()
    standing = own
    const term = AbortSignal.any([signal, own.signal])
    // Who is forced out learns it from the lock: its term is over, and it waits its turn again.
    const outOfOffice = () => {
      own.abort()
      if (standing === own && !signal.aborted) stand(false)
    }
    locks.request(LOCK, isForced ? { steal: true } : { signal: term }, () => lead(term)).catch(outOfOffice)
  }
  stand(false)
  return () => {
    const before = standing
    stand(true)
    before.abort()
  }
}
