import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/ask.ts'
import type { CronAnswer } from '../../api/wire.ts'
import { language } from '../../language/language.ts'

/** Whoever types is not asked about at every key. */
const QUIET_MS = 250

/** What the server makes of an expression: for a job under its calendar, for `new` under none. */
export function useCronAnswer(jobId: string, cronExpression: string, timeZone: string) {
  const [asked, setAsked] = useState({ cronExpression, timeZone })
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ cronExpression, timeZone }), QUIET_MS)
    return () => clearTimeout(timer)
  }, [cronExpression, timeZone])
  const query = useQuery<CronAnswer, Error>({
    queryKey: ['validate-cron', jobId, asked.cronExpression, asked.timeZone, language.value],
    queryFn: ({ signal }) => ask<CronAnswer>(`jobs/${jobId}/validate-cron`, { method: 'POST', body: asked, signal }),
    enabled: asked.cronExpression.trim() !== '' && asked.timeZone !== '',
    meta: { isLive: false },
    placeholderData: keepPreviousData,
  })
  const isCurrent = asked.cronExpression === cronExpression && asked.timeZone === timeZone && !query.isPlaceholderData
  return { answer: cronExpression.trim() === '' ? undefined : query.data, isCurrent }
}
