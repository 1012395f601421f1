#!/usr/bin/env node
import process from 'node:process'
import { showOverview } from './commands/show-overview.ts'
import { complaintOf } from './complaint.ts'
import { EXIT_CODES, exitCodeOf } from './exit-code.ts'
import { createProgram } from './program.ts'
import { processTerminal } from './terminal.ts'
import { toldError } from './told-error.ts'

// Who reads may stop early, as `head` does: then there is nothing more to say.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

const isJson = process.argv.includes('--json')
// What is said beside the answer is for people.
const terminal = isJson ? { ...processTerminal(), note: () => {} } : processTerminal()

try {
  if (process.argv.length > 2) await createProgram(terminal).parseAsync()
  else showOverview(terminal)
} catch (thrown) {
  const error = toldError(thrown)
  const exitCode = exitCodeOf(error)
  if (exitCode !== EXIT_CODES.done) process.stderr.write(complaintOf(error, isJson))
  process.exitCode = exitCode
  // Whatever is still open, such as a database that does not answer: somebody wants his terminal back.
  if (exitCode === EXIT_CODES.interrupted || exitCode === EXIT_CODES.unreachable) process.exit()
}
