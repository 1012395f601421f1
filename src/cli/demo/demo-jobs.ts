import type { AnyJobType } from '../../job/job-type.ts'
import { clearCache } from './clear-cache.ts'
import { Company } from './company.ts'
import { deleteObsolete } from './delete-obsolete.ts'
import { exportLegacy } from './export-legacy.ts'
import { importInvoices } from './import-invoices.ts'
import { issueInvoice } from './issue-invoice.ts'
import { makeReport } from './make-report.ts'
import { nightlyRoutine } from './nightly-routine.ts'
import type { Pace } from './pace.ts'
import { processOrder } from './process-order.ts'
import { reconcilePayments } from './reconcile-payments.ts'
import { syncDirectory } from './sync-directory.ts'

/** What a made-up company does: jobs that do visible work on made-up data. One is sensitive, two are durable, one fails now and then, and one for good. */
export function demoJobs(pace: Pace): readonly AnyJobType[] {
  const company = new Company()
  const invoice = issueInvoice(company, pace)
  return [
    importInvoices(company, pace),
    clearCache(company, pace),
    syncDirectory(company, pace),
    deleteObsolete(company, pace),
    processOrder(invoice, pace),
    invoice,
    reconcilePayments(pace),
    exportLegacy(pace),
    makeReport(pace),
    nightlyRoutine(pace),
  ]
}
