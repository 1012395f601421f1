import type { Page } from '../../service/answers.ts'
import type { Connection } from './connection.ts'

const PAGE = 200

/** A list, page by page, up to so many. `nextCursor` is null where that is all of it. */
export async function collectPages<Item>(
  connection: Connection,
  path: string,
  query: URLSearchParams,
  limit: number,
): Promise<Page<Item>> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const asked = new URLSearchParams(query)
    asked.set('limit', String(Math.min(PAGE, limit - items.length)))
    if (cursor !== null) asked.set('cursor', cursor)
    const page: Page<Item> = await connection.ask('GET', `${path}?${asked.toString()}`)
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && items.length < limit)
  return { items, nextCursor: cursor }
}

/** The parameters of a question; what is undefined is not asked for. */
export function queryOf(parameters: Readonly<Record<string, string | readonly string[] | undefined>>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value.length > 0) query.set(name, typeof value === 'string' ? value : value.join(','))
  }
  return query
}
