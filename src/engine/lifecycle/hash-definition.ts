import { createHash } from 'node:crypto'
import { canonicalText } from '../../job/execution/payload.ts'
import type { JobDefinition } from '../../job/job.ts'

/**
 * SHA-256 of what a job runs, when, and under which name, in hexadecimal. The order in which a store keeps fields says nothing, and neither does the
 * application that declares it.
 */
export function hashDefinition(name: string, definition: JobDefinition): string {
  const { declaredBy: _, payload, ...rest } = definition
  const text = JSON.stringify([
    name,
    canonicalText(JSON.stringify(rest)),
    payload === null ? null : canonicalText(payload),
  ])
  return createHash('sha256').update(text).digest('hex')
}

/** Of a payload alone, for the audit log: what it holds need not be kept for years. */
export function hashPayload(payload: string): string {
  return createHash('sha256').update(canonicalText(payload)).digest('hex')
}
