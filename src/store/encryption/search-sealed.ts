import type { Execution } from '../../job/execution/execution.ts'
import type { ExecutionSearch } from '../executions.ts'
import { searchError } from '../search-text.ts'

const PAGE = 200
/** So many errors are opened for one question: it is work, and others wait meanwhile. */
const MOST_OPENED = 2_000

const WITH_ERROR = ['FAILED', 'TIMEOUT', 'CANCELLED', 'DIVERGED'] as const

/** Executions whose error says something, where only who has the key can tell: the last ones are opened, the newest first. */
export async function searchSealed(
  search: (query: ExecutionSearch) => Promise<Execution[]>,
  query: ExecutionSearch,
): Promise<Execution[]> {
  const { errorText = '', limit, ...rest } = query
  const statuses = WITH_ERROR.filter((status) => query.statuses?.includes(status) ?? true)
  const sought = searchError(errorText)
  const found: Execution[] = []
  let { before } = query
  for (let opened = 0; opened < MOST_OPENED && found.length < limit; opened += PAGE) {
    const page = await search({ ...rest, statuses, before, limit: PAGE })
    found.push(...page.filter(({ error }) => error !== null && searchError(error.message).includes(sought)))
    before = page.at(-1)?.id
    if (page.length < PAGE) break
  }
  return found.slice(0, Math.max(0, limit))
}
