import type { AnyJobType } from '../../job/type/job-type.ts'
import type { Locale } from '../../time/locale.ts'
import { Company, type Pace } from './data.ts'
import { importInvoices, issueInvoice, makeReport, nightlyRoutine, reconcilePayments } from './finance-jobs.ts'
import { clearCache, deleteObsolete, exportLegacy, syncDirectory } from './maintenance-jobs.ts'
import { processOrder } from './process-order.ts'
import { demoTexts } from './texts.ts'

/** The job types of a made-up company: they do visible work on made-up data. One is sensitive, two are durable, one fails sometimes and one always. */
export function demoJobs(pace: Pace, locale: Locale): readonly AnyJobType[] {
  const texts = demoTexts(locale)
  const company = new Company()
  const invoice = issueInvoice(texts, company, pace)
  return [
    importInvoices(texts, company, pace),
    clearCache(texts, company, pace),
    syncDirectory(texts, company, pace),
    deleteObsolete(texts, company, pace),
    processOrder(texts, invoice, pace),
    invoice,
    reconcilePayments(texts, pace),
    exportLegacy(texts, pace),
    makeReport(texts, pace),
    nightlyRoutine(texts, pace),
  ]
}
