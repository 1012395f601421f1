import { z } from 'zod'
import { type JobType, job } from '../../job/type/job-type.ts'
import type { Company } from './company.ts'
import { type Pace, takeStep } from './pace.ts'
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
