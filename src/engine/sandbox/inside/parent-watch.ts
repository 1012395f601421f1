import process from 'node:process'
import { Worker } from 'node:worker_threads'

/**
 * Runs beside the handler, so that it goes on where the handler blocks its event loop. It is text, not a file: it needs none of the loaders with
 * which a file would come, and starts in a few milliseconds.
 */
const WATCH = `
const { workerData: parent } = require('node:worker_threads')
const isAlive = () => {
  if (process.ppid !== parent) return false
  try {
    return process.kill(parent, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}
setInterval(() => {
  if (isAlive()) return
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
}, 1000)`

/** Ends this process, and what it has started, when its parent is gone: a loop that is blocked does not hear that the channel is closed. */
export function watchParent(): void {
  const watch = new Worker(WATCH, {
    eval: true,
    workerData: process.ppid,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  })
  // Without it the process still ends when its channel does.
  watch.on('error', () => {})
  watch.unref()
}
