import { PontualError } from '../../errors.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import { type Pace, takeStep } from './pace.ts'
import type { DemoTexts } from './texts.ts'

/** `ExportLegacy`: writes to a server that was switched off. Every run fails, so the job stops firing until an operator resumes it. */
export function exportLegacy({ exportLegacy: texts }: DemoTexts, pace: Pace): AnyJobType {
  return job(texts.name, {
    retry: { retries: 1, intervals: ['3s'] },
    schedule: { trigger: cron('* * * * *'), retry: { retries: 1, intervals: ['3s'] } },
    run: async (_input: undefined, { signal, logger }) => {
      logger.info(texts.connecting)
      await takeStep(pace, signal)
      logger.warn(texts.retrying)
      await takeStep(pace, signal)
      throw new PontualError('demo.server_gone', texts.failed)
    },
  })
}
