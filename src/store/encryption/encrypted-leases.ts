import type { Ending, LeaseStore } from '../leases.ts'
import type { Box } from './box.ts'
import type { Boxes } from './boxes.ts'
import type { Owners } from './owners.ts'
import { noteOf, openBody, outputOf, sealFailure, sealText, sealWords } from './sealed-body.ts'

/** Whoever ends an execution is not kept from it by a key that is away: then only what it gave is lost. */
export function encryptedLeases(leases: LeaseStore, boxes: Boxes, owners: Owners): LeaseStore {
  const boxOfEach = boxesOfExecutions(boxes, owners)
  return {
    ...leases,
    async claim(request) {
      const claim = await leases.claim(request)
      const boxOf = await boxes.of(claim.executions.map(({ body }) => body.tenant))
      const executions = claim.executions.map((claimed) => {
        owners.note(claimed.body)
        return { ...claimed, body: openBody(boxOf(claimed.body.tenant), claimed.body) }
      })
      return { ...claim, executions }
    },
    async finish(endings) {
      const withWords = endings.filter(({ output, error }) => output !== null || error !== null)
      const boxOf = await boxOfEach(withWords.map(({ executionId }) => executionId))
      return await leases.finish(
        endings.map((ending): Ending => {
          const { executionId: id, output, error } = ending
          if (output === null && error === null) return ending
          const box = boxOf(id)
          return {
            ...ending,
            output: sealText(box, outputOf(id), output),
            error: error && sealFailure(box, id, error),
          }
        }),
      )
    },
    async retry(retries) {
      const boxOf = await boxOfEach(retries.map(({ executionId }) => executionId))
      return await leases.retry(
        retries.map((retry) => ({
          ...retry,
          error: sealFailure(boxOf(retry.executionId), retry.executionId, retry.error),
        })),
      )
    },
    async progress(reports) {
      const noted = reports.filter(({ note }) => note !== null)
      const boxOf = await boxOfEach(noted.map(({ executionId }) => executionId))
      return await leases.progress(
        reports.map((report) => {
          if (report.note === null) return report
          const { executionId: id, note } = report
          return { ...report, note: sealWords(boxOf(id), noteOf(id), note) }
        }),
      )
    },
  }
}

/** The boxes of executions; null for one that is gone, of which nothing is stored anyway. */
export function boxesOfExecutions(
  boxes: Boxes,
  owners: Owners,
): (ids: readonly string[]) => Promise<(id: string) => Box | null> {
  return async (ids) => {
    const found = await owners.of(ids)
    const boxOf = await boxes.of([...found.values()].map(({ tenant }) => tenant))
    return (id) => {
      const owner = found.get(id)
      return owner ? boxOf(owner.tenant) : null
    }
  }
}
