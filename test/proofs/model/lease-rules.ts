/** What the statements of the store do; each rule that is not kept is a bug that the invariants have to find. */
export interface Rules {
  /** `finish` names the epoch it holds. */
  readonly finishIsFenced: boolean
  /** So do `retry` and `release`. */
  readonly retryIsFenced: boolean
  /** A claim gives the next epoch. */
  readonly epochGrows: boolean
  /** A claim takes a row only if it still stands where it was seen. */
  readonly claimLooksAgain: boolean
  /** A cancel that waited for a row looks whether it still stands there. */
  readonly cancelLooksAgain: boolean
  /** Recovery takes a lease only if it still stands where it was seen. */
  readonly recoverLooksAgain: boolean
  /** Recovery takes a node off the list only if its lease is over, also at the moment its row is locked. */
  readonly recoverSparesTheLiving: boolean
  /** Attempts are counted at the claim, and a lost one counts. */
  readonly lostAttemptCounts: boolean
  /** Free slots are read after a lock on the tenant, not from the snapshot of the statement. */
  readonly slotsAreLocked: boolean
  /** A slot is a number under a unique key. */
  readonly slotsAreKeys: boolean
  /** A claim waits for no limit that is being changed, and takes nothing meanwhile. */
  readonly limitStopsClaims: boolean
  /** A limit numbers what runs without a slot. */
  readonly limitNumbersLeases: boolean
  /** A free slot is a lease that is gone; or a number that is counted down at the end, by those who do not forget it or do it twice. */
  readonly slotIsFreed: 'withItsLease' | 'neverByRecovery' | 'againByLateEnds'
  /** What was claimed without anybody knowing is given back. */
  readonly strangersAreReleased: boolean
}

export const RULES: Rules = {
  finishIsFenced: true,
  retryIsFenced: true,
  epochGrows: true,
  claimLooksAgain: true,
  cancelLooksAgain: true,
  recoverLooksAgain: true,
  recoverSparesTheLiving: true,
  lostAttemptCounts: true,
  slotsAreLocked: true,
  slotsAreKeys: true,
  limitStopsClaims: true,
  limitNumbersLeases: true,
  slotIsFreed: 'withItsLease',
  strangersAreReleased: true,
}
