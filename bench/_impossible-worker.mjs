import { parentPort, workerData } from 'node:worker_threads'
import { LIBRARIES } from './_libraries.mjs'
import { median } from './_measure.mjs'

const REPEAT_UNTIL_MS = 300
const library = LIBRARIES.find(({ name }) => name === workerData.library)
const parse = workerData.isFirstSight ? library.parseAnew : library.parse

function ask() {
  try {
    const at = library.next(library.parse(workerData.expression, workerData.zone), library.input(workerData.after))
    return at === null ? 'null' : `answers ${new Date(at).toISOString()}`
  } catch (error) {
    return `refuses: ${error.message}`
  }
}
