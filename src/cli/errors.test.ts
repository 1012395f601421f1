import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { describe, expect, it } from 'vitest'
import { PontualError } from '../errors.ts'
import { complaintOf, exitCodeOf, toldError } from './errors.ts'

const ofDatabase = (code: string, message: string) => Object.assign(new Error(message), { severity: 'ERROR', code })

function thrownBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}

it.each<[unknown, object, number]>([
  [new PontualError('a.b', 'A sentence.'), { code: 'a.b', message: 'A sentence.' }, 1],
  [new CommanderError(1, 'commander.x', 'error: x'), { code: 'commander.x' }, 2],
  [
    thrownBy(() => readFileSync('/no/such/file')),
    { code: 'system.enoent', message: "ENOENT: no such file or directory, open '/no/such/file'." },
    1,
  ],
  [
    ofDatabase('42501', 'permission denied for schema pontual'),
    {
      code: 'database.refused',
      message:
        'The database refuses: permission denied for schema pontual (42501). Take a role that may use the schema "pontual", or grant it that.',
    },
    4,
  ],
  [ofDatabase('42P01', 'no table'), { message: 'The database refuses: no table (42P01).' }, 1],
  [
    new TypeError('oops'),
    { code: 'unexpected', message: expect.stringMatching(/TypeError: oops\n +at /) as string },
    1,
  ],
  ['a text', { code: 'unexpected', message: 'Unexpected: a text' }, 1],
])('%s can be told', (thrown, told, exitCode) => {
  const error = toldError(thrown)
  expect(error).toMatchObject(told)
  expect(exitCodeOf(error)).toBe(exitCode)
})

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
