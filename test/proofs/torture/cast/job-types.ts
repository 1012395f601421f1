import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyJobType, type JobContext, job } from '../../../../src/index.ts'
import type { HistoryWriter } from '../history/writer.ts'
import { orderType } from './order.ts'
import { PLAIN_TYPES, type PlainType, type Task } from './workload.ts'

/** The job types of one process. Whatever they do stands in the history before they do anything else. */
export function torturedTypes(history: HistoryWriter, by: string): AnyJobType[] {
  const plain = Object.keys(PLAIN_TYPES) as PlainType[]
  return [...plain.map((id) => plainType(id, history, by)), orderType(history, by)] as AnyJobType[]
}

function plainType(id: PlainType, history: HistoryWriter, by: string) {
  return job(id, {
    retry: PLAIN_TYPES[id],
    run: async (task: Task, context: JobContext) => {
      const { executionId, attempt, jobType, tenant, scheduledAt, signal, logger } = context
      const whose = { kind: 'effect', executionId, attempt, jobType, tenant, dueAt: scheduledAt ?? undefined } as const
      history.write({ ...whose, effect: 'began' })
      if (id === 'poison') process.kill(process.pid, 'SIGKILL')
      if (id === 'long' || id === 'deaf') logger.info('begun', { attempt, by })
      // What is thrown says who throws it, so that whoever reads what was recorded knows whose it is.
      await sleep(task.runMs, undefined, id === 'deaf' ? {} : { signal }).catch(() => {
        throw new Error(`aborted [${by} ${attempt}]`)
      })
      if (attempt <= task.failures) throw new Error(`as planned [${by} ${attempt}]`)
      const output = { attempt, by }
      history.write({ ...whose, effect: 'ended', detail: { output } })
      return output
    },
  })
}
