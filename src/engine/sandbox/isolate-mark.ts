import process from 'node:process'

const MARK = Symbol.for('pontual.isolate')

/** Each thread has one of its own, and every copy of Pontual in it finds it. */
const place = process as { [MARK]?: unknown }

/** Says that this thread or process is an isolate of a job type. */
export function markIsolate(jobType: string): void {
  place[MARK] = jobType
}

/** The job type whose isolate this is; null where it is none. */
export function isolatedType(): string | null {
  const jobType = place[MARK]
  return typeof jobType === 'string' ? jobType : null
}
