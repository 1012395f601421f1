import process from 'node:process'
import { PontualError } from '../../errors.ts'

/** By Ctrl+C, or by whoever runs this process. */
export class InterruptedError extends PontualError {}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

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
