import { refreshAnswers } from '../api/questions.ts'

/** However much happens, what is on the page is asked for no more often than this. */
const REST_MS = 2_000

export interface Refresher {
  /** Something has happened: what is on the page is asked for again, at once or as soon as may be. */
  readonly ask: () => void
  readonly stop: () => void
}

/** A page that nobody looks at asks for nothing; it catches up when it is seen again. A server that is slow is not asked before it has answered. */
export function makeRefresher(): Refresher {
  let isResting = false
  let isBehind = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = new AbortController()
  const rested = () => {
    isResting = false
    if (isBehind) ask()
  }
  const ask = () => {
    isBehind = true
    if (isResting || document.hidden) return
    isBehind = false
    isResting = true
    void refreshAnswers().finally(() => {
      if (!stop.signal.aborted) timer = setTimeout(rested, REST_MS)
    })
  }
  document.addEventListener('visibilitychange', () => isBehind && ask(), { signal: stop.signal })
  return {
    ask,
    stop: () => {
      clearTimeout(timer)
      stop.abort()
    },
  }
}
