import process from 'node:process'

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
