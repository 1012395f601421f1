import { SeededRandom } from '../../durable/seeded-random.ts'
import { PontualError } from '../../errors.ts'
import { type AnyJobType, job } from '../../job/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import { type Pace, takeStep } from './pace.ts'

const BANKS = ['Banco do Brasil', 'Itaú', 'Bradesco', 'Santander'] as const

/** What goes wrong at banks, by how it is told. */
const TROUBLES: readonly ((bank: string, number: number) => PontualError)[] = [
  (bank) => new PontualError('demo.bank_away', `Connection to ${bank} timed out after 30000 ms.`),
  (bank, number) =>
    new PontualError('demo.statement_unreadable', `Line ${number} of the statement of ${bank} is no date.`),
  (_, number) => new PontualError('demo.payment_unknown', `There is no invoice for payment ${100_000 + number}.`),
  (bank) => new PontualError('demo.certificate_expired', `The certificate of ${bank} has expired.`),
]

/**
 * `ConciliarPagamentos`: compares what banks say was paid with what was billed. Banks being what they are, one run in three fails at first, and one in ten for
 * good; the job goes on firing all the same.
 */
export function reconcilePayments(pace: Pace): AnyJobType {
  return job('ConciliarPagamentos', {
    retry: { intervals: ['5s', '20s'] },
    schedule: {
      trigger: cron('*/2 * * * *'),
      // Short, so that whoever ends the demo for two minutes sees what was missed.
      misfire: { policy: 'fireOnce', threshold: '10s' },
      overlap: 'queue',
      onFaulted: 'continue',
      retry: { retries: 2, intervals: ['5s', '20s'] },
    },
    run: async (_input: undefined, { executionId, attempt, signal, logger, progress }) => {
      const luck = new SeededRandom(`payments ${executionId}`)
      const [isTroubled, isLasting] = [luck.next() < 0.35, luck.next() < 0.3]
      const [trouble, bankInTrouble] = [
        Math.floor(luck.next() * TROUBLES.length),
        Math.floor(luck.next() * BANKS.length),
      ]
      let payments = 0
      for (const [index, bank] of BANKS.entries()) {
        await takeStep(pace, signal)
        if (isTroubled && index === bankInTrouble && (isLasting || attempt === 1)) {
          logger.error('Cannot go on', { bank })
          throw TROUBLES[trouble]?.(bank, Math.floor(luck.next() * 900)) ?? new Error(bank)
        }
        const found = 5 + Math.floor(luck.next() * 40)
        payments += found
        logger.info('Compared a statement', { bank, payments: found })
        progress((index + 1) / BANKS.length, bank)
      }
      return { banks: BANKS.length, payments }
    },
  })
}
