import type { Scope } from './scope.ts'

/** Names of the jobs that are told of, by their ids; without those of which nothing is left. */
export async function namesOfJobs(
  { store }: Pick<Scope, 'store'>,
  those: readonly { readonly jobId: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(those.flatMap(({ jobId }) => jobId ?? []))
  if (ids.size === 0) return new Map()
  return new Map((await store.jobs.find([...ids])).map(({ id, name }) => [id, name]))
}
