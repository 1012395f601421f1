import { keepPreviousData, QueryClient, useInfiniteQuery, useQuery } from '@tanstack/preact-query'
import { language } from '../language/language.ts'
import { ask, withParameters } from './ask.ts'
import { Problem } from './problem.ts'
import type { Page } from './wire.ts'

const FRESH_MS = 5_000
const RETRIES = 2

export const questions = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      // What was refused stays refused; who was not there may be there the next time.
      retry: (count, error) =>
        count < RETRIES && (!(error instanceof Problem) || error.status === 0 || error.status === 503),
    },
  },
})

interface QuestionOptions {
  /** Asks only while this holds. */
  readonly isAsked?: boolean
  /** Whether it is asked again when something has happened. Default: yes. */
  readonly isLive?: boolean
  readonly everyMs?: number | undefined
  /** Shows the last answer while another one is waited for, as where somebody types. */
  readonly keepsLast?: boolean
}

/** Asks the API for what is at a path, and again whenever something has happened to the tenant's jobs. */
export function useAnswer<Answer>(path: string, options: QuestionOptions = {}) {
  const { isAsked = true, isLive = true, everyMs, keepsLast = false } = options
  return useQuery<Answer, Error>({
    // Names and sentences are answered in the language of the page.
    queryKey: [path, language.value],
    queryFn: ({ signal }) => ask<Answer>(path, { signal }),
    enabled: isAsked,
    meta: { isLive },
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
  })
}

/** A list, page by page. */
export function usePages<Item>(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | null | undefined>>,
  { isAsked = true, isLive = true, keepsLast = false }: Omit<QuestionOptions, 'everyMs'> = {},
) {
  const asked = withParameters(path, parameters)
  const query = useInfiniteQuery({
    queryKey: [asked, language.value, 'pages'],
    queryFn: ({ pageParam, signal }) =>
      ask<Page<Item>>(withParameters(path, { ...parameters, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }: Page<Item>) => nextCursor,
    enabled: isAsked,
    meta: { isLive },
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
  })
  return { ...query, items: query.data?.pages.flatMap(({ items }) => items) ?? [] }
}

/** Asks again whatever is on the page and may have changed. */
export function refreshAnswers(): Promise<void> {
  return questions.invalidateQueries({ predicate: ({ meta }) => meta?.['isLive'] !== false })
}
