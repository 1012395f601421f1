import { CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { PontualError } from '../errors.ts'
import { complaintOf } from './complaint.ts'

const refused = new PontualError('job.unknown', 'There is no \u001b[31mjob.', { name: 'x' })

describe('what is said about an error', () => {
  it.each<[CommanderError | PontualError, string]>([
    [refused, 'There is no job.\n'],
    [new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'"), "unknown option '--x'\n"],
    [new CommanderError(1, 'commander.help', '(outputHelp)'), ''],
  ])('is a sentence: %s', (error, text) => {
    expect(complaintOf(error, false)).toBe(text)
  })

  it.each<[CommanderError | PontualError, object]>([
    [refused, { code: 'job.unknown', message: refused.message, details: { name: 'x' } }],
    [
      new CommanderError(1, 'commander.missingMandatoryOptionValue', "error: required option '--x' not specified"),
      { code: 'usage.missing_mandatory_option_value', message: "required option '--x' not specified", details: {} },
    ],
    [
      new CommanderError(1, 'commander.help', '(outputHelp)'),
      { code: 'usage.help', message: 'A command is missing, or there is no such one: see --help.', details: {} },
    ],
  ])('is JSON: %s', (error, told) => {
    expect(JSON.parse(complaintOf(error, true))).toEqual({ error: told })
  })
})
