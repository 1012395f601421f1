import type { Execution } from '../../job/execution/execution.ts'
import type { ExecutionSearch, ExecutionStore } from '../executions.ts'
import type { FiredExecution, OccurrenceStore } from '../occurrences.ts'
import { searchError } from '../search-text.ts'
import type { Boxes } from './boxes.ts'
import type { Owners } from './owners.ts'
import {
  openExecution,
  openFailure,
  openText,
  outputOf,
  payloadOf,
  sealBody,
  sealNew,
  sealText,
} from './sealed-body.ts'

const PAGE = 200

/** So many errors are opened for one question: it is work, and others wait meanwhile. */
const MOST_OPENED = 2_000

const WITH_ERROR = ['FAILED', 'TIMEOUT', 'CANCELLED', 'DIVERGED'] as const

/** Executions whose error says something, where only who has the key can tell: the last ones are opened, the newest first. */
async function searchSealed(
  search: (query: ExecutionSearch) => Promise<Execution[]>,
  query: ExecutionSearch,
): Promise<Execution[]> {
  const { errorText = '', limit, ...rest } = query
  const statuses = WITH_ERROR.filter((status) => query.statuses?.includes(status) ?? true)
  const sought = searchError(errorText)
  const found: Execution[] = []
  let { before } = query
  for (let opened = 0; opened < MOST_OPENED && found.length < limit; opened += PAGE) {
    const page = await search({ ...rest, statuses, before, limit: PAGE })
    found.push(...page.filter(({ error }) => error !== null && searchError(error.message).includes(sought)))
    before = page.at(-1)?.id
    if (page.length < PAGE) break
  }
  return found.slice(0, Math.max(0, limit))
}

export function encryptedExecutions(executions: ExecutionStore, boxes: Boxes, owners: Owners): ExecutionStore {
  const opened = async (found: readonly Execution[]): Promise<Execution[]> => {
    const boxOf = await boxes.of(found.map(({ tenant }) => tenant))
    return found.map((execution) => {
      owners.note(execution)
      return openExecution(boxOf(execution.tenant), execution)
    })
  }
  return {
    ...executions,
    async enqueue(wanted, options) {
      const boxOf = await boxes.needed(
        wanted.map(({ body }) => body.tenant),
        options,
      )
      const results = await executions.enqueue(
        wanted.map((each) => sealNew(boxOf(each.body.tenant), each)),
        options,
      )
      return results.map((result, index) => {
        const tenant = wanted[index]?.body.tenant
        if (result.payload === null || tenant === undefined) return result
        return { ...result, payload: openText(boxOf(tenant), payloadOf(result.id), result.payload) }
      })
    },
    find: async (ids, where) => await opened(await executions.find(ids, where)),
    list: async (filter) => await opened(await executions.list(filter)),
    async search(query) {
      if (query.errorText === undefined) return await opened(await executions.search(query))
      return await searchSealed(async (page) => await opened(await executions.search(page)), query)
    },
    async recent(query) {
      const found = await executions.recent(query)
      const box = found.some(({ error }) => error !== null) ? await boxes.one(query.tenant) : null
      return found.map((execution) => ({ ...execution, error: openFailure(box, execution.id, execution.error) }))
    },
    async predecessors(id) {
      const records = await executions.predecessors(id)
      if (records.length === 0) return records
      const tenant = (await owners.of([id])).get(id)?.tenant
      const box = tenant === undefined ? null : await boxes.one(tenant)
      return records.map((record) => ({
        ...record,
        output: openText(box, outputOf(record.executionId), record.output),
        error: openFailure(box, record.executionId, record.error),
      }))
    },
    async statistics(query) {
      const statistics = await executions.statistics(query)
      const { lastFailure } = statistics
      if (!lastFailure) return statistics
      const box = await boxes.one(query.tenant)
      const error = openFailure(box, lastFailure.executionId, lastFailure.error)
      return { ...statistics, lastFailure: { ...lastFailure, error } }
    },
    async failures(query) {
      const found = await executions.failures(query)
      if (found.length === 0) return found
      const box = await boxes.one(query.tenant)
      return found.map((record) => ({ ...record, error: openFailure(box, record.executionId, record.error) }))
    },
  }
}

export function encryptedOccurrences(occurrences: OccurrenceStore, boxes: Boxes): OccurrenceStore {
  return {
    ...occurrences,
    async fire(firings) {
      const boxOf = await boxes.of(firings.flatMap(({ fired }) => fired.map(({ body }) => body.tenant)))
      // A tenant whose key is away fires all the same: its executions tell that they cannot be read.
      const sealed = (execution: FiredExecution): FiredExecution => {
        const { body } = execution
        const box = boxOf(body.tenant)
        return {
          ...execution,
          body: box ? sealBody(box, body) : { ...body, payload: sealText(null, payloadOf(body.id), body.payload) },
        }
      }
      return await occurrences.fire(firings.map((firing) => ({ ...firing, fired: firing.fired.map(sealed) })))
    },
  }
}
