import { z } from 'zod'
import { SeededRandom } from '../../durable/seeded-random.ts'
import { PontualError } from '../../errors.ts'
import { type AnyJobType, type JobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import { type Company, type Invoice, invoicesOf, type Pace, takeStep } from './data.ts'
import type { DemoTexts } from './texts.ts'

const invoiceInput = z.strictObject({
  order: z.string().min(1).max(100),
  customer: z.string().min(1).max(80),
  totalCents: z.int().min(1),
})

type InvoiceInput = z.output<typeof invoiceInput>

/** What an order gets back. */
export interface IssuedInvoice {
  readonly number: string
  readonly totalCents: number
}

/** `IssueInvoice`: gives an order its invoice. Orders start it as their child; it has no schedule. */
export function issueInvoice(
  { issueInvoice: texts }: DemoTexts,
  company: Company,
  pace: Pace,
): JobType<InvoiceInput, IssuedInvoice> {
  return job(texts.name, {
    input: invoiceInput,
    run: async ({ order, customer, totalCents }: InvoiceInput, { signal, logger, progress }) => {
      for (const [index, step] of texts.steps.entries()) {
        await takeStep(pace, signal)
        logger.debug(texts.reached(step), { order })
        progress((index + 1) / texts.steps.length, step)
      }
      // Asked again for the same order, it is the same invoice.
      const number = company.issued.get(order) ?? `${texts.prefix}-${String(company.issued.size + 1).padStart(6, '0')}`
      company.issued.set(order, number)
      logger.info(texts.issued, { number, customer })
      return { number, totalCents }
    },
  })
}

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

/** `MakeReport`: a report as its input describes it. Its form shows what a schema can say. */
export function makeReport({ makeReport: texts }: DemoTexts, pace: Pace): AnyJobType {
  const { fields } = texts
  const allSections = Object.values(texts.sections)
  return job(texts.name, {
    cache: '1m',
    input: z
      .strictObject({
        title: z.string().min(3).max(120).default(texts.defaultTitle).describe(fields.title),
        format: z.enum(['pdf', 'xlsx', 'csv']).default('pdf').describe(fields.format),
        sections: z.array(z.enum(allSections)).min(1).default(allSections).describe(fields.sections),
        period: z.strictObject({ from: z.iso.date(), to: z.iso.date() }).optional().describe(fields.period),
        copies: z.int().min(1).max(20).default(1).describe(fields.copies),
        isConfidential: z.boolean().default(false).describe(fields.isConfidential),
        recipients: z.array(z.email()).max(10).default([]).describe(fields.recipients),
      })
      .prefault({}),
    run: async ({ title, format, sections, copies, isConfidential }, { signal, logger, progress }) => {
      logger.info(texts.making, { title, format, isConfidential })
      for (const [index, section] of sections.entries()) {
        await takeStep(pace, signal)
        logger.debug(texts.sectionWritten, { section })
        progress((index + 1) / sections.length, section)
      }
      return { file: `${title.toLowerCase().replaceAll(' ', '-')}.${format}`, pages: 4 * sections.length * copies }
    },
  })
}

/** `NightlyRoutine`: processes items in batches, as most nightly work does. Operators have created jobs of this type at midnight of several time zones. */
export function nightlyRoutine({ nightlyRoutine: texts }: DemoTexts, pace: Pace): AnyJobType {
  return job(texts.name, {
    queue: texts.queue,
    input: z.strictObject({
      things: z.string().min(3).max(40).describe(texts.fields.things),
      batches: z.int().min(1).max(100).default(6).describe(texts.fields.batches),
    }),
    run: async ({ things, batches }, { executionId, signal, logger, progress }) => {
      const luck = new SeededRandom(executionId)
      let done = 0
      for (let batch = 1; batch <= batches; batch += 1) {
        await takeStep(pace, signal)
        const size = 20 + Math.floor(luck.next() * 80)
        done += size
        if (size > 90) logger.warn(texts.largeBatch, { things, batch, size })
        else logger.info(texts.batchDone, { things, batch, size })
        progress(batch / batches, `${done} ${things}`)
      }
      return { things, done }
    },
  })
}

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
