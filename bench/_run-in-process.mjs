import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const WORKER = fileURLToPath(new URL('./_contest-worker.mjs', import.meta.url))
const LIMIT_MS = 180_000

/** To take too long is a result, an error is none. */
export class TimeLimitError extends Error {}

/** Runs one task of one contestant in a process of its own, under the Node of the contest, and resolves to its figures. */
export function runInProcess(node, assignment) {
  return new Promise((resolve, reject) => {
    const child = fork(WORKER, [JSON.stringify(assignment)], {
      execPath: node.path,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const kill = () => child.kill('SIGKILL')
    process.once('exit', kill)
    let answer = {}
    const limit = setTimeout(() => {
      answer = { overdue: `not done after ${LIMIT_MS / 1000} s` }
      kill()
    }, LIMIT_MS)
    child.on('message', (message) => {
      answer = message
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(limit)
      process.off('exit', kill)
      if (answer.figures) resolve(answer.figures)
      else reject(answer.overdue ? new TimeLimitError(answer.overdue) : new Error(`ended with ${code}`))
    })
  })
}
