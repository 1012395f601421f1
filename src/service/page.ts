import { requireInteger } from '../time/require.ts'
import type { Page } from './api.ts'
import type { CursorPlace, CursorScope, CursorShape, Cursors } from './cursor.ts'

/** The longest page that anybody gets. */
export const MAX_PAGE = 200

export interface PageRequest<Found> {
  readonly limit: number
  readonly cursor: string | undefined
  /** What the cursor holds for. */
  readonly scope: CursorScope
  /** What the place is made of. */
  readonly shape: CursorShape
  /** Reads up to so many, from where the last page ended. */
  read(limit: number, after: CursorPlace | undefined): Promise<readonly Found[]>
  placeOf(last: Found): CursorPlace
}

/** A page of a list, and where the next one begins, if there is one. */
export async function pageOf<Found>(cursors: Cursors, request: PageRequest<Found>): Promise<Page<Found>> {
  const limit = requireInteger(request.limit, 'limit', 1, MAX_PAGE)
  const found = await request.read(limit + 1, cursors.read(request.cursor, request.scope, request.shape))
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const hasMore = found.length > limit && last !== undefined
  return { items, nextCursor: hasMore ? cursors.write(request.placeOf(last), request.scope) : null }
}
