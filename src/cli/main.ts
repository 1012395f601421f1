#!/usr/bin/env node
import process from 'node:process'
import { showOverview } from './commands/show-overview.ts'
import { complaintOf, EXIT_CODES, exitCodeOf, toldError } from './errors.ts'
import { createProgram } from './program.ts'
import { processTerminal } from './terminal.ts'

// Who reads may stop early, as `head` does: then there is nothing more to say.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

const ENDING: readonly number[] = [EXIT_CODES.interrupted, EXIT_CODES.unreachable, EXIT_CODES.stillRunning]

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
  // Something may still be open: a database that does not answer, or a handler that does not end.
  if (ENDING.includes(exitCode)) process.exit()
}
