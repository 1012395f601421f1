#!/usr/bin/env node
import { CommanderError } from 'commander'
import { systemClock } from '../clock.ts'
import { InvalidInputError, PontualError } from '../errors.ts'
import { showOverview } from './commands/show-overview.ts'
import { createProgram } from './program.ts'

/** 0 done, 1 failed, 2 not understood: a wrong option or an invalid value. */
const FAILED = 1
const NOT_UNDERSTOOD = 2

// Who reads may stop early, as `head` does: then there is nothing more to say.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

try {
  const terminal = { now: systemClock.now(), write: (text: string) => process.stdout.write(text) }
  if (process.argv.length > 2) await createProgram(terminal).parseAsync()
  else showOverview(terminal)
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : NOT_UNDERSTOOD
  } else if (error instanceof PontualError) {
    const isJson = process.argv.includes('--json')
    const { code, message, details } = error
    process.stderr.write(isJson ? `${JSON.stringify({ error: { code, message, details } })}\n` : `${message}\n`)
    process.exitCode = error instanceof InvalidInputError ? NOT_UNDERSTOOD : FAILED
  } else {
    throw error
  }
}
