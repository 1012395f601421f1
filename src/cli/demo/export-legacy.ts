import { PontualError } from '../../errors.ts'
import { type AnyJobType, job } from '../../job/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import { type Pace, takeStep } from './pace.ts'

/** `ExportarLegado`: writes to a server that was switched off. It fails for good, and then fires no more until somebody resumes it. */
export function exportLegacy(pace: Pace): AnyJobType {
  return job('ExportarLegado', {
    retry: { retries: 1, intervals: ['3s'] },
    schedule: { trigger: cron('* * * * *'), retry: { retries: 1, intervals: ['3s'] } },
    run: async (_input: undefined, { signal, logger }) => {
      logger.info('Connecting to ftp.legado.example')
      await takeStep(pace, signal)
      logger.warn('No answer; trying port 2121')
      await takeStep(pace, signal)
      throw new PontualError('demo.server_gone', 'getaddrinfo ENOTFOUND ftp.legado.example')
    },
  })
}
