import { readFileSync } from 'node:fs'
import process from 'node:process'
import { InvalidInputError, quote } from '../../errors.ts'

/** A value in JSON, as an option has it: the JSON itself, `@file`, or `@-` for standard input. */
export function readInput(text: string, name: string): unknown {
  const isFile = text.startsWith('@')
  const json = isFile ? readFile(text.slice(1), name) : text
  try {
    return JSON.parse(json) as unknown
  } catch (cause) {
    const source = isFile ? quote(text.slice(1)) : quote(text)
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `${name} must be JSON, such as '{"month":3}', or a file with it, such as @input.json; ${source} is not: ${why}`
    throw new InvalidInputError('option.invalid', message, { name }, { cause })
  }
}

function readFile(file: string, name: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new InvalidInputError('option.invalid', `${name}: ${quote(file)} cannot be read: ${why}`, { name }, { cause })
  }
}
