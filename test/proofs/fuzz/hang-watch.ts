import { Worker } from 'node:worker_threads'

/**
 * Ends the process where one input keeps it busy for ever: nothing else could, since a parser that hangs hangs the timers of its test too. Says
 * before which input it was.
 */
export interface HangWatch {
  /** An input is about to be tried. */
  begin(check: string, seed: number, run: number): void
  /** Nothing is being tried. */
  rest(): void
  close(): Promise<void>
}

const HANGING_MS = 60_000
const TEXT_BYTES = 512
const [BEATS, BUSY, SEED, RUN, LENGTH] = [0, 1, 2, 3, 4]
const HEAD = 5

/** Runs beside: reads what the other thread noted, and kills the process once that has not changed for too long. */
const PROGRAM = `
const { workerData } = require('node:worker_threads')
const { writeSync } = require('node:fs')
const numbers = new Int32Array(workerData.memory, 0, ${HEAD})
const bytes = new Uint8Array(workerData.memory, ${HEAD * 4})
let [seen, since] = [-1, Date.now()]
setInterval(() => {
  const beats = Atomics.load(numbers, ${BEATS})
  if (beats !== seen || Atomics.load(numbers, ${BUSY}) === 0) [seen, since] = [beats, Date.now()]
  if (Date.now() - since < ${HANGING_MS}) return
  const check = Buffer.from(bytes.slice(0, Atomics.load(numbers, ${LENGTH}))).toString()
  writeSync(2, 'Hangs for ${HANGING_MS / 1000} s: ' + check + '\\n  npm run fuzz -- --only ' + JSON.stringify(check) +
    ' --seed ' + numbers[${SEED}] + ' --path ' + numbers[${RUN}] + '\\n')
  process.kill(process.pid, 'SIGKILL')
}, 1000)
`

export function watchForHangs(): HangWatch {
  const memory = new SharedArrayBuffer(HEAD * 4 + TEXT_BYTES)
  const numbers = new Int32Array(memory, 0, HEAD)
  const bytes = new Uint8Array(memory, HEAD * 4)
  // It runs no sources, so that it need not know how to read them.
  const worker = new Worker(PROGRAM, { eval: true, workerData: { memory }, execArgv: [] })
  worker.unref()
  let named = ''
  return {
    begin(check, seed, run) {
      if (check !== named) {
        named = check
        const text = new TextEncoder().encode(check).subarray(0, TEXT_BYTES)
        bytes.set(text)
        Atomics.store(numbers, LENGTH, text.length)
      }
      Atomics.store(numbers, SEED, seed)
      Atomics.store(numbers, RUN, run)
      Atomics.store(numbers, BUSY, 1)
      Atomics.add(numbers, BEATS, 1)
    },
    rest() {
      Atomics.store(numbers, BUSY, 0)
    },
    async close() {
      await worker.terminate()
    },
  }
}
