import { describe, expect, it } from 'vitest'
import type { Stage } from './stage.ts'

/** The part of retention that reading has to keep: RN-JOB-112-06 without the archive itself. */
export function describeNinetyDays(at: () => Stage): void {
  describe('RN-JOB-112-06: history goes back 90 days', () => {
    it('an execution is seen for 90 days, and from then on by those who ask for the archive', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const { id: executionId } = await a.runs(id)
      const seen = async (query = '') => (await a.manager.get(`/api/jobs/${id}/historico${query}`)).body.items.length
      await at().test.advance('30 days')
      expect(await seen()).toBe(1)
      await at().test.advance(60 * 86_400_000 - 1)
      expect(await seen()).toBe(1)
      expect(await a.reads(id)).toMatchObject({ statistics: { totalExecutions: 1 } })
      await at().test.advance(1)
      expect([await seen(), await seen('?archived=true')]).toEqual([0, 1])
      expect(await a.reads(id)).toMatchObject({ statistics: { totalExecutions: 0 }, lastExecutions: [] })
      expect(await a.manager.get(`/api/jobs/executions/${executionId}`)).toMatchObject({ status: 200 })
    })
  })
}
