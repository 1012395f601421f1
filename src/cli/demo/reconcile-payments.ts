import { SeededRandom } from '../../durable/seeded-random.ts'
import { PontualError } from '../../errors.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import { type Pace, takeStep } from './pace.ts'
import type { DemoTexts } from './texts.ts'

/** The errors of banks. */
function troublesOf(
  texts: DemoTexts['reconcilePayments'],
): readonly ((bank: string, number: number) => PontualError)[] {
  const { unavailable, unreadable, unknownPayment, expiredCertificate } = texts
  return [
    (bank) => new PontualError('demo.bank_away', unavailable(bank)),
    (bank, number) => new PontualError('demo.statement_unreadable', unreadable(bank, number)),
    (_, number) => new PontualError('demo.payment_unknown', unknownPayment(100_000 + number)),
    (bank) => new PontualError('demo.certificate_expired', expiredCertificate(bank)),
  ]
}

/** `ReconcilePayments`: compares bank statements with invoices. The first attempt of one run in three fails, and one run in ten fails in the end; the job continues to fire. */
export function reconcilePayments({ reconcilePayments: texts, company: { banks } }: DemoTexts, pace: Pace): AnyJobType {
  const troubles = troublesOf(texts)
  return job(texts.name, {
    retry: { intervals: ['5s', '20s'] },
    schedule: {
      trigger: cron('*/2 * * * *'),
      // Short, so that a pause of two minutes shows missed occurrences.
      misfire: { policy: 'fireOnce', threshold: '10s' },
      overlap: 'queue',
      onFaulted: 'continue',
      retry: { retries: 2, intervals: ['5s', '20s'] },
    },
    run: async (_input: undefined, { executionId, attempt, signal, logger, progress }) => {
      const luck = new SeededRandom(`payments ${executionId}`)
      const [isTroubled, isLasting] = [luck.next() < 0.35, luck.next() < 0.3]
      const [trouble, bankInTrouble] = [
        Math.floor(luck.next() * troubles.length),
        Math.floor(luck.next() * banks.length),
      ]
      let payments = 0
      for (const [index, bank] of banks.entries()) {
        await takeStep(pace, signal)
        if (isTroubled && index === bankInTrouble && (isLasting || attempt === 1)) {
          logger.error(texts.stopped, { bank })
          throw troubles[trouble]?.(bank, Math.floor(luck.next() * 900)) ?? new Error(bank)
        }
        const found = 5 + Math.floor(luck.next() * 40)
        payments += found
        logger.info(texts.compared, { bank, payments: found })
        progress((index + 1) / banks.length, bank)
      }
      return { banks: banks.length, payments }
    },
  })
}
