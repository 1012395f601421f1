import { Worker } from 'node:worker_threads'

const PATIENCE_MS = 500

/** What every library answers to each row, by its name; nothing where it refuses the expression or does not return. */
export async function answersTo(rows) {
  const answers = []
  while (answers.length < rows.length) {
    const stuck = await answerFrom(rows.slice(answers.length), answers)
    // A row on which a library is stuck is of no use for a comparison.
    if (stuck) answers.push({ doesNotReturn: stuck })
  }
  return answers
}

/** Collects answers until all rows are answered, or until a library is stuck: then resolves to its name. */
function answerFrom(rows, answers) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./_answers-worker.mjs', import.meta.url), { workerData: { rows } })
    let [asked, askedAt, left] = [undefined, 0, rows.length]
    const settle = (finish, value) => {
      clearInterval(patience)
      worker.terminate().then(() => finish(value), reject)
    }
    const patience = setInterval(() => {
      if (asked && performance.now() - askedAt > PATIENCE_MS) settle(resolve, asked)
    }, 50)
    worker.on('message', (message) => {
      asked = message.asked
      askedAt = performance.now()
      if (!message.answers) return
      answers.push(message.answers)
      if (--left === 0) settle(resolve, undefined)
    })
    worker.once('error', (error) => settle(reject, error))
  })
}
