import { constants } from 'node:os'
import process from 'node:process'
import { Worker } from 'node:worker_threads'
import type { Env } from '../clock.ts'
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

/** By Ctrl+C, or by whoever runs this process. */
export class InterruptedError extends PontualError {}

/** Does something that lasts until it is done or somebody interrupts it; then it is told so, and an InterruptedError says what is so now. */
export async function interruptible<Result>(
  last: (signal: AbortSignal) => Promise<Result>,
  sentence: string,
): Promise<Result> {
  const controller = new AbortController()
  const stop = () => controller.abort()
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    const result = await last(controller.signal)
    if (controller.signal.aborted) throw new InterruptedError('interrupted', sentence)
    return result
  } catch (error) {
    throw controller.signal.aborted ? new InterruptedError('interrupted', sentence) : error
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
  }
}

/** Waits, or until the signal is aborted. */
export function pause(env: Env, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = env.after(delayMs, end)
    signal.addEventListener('abort', end)
  })
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
