import { PontualError } from '../../errors.ts'
import type { Failure } from './execution.ts'
import { storableText } from './payload.ts'

const MAX_MESSAGE_LENGTH = 4_000
const MAX_NAME_LENGTH = 255
const MAX_STACK_LENGTH = 8_000

/** The handler did not end in time. */
export class TimeoutError extends PontualError {
  constructor(timeoutMs: number) {
    super('execution.timeout', `The handler did not end within ${timeoutMs} ms.`, { timeoutMs })
  }
}

/** What a handler throws to say that trying again makes no sense. */
export class NonRetryableError extends PontualError {
  constructor(message: string, options?: ErrorOptions) {
    super('execution.non_retryable', message, {}, options)
  }
}

/** Whatever was thrown, as it is kept. Never throws, though what was thrown may do so when it is looked at. */
export function failureOf(thrown: unknown): Failure {
  if (!isError(thrown)) return { name: 'Error', message: storableText(textOf(thrown), MAX_MESSAGE_LENGTH) }
  const code = readText(thrown, 'code')
  const stack = readText(thrown, 'stack')
  return {
    name: storableText(readText(thrown, 'name') ?? 'Error', MAX_NAME_LENGTH),
    message: storableText(readText(thrown, 'message') ?? 'An error without a readable message.', MAX_MESSAGE_LENGTH),
    ...(code === undefined ? {} : { code: storableText(code, MAX_NAME_LENGTH) }),
    ...(stack === undefined ? {} : { stack: storableText(stack, MAX_STACK_LENGTH) }),
  }
}

function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error
  } catch {
    return false
  }
}

function readText(thrown: Error, field: 'name' | 'message' | 'code' | 'stack'): string | undefined {
  try {
    const value: unknown = Reflect.get(thrown, field)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function textOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown
    return typeof thrown === 'object' && thrown !== null ? JSON.stringify(thrown) : String(thrown)
  } catch {
    return 'Something was thrown that cannot be put into words.'
  }
}
