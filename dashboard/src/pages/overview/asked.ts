import { useEffect, useRef } from 'preact/hooks'
import { useAnswer } from '../../api/questions.ts'
import type { DashboardView, ExecutionView, FailuresView, Page, SeriesView, UpcomingView } from '../../api/wire.ts'

/** What reads a whole day is asked for this often, and as soon as something has failed: not whenever anything happens. */
const DAY_EVERY_MS = 30_000

export function useDashboard() {
  return useAnswer<DashboardView>('jobs/dashboard')
}

/** The last day, as a series. */
export function useSeries(failed: number | undefined) {
  return useAskedAgain(useAnswer<SeriesView>('jobs/series?hours=24', { isLive: false, everyMs: DAY_EVERY_MS }), failed)
}

export function useFailures(failed: number | undefined) {
  return useAskedAgain(useAnswer<FailuresView>('jobs/failures', { isLive: false, everyMs: DAY_EVERY_MS }), failed)
}

export function useUpcoming() {
  return useAnswer<UpcomingView>('jobs/upcoming')
}

export function useRunning() {
  return useAnswer<Page<ExecutionView>>('jobs/executions?status=RUNNING&limit=10')
}

function useAskedAgain<Query extends { readonly refetch: () => Promise<unknown> }>(
  query: Query,
  failed: number | undefined,
): Query {
  const known = useRef(failed)
  const { refetch } = query
  useEffect(() => {
    if (known.current !== undefined && known.current !== failed) void refetch()
    known.current = failed
  }, [failed, refetch])
  return query
}
