import type { StartGrant } from '../../job/starts.ts'
import type { Statement } from '../driver/driver.ts'
import type { RateStore } from '../rates.ts'
import type { Parts } from './parts.ts'

const acquireStarts: Statement = {
  name: 'acquireStarts',
  text: `
select granted, next_at as "nextAt"
from pontual.acquire_starts($1::float8, $2::text[], $3::text[], $4::int[], $5::int[], $6::float8[])
order by turn`,
}

// One that somebody uses at this moment is not past.
const removePast: Statement = {
  name: 'removePastRates',
  text: `
with past as (
  delete from pontual.rates
  where ctid = any(array(
    select ctid
    from pontual.rates
    where expires_at <= pontual.clock($1::float8)
    limit $2::int
    for update skip locked
  ))
  returning 1
)
select count(*)::int as count
from past`,
}

const BATCH = 1_000

export function rateStore({ driver, testTime }: Parts): RateStore {
  return {
    async acquire(requests) {
      if (requests.length === 0) return []
      return await driver.query<StartGrant>(acquireStarts, [
        testTime(),
        requests.map(({ jobType }) => jobType),
        // No tenant has a name that is empty.
        requests.map(({ tenant }) => tenant ?? ''),
        requests.map(({ wanted }) => wanted),
        requests.map(({ limit }) => limit),
        requests.map(({ perMs }) => perMs),
      ])
    },
  }
}

/** Removes the rates of which nothing counts any more, a batch at a time. */
export async function removePastRates({ driver, testTime }: Parts): Promise<void> {
  for (;;) {
    const [row] = await driver.query<{ readonly count: number }>(removePast, [testTime(), BATCH])
    if ((row?.count ?? 0) < BATCH) return
  }
}
