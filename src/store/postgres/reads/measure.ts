import { firstUuidAt } from '../../../uuid.ts'
import type { MeasureQuery, Measures } from '../../executions.ts'
import type { Parts } from '../parts.ts'
import { type EndedPage, type Held, sumPages } from './ended-pages.ts'
import { measureExecutions, measureExecutionsOf, readHeld } from './measure-statements.ts'

/** So many at once, so that no question takes long and others come in between. */
const PAGE = 2_500
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export async function readMeasures(parts: Parts, query: MeasureQuery): Promise<Measures> {
  const [[held], pages] = await Promise.all([
    parts.driver.query<Held>(readHeld, [parts.testTime(), query.tenant]),
    readPages(parts, query),
  ])
  if (held) return sumPages(pages, held, query)
  throw new TypeError('A sum over everything gave no row.')
}

/** The newest first; one after another, since each goes on where the one before it ends. */
async function readPages(parts: Parts, query: MeasureQuery): Promise<EndedPage[]> {
  const pages: EndedPage[] = []
  let left = Math.max(0, query.limit)
  let before: string | null = AFTER_ALL
  while (left > 0 && before !== null) {
    const most = Math.min(PAGE, left)
    const page = await readPage(parts, query, before, most)
    pages.push(page)
    left -= page.ended
    before = page.ended < most ? null : page.oldestId
  }
  return pages
}

async function readPage({ driver }: Parts, query: MeasureQuery, before: string, most: number): Promise<EndedPage> {
  const { tenant, since } = query
  const values = [since, firstUuidAt(Math.max(0, since)), before, most]
  const [page] =
    tenant === null
      ? await driver.query<EndedPage>(measureExecutions, values)
      : await driver.query<EndedPage>(measureExecutionsOf, [...values, tenant])
  if (page) return page
  throw new TypeError('A sum over everything gave no row.')
}
