import { grantStarts, type StartGrant } from '../../job/starts.ts'
import type { RateRequest, RateStore } from '../rates.ts'
import type { Session } from './session.ts'
import { keyOf } from './table.ts'
import type { Tables } from './tables.ts'

export function rateStore(session: Session): RateStore {
  return {
    acquire: (requests) => session.statement((tables, now) => requests.map((request) => acquire(tables, request, now))),
  }
}

function acquire(tables: Tables, request: RateRequest, now: number): StartGrant {
  const { jobType, tenant } = request
  const key = keyOf(jobType, tenant ?? '')
  const { granted, nextAt, starts } = grantStarts(tables.rates.get(key)?.starts ?? [], request, now)
  if (granted > 0) tables.rates.put({ key, starts, expiresAt: (starts.at(-1)?.at ?? now) + request.perMs })
  return { granted, nextAt }
}

/** Removes the rates of which nothing counts any more. */
export function removePastRates(tables: Tables, now: number): void {
  const past = [...tables.rates.rows()].filter(({ expiresAt }) => expiresAt <= now)
  for (const { key } of past) tables.rates.take(key)
}
