import { z } from 'zod'

const { localeError: inEnglish } = z.locales.en()

/** What Zod finds wrong with a value. */
export type ZodIssue = Parameters<typeof inEnglish>[0]

/** Whether an issue is Zod's own and says what Zod says by itself: what the author of a schema says in his own words is left to him. */
export function isZodOwn(issue: Readonly<Record<string, unknown>>): boolean {
  const { code, message } = issue as Partial<ZodIssue>
  return typeof code === 'string' && message !== undefined && textOf(inEnglish(issue as ZodIssue)) === message
}

export function textOf(said: ReturnType<typeof inEnglish>): string {
  return typeof said === 'string' ? said : (said?.message ?? '')
}
