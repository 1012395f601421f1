import type { Locale } from '../../time/locale.ts'
import { alerts as enAlerts } from './en/alerts.ts'
import { flags as enFlags } from './en/flags.ts'
import { jobs as enJobs } from './en/jobs.ts'
import { kpis as enKpis } from './en/kpis.ts'
import { mail as enMail } from './en/mail.ts'
import { problems as enProblems } from './en/problems.ts'
import { alerts } from './pt-br/alerts.ts'
import { flags } from './pt-br/flags.ts'
import { jobs } from './pt-br/jobs.ts'
import { kpis } from './pt-br/kpis.ts'
import { mail } from './pt-br/mail.ts'
import { problems } from './pt-br/problems.ts'

/** What people read, by area. Portuguese is the source: a text that English lacks, or has in another shape, does not compile. */
const PT_BR = { alerts, flags, jobs, kpis, mail, problems }

export type Catalogue = typeof PT_BR

const EN: Catalogue = {
  alerts: enAlerts,
  flags: enFlags,
  jobs: enJobs,
  kpis: enKpis,
  mail: enMail,
  problems: enProblems,
}

const CATALOGUES: Readonly<Record<Locale, Catalogue>> = { 'pt-BR': PT_BR, en: EN }

/** The texts of a language: `textsIn('pt-BR').jobs.messages.error.jobNotFound`. */
export function textsIn(language: Locale): Catalogue {
  return CATALOGUES[language]
}
