import { constants } from 'node:os'
import process from 'node:process'
import { Worker } from 'node:worker_threads'
import { PontualError } from '../errors.ts'
import type { StillRunning } from '../pontual.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Waits until somebody ends this process: Ctrl+C, or whoever runs it. Asked a second time, it ends at once. */
export async function untilStopped(): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = () => {
      for (const signal of SIGNALS) process.off(signal, stop)
      resolve()
    }
    for (const signal of SIGNALS) process.on(signal, stop)
  })
}

/** Ends the process at the next signal. Without this the first process of a container would ignore it. */
export function exitOnSignal(): void {
  for (const signal of SIGNALS) process.on(signal, () => process.exit(128 + constants.signals[signal]))
}

const KILL = `
const { workerData } = require('node:worker_threads')
setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData)`

/** Kills the process after so long, from a thread: a handler may block the event loop, and with it every timer. */
export function killAfter(ms: number): void {
  const thread = new Worker(KILL, { eval: true, workerData: ms, execArgv: [], name: 'pontual-exit' })
  thread.on('error', () => {})
  thread.unref()
}

/** A service has stopped while handlers still ran. */
export class StillRunningError extends PontualError {
  constructor(handlers: readonly StillRunning[]) {
    const names = handlers.map(({ jobType, executionId }) => `${jobType} (${executionId})`).join(', ')
    const message = `Handlers ignored their signal, and ended with this process: ${names}. Other nodes run them again in a few seconds; the attempt does not count. Heed context.signal, or raise PONTUAL_SHUTDOWN_GRACE.`
    super('node.still_running', message, { executions: handlers.map(({ executionId }) => executionId) })
  }
}
