import { setImmediate as nextTurn } from 'node:timers/promises'

/** What arrives while a flush is under way goes with the next one, and so do those who come back because of the one before. */
export function coalesce(flush) {
  let waiting = []
  let isFlushing = false
  const drain = async () => {
    isFlushing = true
    for (;;) {
      await nextTurn()
      if (waiting.length === 0) break
      const batch = waiting
      waiting = []
      try {
        await flush(batch.map(({ input }) => input))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isFlushing = false
  }
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (!isFlushing) void drain()
    })
}
