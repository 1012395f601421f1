import { useEffect, useState } from 'preact/hooks'
import { withParameters } from '../../api/ask.ts'
import { useAnswer } from '../../api/questions.ts'
import type { JobView, Page } from '../../api/wire.ts'
import { idIn, searchOf } from './search-text.ts'

const SHOWN = 8
const STILL_MS = 150

/** Jobs that fit what was typed, asked for once somebody stops typing. What is not understood, as half a token, finds nothing. */
export function useJobSearch(typed: string): { readonly jobs: readonly JobView[]; readonly isSearching: boolean } {
  const q = idIn(typed) === null ? searchOf(typed) : ''
  const asked = useSettled(q)
  const found = useAnswer<Page<JobView>>(withParameters('jobs', { q: asked, limit: SHOWN }), {
    isAsked: asked !== '',
    isLive: false,
    keepsLast: true,
  })
  const isSearching = q !== asked || found.isFetching
  if (q === '' || asked === '' || (found.error && !isSearching)) return { jobs: [], isSearching }
  return { jobs: found.data?.items ?? [], isSearching }
}

/** What something is once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), STILL_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
