import type { StartGrant } from '../../../job/rules/rate-limit.ts'
import type { Statement } from '../../driver/driver.ts'
import type { RateStore } from '../../rates.ts'
import type { Parts } from '../parts.ts'

const acquireStarts: Statement = {
  name: 'acquireStarts',
  text: `
select granted, at, next_at as "nextAt"
from pontual.grant_starts(
  $1::float8,
  $2::text[],
  $3::text[],
  $4::int[],
  $5::int[],
  $6::float8[],
  $7::float8[],
  $8::float8[],
  $9::int[]
)
order by turn`,
}

// A rate that another transaction uses at this moment is not past.
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
        // No tenant has an empty name.
        requests.map(({ tenant }) => tenant ?? ''),
        requests.map(({ wanted }) => wanted),
        requests.map(({ limit }) => limit),
        requests.map(({ perMs }) => perMs),
        requests.map(({ withinMs }) => withinMs ?? 0),
        requests.map(({ returned }) => returned?.at ?? null),
        requests.map(({ returned }) => returned?.count ?? 0),
      ])
    },
  }
}

/** Removes rates without a start that counts, a batch at a time. */
export async function removePastRates({ driver, testTime }: Parts): Promise<void> {
  for (;;) {
    const [row] = await driver.query<{ readonly count: number }>(removePast, [testTime(), BATCH])
    if ((row?.count ?? 0) < BATCH) return
  }
}
