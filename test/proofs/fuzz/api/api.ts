import fc from 'fast-check'
import { describeApi } from '../../../../src/server/routes/openapi.ts'
import { routes } from '../../../../src/server/routes/routes.ts'
import type { Tables } from '../../../../src/store/memory/schema/tables.ts'
import type { Check, OpenedCheck } from '../check.ts'
import { requireThat } from '../expectations.ts'
import { readDescription } from './document.ts'
import { judge } from './judge.ts'
import { type MadeUpRequest, madeUpRequests } from './requests.ts'
import { type ApiStage, openApiStage, visibleMemory } from './stage.ts'
import { differences, foreignDifferences, seeTables } from './tables-seen.ts'

/** As it is given out: through JSON, as whoever reads it does. */
const description = readDescription(JSON.parse(JSON.stringify(describeApi(routes, ''))))

/** So many requests come to one service, one after the other. */
const MOST_REQUESTS = 25
/** Of a processor, for one answer. */
const ANSWER_MS = 5_000

function open(): OpenedCheck {
  let sent = 0
  const answered = new Map<string, Set<number>>()
  const note = ({ operation }: MadeUpRequest, status: number) => {
    sent += 1
    answered.set(operation.id, (answered.get(operation.id) ?? new Set()).add(status))
  }
  const requests = fc.array(madeUpRequests(description), { minLength: 1, maxLength: MOST_REQUESTS, size: 'max' })
  const property = fc.asyncProperty(requests, (all) => sendAll(all, note))
  return {
    property,
    counted: () => sent,
    figures: () => ({
      'operations of the API that were asked for': answered.size,
      'different answers of operations': [...answered.values()].reduce((sum, statuses) => sum + statuses.size, 0),
    }),
  }
}

async function sendAll(requests: readonly MadeUpRequest[], note: Note): Promise<void> {
  const { tables, source } = visibleMemory()
  const stage = await openApiStage(source)
  for (const request of requests) await sendOne(stage, tables, request, note)
}

type Note = (request: MadeUpRequest, status: number) => void

async function sendOne(stage: ApiStage, tables: Tables, request: MadeUpRequest, note: Note): Promise<void> {
  const { operation, asker } = request
  await stage.settle()
  const before = seeTables(tables)
  const usage = process.cpuUsage()
  const answer = await stage.send(request)
  const took = process.cpuUsage(usage).user / 1000
  const after = seeTables(tables)
  note(request, answer.status)
  judge(request, answer, description)
  requireThat(took < ANSWER_MS, () => `${operation.id} took ${Math.round(took)} ms`)
  const isSafe = answer.status >= 400 || operation.method === 'GET'
  const changed = isSafe ? differences(before, after) : []
  requireThat(
    changed.length === 0,
    () => `${operation.id} answers ${answer.status}, and has changed ${changed.join(', ')}`,
  )
  const foreign = foreignDifferences(before, after, asker?.tenant ?? null)
  requireThat(foreign.length === 0, () => `${operation.id} has changed what is another tenant's: ${foreign.join(', ')}`)
}

export const apiChecks: readonly Check[] = [
  {
    target: 'api',
    name: 'every request is answered as the description says, and a refused one changes nothing',
    inputs: 'requests to the API, by its description and against it',
    share: 20,
    invariants: ['I27'],
    atLeast: 10_000,
    open,
  },
]
