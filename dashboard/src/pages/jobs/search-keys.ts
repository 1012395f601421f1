import { EXECUTION_STATUSES } from '../../../../src/job/execution/execution.ts'
import { JOB_STATUSES } from '../../../../src/job/job-status.ts'
import { PRIORITIES } from '../../../../src/job/rules/priority.ts'
import { executionStatusName, jobStatusName, priorityName } from '../../language/names.ts'
import { anyText, anyTime } from '../../parts/search/search-values.ts'
import type { SearchKey } from '../../parts/search/suggest.ts'
import { listTexts } from './texts.ts'

/** What the list of jobs can be searched by; tags and types are those that are known so far. */
export function jobSearchKeys(tags: readonly string[], types: readonly string[]): readonly SearchKey[] {
  const texts = listTexts.value
  const key = (name: keyof typeof texts.keys) => ({
    key: name,
    name: texts.keys[name][0] ?? name,
    meaning: texts.keys[name][1] ?? '',
  })
  return [
    {
      ...key('status'),
      values: [
        ...JOB_STATUSES.filter((status) => status !== 'DELETED').map((status) => ({
          value: status.toLowerCase(),
          name: jobStatusName(status),
        })),
        ...EXECUTION_STATUSES.map((status) => ({
          value: status.toLowerCase(),
          name: texts.ofExecution(executionStatusName(status)),
        })),
      ],
    },
    { ...key('tag'), ...anyText(tags) },
    { ...key('type'), ...anyText(types) },
    {
      ...key('priority'),
      values: PRIORITIES.map((priority) => ({ value: priority.toLowerCase(), name: priorityName(priority) })),
    },
    { ...key('after'), ...anyTime(texts.ago) },
    { ...key('before'), ...anyTime(texts.ago) },
  ]
}
