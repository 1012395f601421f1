/** A figure, and what it is held against. */
export interface Watched {
  readonly value: number
  readonly threshold: number
  /** Whether it has to be more than the threshold, and not just as much. */
  readonly isExclusive: boolean
  /** An open alert closes once the value has stayed below this. */
  readonly clearAt: number
  readonly holdMs: number
  readonly clearMs: number
  readonly isEnabled: boolean
}

/** Where a figure stands. */
export interface FigureState {
  readonly isOpen: boolean
  /** Since when it is too high, or was when its alert opened. */
  readonly highSince: number | null
  /** Since when it has been low while its alert is open. */
  readonly lowSince: number | null
}

export const WELL: FigureState = { isOpen: false, highSince: null, lowSince: null }

/**
 * What becomes of a figure's alert. It opens once the figure has been too high for a while without a break, and closes once it has been low for a while without
 * a break: what goes up and down between the two changes nothing.
 */
export function nextState(watched: Watched, state: FigureState, now: number): FigureState {
  if (!watched.isEnabled) return WELL
  return state.isOpen ? whileOpen(watched, state, now) : whileClosed(watched, state, now)
}

function whileClosed(watched: Watched, { highSince }: FigureState, now: number): FigureState {
  if (!isHigh(watched)) return WELL
  const since = highSince ?? now
  return { isOpen: now - since >= watched.holdMs, highSince: since, lowSince: null }
}

function whileOpen({ value, clearAt, clearMs }: Watched, state: FigureState, now: number): FigureState {
  if (value >= clearAt) return { ...state, lowSince: null }
  const lowSince = state.lowSince ?? now
  return now - lowSince >= clearMs ? WELL : { ...state, lowSince }
}

function isHigh({ value, threshold, isExclusive }: Watched): boolean {
  return isExclusive ? value > threshold : value >= threshold
}
