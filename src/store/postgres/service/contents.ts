import { ERASED } from '../../../job/execution/unreadable.ts'
import {
  type ContentPage,
  type ContentStore,
  ERASED_FAILURE,
  type EraseResult,
  type StoredText,
  type TenantContentStore,
} from '../../contents.ts'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'
import { writeAudit } from './write-audit.ts'

const readContentPage: Statement = {
  name: 'readContentPage',
  text: `
select each.id
from pontual.content_page($1::uuid, $2::int) as each (id)
order by each.id`,
}

const readContents: Statement = {
  name: 'readContents',
  text: `
select
  execution_id as "executionId",
  tenant,
  origin,
  title as "table",
  part,
  content as "column",
  name,
  value as text
from pontual.contents_of($1::uuid[])`,
}

const rewriteContents: Statement = {
  name: 'rewriteContents',
  text: `
select pontual.rewrite_contents($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as count`,
}

const eraseContents: Statement = {
  name: 'eraseContents',
  text: `
select pontual.erase_contents($1::uuid, $2::text, $3::text) as result`,
}

export function tenantContentStore(parts: Parts): TenantContentStore {
  const { driver, testTime } = parts
  return {
    erase: (executionId, audit) =>
      driver.transaction(async (transaction) => {
        const values = [executionId, ERASED, JSON.stringify(ERASED_FAILURE)]
        const [row] = await transaction.query<{ result: EraseResult }>(eraseContents, values)
        const result = row?.result ?? 'unknown'
        if (audit && result === 'erased') await writeAudit(transaction, [audit], testTime())
        return result
      }),
  }
}

export function contentStore(parts: Parts): ContentStore {
  const { driver } = parts
  return {
    ...tenantContentStore(parts),
    async read(after, limit): Promise<ContentPage> {
      const ids = (await driver.query<{ id: string }>(readContentPage, [after, limit])).map(({ id }) => id)
      if (ids.length === 0) return { last: null, texts: [] }
      return { last: ids.at(-1) ?? null, texts: await driver.query<StoredText>(readContents, [ids]) }
    },

    async rewrite(changes) {
      if (changes.length === 0) return 0
      const [row] = await driver.query<{ count: number }>(rewriteContents, [
        changes.map(({ executionId }) => executionId),
        changes.map(({ table }) => table),
        changes.map(({ part }) => part),
        changes.map(({ column }) => column),
        changes.map(({ before }) => before),
        changes.map(({ after }) => after),
      ])
      return row?.count ?? 0
    },
  }
}
