import { z } from 'zod'
import { PontualError } from '../../errors.ts'
import { type AnyJobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import type { Company } from './company.ts'
import { type Invoice, invoicesOf } from './made-up-data.ts'
import { type Pace, takeStep } from './pace.ts'
import type { DemoTexts } from './texts.ts'

const CACHE_MS = 600_000

/** `ImportInvoices`: fetches the invoices of a month, checks each, and keeps those that add up. */
export function importInvoices(texts: DemoTexts, company: Company, pace: Pace): AnyJobType {
  const { timeZone, suppliers } = texts.company
  const { name, monthRule, requesting, supplierUnavailable, imported: importedOne, rejected } = texts.importInvoices
  return job(name, {
    input: z
      .strictObject({
        /** Such as `2026-03`. Default: the month it runs in. */
        month: z
          .string()
          .regex(/^\d{4}-(0[1-9]|1[0-2])$/, monthRule)
          .optional(),
        /** Makes the supplier's system unavailable for the first attempt or for all of them. */
        trouble: z.enum(['none', 'once', 'always']).default('none'),
      })
      .prefault({}),
    schedule: { trigger: cron('0 2 * * *', { timeZone }), misfire: { policy: 'fireOnce' } },
    run: async ({ month: given, trouble }, { attempt, signal, logger, progress, scheduledAt }) => {
      const month = given ?? new Date(scheduledAt ?? pace.env.now()).toISOString().slice(0, 7)
      const invoices = invoicesOf(month, texts)
      logger.info(requesting, { month })
      await takeStep(pace, signal)
      if (trouble === 'always' || (trouble === 'once' && attempt === 1)) {
        throw new PontualError('demo.supplier_away', supplierUnavailable(suppliers[0] ?? ''))
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
          logger.info(importedOne, {
            number: invoice.number,
            supplier: invoice.supplier,
            total: amountOf(invoice),
          })
        } else {
          logger.warn(rejected, { number: invoice.number, supplier: invoice.supplier })
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

function amountOf({ totalCents }: Invoice): string {
  return (totalCents / 100).toFixed(2)
}
