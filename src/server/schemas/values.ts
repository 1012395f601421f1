import { z } from 'zod'
import type { UnreadableCode } from '../../job/execution/unreadable.ts'
import { expected } from './expected.ts'

/** Kinds of values that occur in many requests and answers. */

/** RFC 3339 with an offset. */
export const instant = z.iso
  .datetime({
    offset: true,
    error: expected(
      'Expected an instant of RFC 3339 with its offset, such as 2026-01-31T09:00:00Z',
      'expected.instant',
    ),
  })
  .refine((text) => !(Date.parse(text) < 0), {
    error: expected('Expected an instant of 1970 or later', 'expected.instant_since_1970'),
  })
  .meta({ examples: ['2026-01-31T09:00:00Z'] })

/** An instant as it is answered. */
export const answeredInstant = z.string().meta({ format: 'date-time' })

export const id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, {
    error: expected('Expected an id, which is a UUID', 'expected.id'),
  })
  .transform((text) => text.toLowerCase())
  .pipe(z.string().meta({ format: 'uuid' }))

/** Text up to a length, which counts characters as people do. */
export function text(longest: number, shortest = 0): z.ZodType<string, string> {
  return z
    .string()
    .refine((value) => isLength(Array.from(value).length, shortest, longest), {
      error: expected(`Expected ${shortest} to ${longest} characters`, 'expected.length', {
        min: shortest,
        max: longest,
      }),
    })
    .meta(shortest === 0 ? { maxLength: longest } : { minLength: shortest, maxLength: longest })
}

function isLength(length: number, shortest: number, longest: number): boolean {
  return length >= shortest && length <= longest
}

/** JSON of any kind. */
export const anything = z.unknown()

/** Parameters come as text. */
export function integerParameter(smallest: number, largest: number) {
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, {
      error: expected(`Expected a whole number from ${smallest} to ${largest}`, 'expected.integer', {
        min: smallest,
        max: largest,
      }),
    })
    .transform(Number)
    .pipe(z.int().min(smallest).max(largest))
}

export const booleanParameter = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .pipe(z.boolean())

/** Some of a set of words, with commas between them. */
export function listParameter<const Word extends string>(words: readonly [Word, ...Word[]] | readonly Word[]) {
  return z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(z.enum(words)).min(1).max(50))
}

/** Some texts, with commas between them. */
export const textListParameter = z
  .string()
  .transform((value) => value.split(','))
  .pipe(z.array(z.string().min(1).max(255)).min(1).max(50))

/** Text, and tokens such as `status:failed`. */
export const searchParameter = z
  .string()
  .max(255)
  .meta({ description: 'Text to look for, and tokens such as status:failed or after:2d.' })

export const cursorParameter = z.string().min(1).max(2_000)

const PAGE_DEFAULT = 50
export const PAGE_LIMIT = 200

export function limitParameter(fallback = PAGE_DEFAULT) {
  return integerParameter(1, PAGE_LIMIT).default(fallback)
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() })
}

/** Why something that is stored is not shown. */
export const unreadable = z
  .enum(['payload_undecryptable', 'payload_erased'] satisfies UnreadableCode[])
  .meta({ description: 'Why there is nothing to be seen: it cannot be decrypted, or was erased.' })
