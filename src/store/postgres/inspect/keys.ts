import type { Driver, Statement } from '../../driver/driver.ts'

const listKeys: Statement = {
  name: 'inspectKeys',
  text: `
select
  key_id as id,
  count(*) as "dataKeys"
from pontual.data_keys
group by key_id
order by key_id`,
}

/** A key that what is stored needs, and how many data keys it has wrapped. */
export interface NeededKey {
  readonly id: string
  readonly dataKeys: number
}

export function inspectKeys(driver: Driver): Promise<NeededKey[]> {
  return driver.query<NeededKey>(listKeys)
}
