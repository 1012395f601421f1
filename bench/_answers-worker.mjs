import { parentPort, workerData } from 'node:worker_threads'
import { LIBRARIES, PONTUAL } from './_libraries.mjs'

// Answers rows one by one and announces whom it asks, so that the one that does not return can be named.
for (const row of workerData.rows) {
  const answers = {}
  for (const library of LIBRARIES) {
    parentPort.postMessage({ asked: library.name })
    const found = tryAnswers(library, row)
    if (found && !found.includes(null)) answers[library.name] = found
  }
  parentPort.postMessage({ answers })
}

function tryAnswers(library, { expression, zone, instants }) {
  try {
    const parsed = library.parse(expression, zone)
    return instants.map((instant) => library.next(parsed, library.input(instant)))
  } catch (error) {
    if (library === PONTUAL) throw error
    return null
  }
}
