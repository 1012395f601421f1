import { z } from 'zod'
import { type JobType, job } from '../../job/job-type.ts'
import type { Company } from './company.ts'
import { type Pace, takeStep } from './pace.ts'

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

/** `EmitirNotaFiscal`: gives an order its invoice. Orders start it as their child; it has no schedule of its own. */
export function issueInvoice(company: Company, pace: Pace): JobType<InvoiceInput, IssuedInvoice> {
  return job('EmitirNotaFiscal', {
    input: invoiceInput,
    run: async ({ order, customer, totalCents }: InvoiceInput, { signal, logger, progress }) => {
      for (const [index, step] of ['signed', 'sent to the tax office', 'authorized'].entries()) {
        await takeStep(pace, signal)
        logger.debug(`The invoice is ${step}`, { order })
        progress((index + 1) / 3, step)
      }
      // Asked again for the same order, it is the same invoice.
      const number = company.issued.get(order) ?? `NF-${String(company.issued.size + 1).padStart(6, '0')}`
      company.issued.set(order, number)
      logger.info('Issued an invoice', { number, customer })
      return { number, totalCents }
    },
  })
}
