import type { AnyJobType } from '../../job/job-type.ts'
import { clearCache } from './clear-cache.ts'
import { Company } from './company.ts'
import { deleteObsolete } from './delete-obsolete.ts'
import { importInvoices } from './import-invoices.ts'
import type { Pace } from './pace.ts'
import { syncDirectory } from './sync-directory.ts'

/** Four jobs of a made-up company, one of them sensitive and one durable, that do visible work on made-up data. */
export function demoJobs(pace: Pace): readonly AnyJobType[] {
  const company = new Company()
  return [importInvoices, clearCache, syncDirectory, deleteObsolete].map((declare) => declare(company, pace))
}
