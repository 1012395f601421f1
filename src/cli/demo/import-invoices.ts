import { z } from 'zod'
import { PontualError } from '../../errors.ts'
import { type AnyJobType, job } from '../../job/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import type { Company } from './company.ts'
import { type Invoice, invoicesOf } from './made-up-data.ts'
import { type Pace, takeStep } from './pace.ts'

const CACHE_MS = 600_000

/** `ImportarFaturas`: fetches the invoices of a month, checks each, and keeps those that add up. */
export function importInvoices(company: Company, pace: Pace): AnyJobType {
  return job('ImportarFaturas', {
    input: z
      .strictObject({
        /** Such as `2026-03`. Default: the month it runs in. */
        month: z
          .string()
          .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'It must be a month such as 2026-03.')
          .optional(),
        /** Lets the supplier's system be away: for the first attempt, or for all of them. */
        trouble: z.enum(['none', 'once', 'always']).default('none'),
      })
      .prefault({}),
    schedule: { trigger: cron('0 2 * * *', { timeZone: 'America/Sao_Paulo' }), misfire: { policy: 'fireOnce' } },
    run: async ({ month: given, trouble }, { attempt, signal, logger, progress, scheduledAt }) => {
      const month = given ?? new Date(scheduledAt ?? pace.env.now()).toISOString().slice(0, 7)
      const invoices = invoicesOf(month)
      logger.info('Asking suppliers', { month })
      await takeStep(pace, signal)
      if (trouble === 'always' || (trouble === 'once' && attempt === 1)) {
        throw new PontualError('demo.supplier_away', 'The system of supplier Vivo does not answer.')
      }
      let imported = 0
      for (const [index, invoice] of invoices.entries()) {
        await takeStep(pace, signal)
        if (addsUp(invoice)) {
          imported += company.invoices.has(invoice.number) ? 0 : 1
          company.invoices.set(invoice.number, invoice)
          company.cache.set(`supplier:${invoice.supplier}:${invoice.number}`, {
            bytes: JSON.stringify(invoice).length,
            expiresAt: pace.env.now() + CACHE_MS,
          })
          logger.info('Imported an invoice', {
            number: invoice.number,
            supplier: invoice.supplier,
            total: reais(invoice),
          })
        } else {
          logger.warn('Refused an invoice that does not add up', { number: invoice.number, supplier: invoice.supplier })
        }
        progress((index + 1) / invoices.length, invoice.number)
      }
      return { month, invoices: invoices.length, imported, refused: invoices.filter((each) => !addsUp(each)).length }
    },
  })
}

function addsUp({ lines, totalCents }: Invoice): boolean {
  return lines.reduce((total, { cents }) => total + cents, 0) === totalCents
}

function reais({ totalCents }: Invoice): string {
  return (totalCents / 100).toFixed(2)
}
