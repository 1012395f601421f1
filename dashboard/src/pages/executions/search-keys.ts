import { EXECUTION_STATUSES } from '../../../../src/job/execution/execution.ts'
import { executionStatusName } from '../../language/names.ts'
import { anyText, anyTime } from '../../parts/search/search-values.ts'
import type { SearchKey } from '../../parts/search/suggest.ts'
import { executionListTexts } from './texts.ts'

interface Known {
  readonly types: readonly string[]
  readonly jobs: readonly string[]
}

/** What the list of executions can be searched by. */
export function executionSearchKeys({ types, jobs }: Known): readonly SearchKey[] {
  const texts = executionListTexts.value
  const key = (name: keyof typeof texts.keys) => ({
    key: name,
    name: texts.keys[name][0] ?? name,
    meaning: texts.keys[name][1] ?? '',
  })
  return [
    {
      ...key('status'),
      values: EXECUTION_STATUSES.map((status) => ({ value: status.toLowerCase(), name: executionStatusName(status) })),
    },
    { ...key('type'), ...anyText(types) },
    { ...key('job'), ...anyText(jobs) },
    { ...key('tag'), ...anyText([]) },
    { ...key('after'), ...anyTime(texts.ago) },
    { ...key('before'), ...anyTime(texts.ago) },
  ]
}
