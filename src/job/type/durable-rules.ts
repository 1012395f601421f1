import { InvalidInputError } from '../../errors.ts'

/** What does not go with a durable job, and what to do instead. */
const REASONS = {
  isolate: 'a durable job cannot be isolated; isolate what its activities call, or start an isolated job with ctx.call',
  cache: 'a durable job has no cache: what it has done is recorded; cache a job that it starts with ctx.call',
  retry: 'a durable job is not retried as a whole: give each activity its own retry',
} as const

/** Throws where a durable job is given an option that means nothing for it. */
export function refuseForDurable<Name extends keyof typeof REASONS>(
  options: { readonly [Each in Name]?: unknown },
  names: readonly Name[],
  thing: string,
): void {
  for (const name of names) {
    if (options[name] === undefined) continue
    throw new InvalidInputError('option.invalid', `${thing}: ${REASONS[name]}. Leave ${name} out.`, { name })
  }
}
