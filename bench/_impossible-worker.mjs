import { parentPort, workerData } from 'node:worker_threads'
import { FORGETFUL_PONTUAL, PEERS } from './_libraries.mjs'
import { median, timeMs } from './_measure.mjs'

// Asks one library for an occurrence that never comes, in a thread of its own that can be ended when it does not return.
const REPEAT_FOR_MS = 200
const { libraryName, expression, zone, after } = workerData
const library = [FORGETFUL_PONTUAL, ...PEERS].find(({ name }) => name === libraryName)
const input = library.input(after)

function ask() {
  try {
    const at = library.parseAndNext(expression, zone, input)
    return at === null ? 'null' : `answers ${new Date(at).toISOString()}`
  } catch (error) {
    return `refuses: ${error.message}`
  }
}

let answer
const firstMs = timeMs(() => {
  answer = ask()
})
const times = []
for (let spent = firstMs; spent < REPEAT_FOR_MS; spent += times.at(-1)) times.push(timeMs(ask))
parentPort.postMessage({ answer, firstMs, medianMs: times.length > 0 ? median(times) : firstMs })
