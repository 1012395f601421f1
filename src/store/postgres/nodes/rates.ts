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
