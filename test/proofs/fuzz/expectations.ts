import { isDeepStrictEqual } from 'node:util'
import { PontualError } from '../../../src/errors.ts'

/** What was documented does not hold for an input. */
class Violation extends Error {}

export function violated(message: string): never {
  throw new Violation(message)
}

export function requireThat(isTrue: boolean, message: () => string): void {
  if (!isTrue) violated(message())
}

export function requireEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) violated(`${what}: expected ${shown(expected)}, got ${shown(actual)}`)
}

function shown(value: unknown): string {
  try {
    const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value))
    return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text
  } catch {
    return String(value)
  }
}

/** What a reader made of its input: a value, or a refusal on purpose. */
export type Read<Value> = { readonly value: Value } | { readonly refusal: PontualError }

const MOST_CHARACTERS = 3_000
/** What a terminal or an editor would act on; lines and tabs are none of it. */
const OBEYED = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

/** Has something read. Whatever it throws but an error of ours with one of these codes, and a message that can be shown, is a violation. */
export function reading<Value>(read: () => Value, codes: readonly (string | RegExp)[]): Read<Value> {
  try {
    return { value: read() }
  } catch (error) {
    if (!(error instanceof PontualError)) violated(`threw ${describeThrown(error)}`)
    const { code, message } = error
    const isKnown = codes.some((each) => (typeof each === 'string' ? each === code : each.test(code)))
    requireThat(isKnown, () => `refused with the code ${code}: ${message}`)
    requireThat(
      message.length > 0 && message.length < MOST_CHARACTERS,
      () => `a message of ${message.length} characters`,
    )
    requireThat(!OBEYED.test(message), () => `a message with characters that are obeyed: ${JSON.stringify(message)}`)
    return { refusal: error }
  }
}

function describeThrown(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error)
}

const TRIES = 3

/** How long something may keep a processor busy, whatever others do with theirs; what was compiled or collected meanwhile is not there in another try. */
export function within<Value>(milliseconds: number, what: string, act: () => Value): Value {
  let fastest = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < TRIES; turn += 1) {
    const { value, took } = timed(act)
    if (took <= milliseconds) return value
    fastest = Math.min(fastest, took)
  }
  return violated(`${what} took ${Math.round(fastest)} ms, allowed ${milliseconds}`)
}

function timed<Value>(act: () => Value): { readonly value: Value; readonly took: number } {
  const before = process.cpuUsage()
  const value = act()
  const { user, system } = process.cpuUsage(before)
  return { value, took: (user + system) / 1000 }
}

const PROTOTYPES: readonly object[] = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
const KEYS = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype))

/** Nothing has come into what every object inherits from. */
export function requireUnpolluted(): void {
  for (const [index, prototype] of PROTOTYPES.entries()) {
    const added = Reflect.ownKeys(prototype).filter((key) => !KEYS[index]?.includes(key))
    for (const key of added) Reflect.deleteProperty(prototype, key)
    requireThat(added.length === 0, () => `a prototype has got ${added.map(String).join(', ')}`)
  }
}
