import { Worker } from 'node:worker_threads'

/** How long a library may take to find out that a date never comes. */
export const PATIENCE_MS = 2_000

/** What a library says to an expression that never matches and how long that takes; it is ended when out of patience. */
export function askForImpossible(libraryName, expression, zone, after) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./_impossible-worker.mjs', import.meta.url), {
      workerData: { libraryName, expression, zone, after },
    })
    let patience
    const settle = (finish, value) => {
      clearTimeout(patience)
      worker.terminate().then(() => finish(value), reject)
    }
    // Loading the code counts too: a small part of it.
    worker.once('online', () => {
      patience = setTimeout(() => settle(resolve, { answer: 'does not return' }), PATIENCE_MS)
    })
    worker.once('message', (result) => settle(resolve, result))
    worker.once('error', (error) => settle(reject, error))
  })
}
