/** The only place that knows what time it is; everything else is handed a clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
}
