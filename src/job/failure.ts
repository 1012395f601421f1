import { PontualError } from '../errors.ts'
import type { Failure } from './execution.ts'
import { storableText } from './storable-text.ts'

const MAX_MESSAGE_LENGTH = 4_000
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

/** Whatever was thrown, as it is kept. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { name: 'Error', message: storableText(textOf(thrown), MAX_MESSAGE_LENGTH) }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? storableText(thrown.code, 255) : undefined
  return {
    name: storableText(String(thrown.name), 255),
    message: storableText(String(thrown.message), MAX_MESSAGE_LENGTH),
    ...(code === undefined ? {} : { code }),
    ...(typeof thrown.stack === 'string' ? { stack: storableText(thrown.stack, MAX_STACK_LENGTH) } : {}),
  }
}

function textOf(thrown: unknown): string {
  try {
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown))
  } catch {
    return String(thrown)
  }
}
