import type { Locale } from '../../time/locale.ts'
import type { Environment } from '../variables.ts'
import { type DemoTexts, ENGLISH } from './english.ts'
import { PORTUGUESE } from './portuguese.ts'

export type { DemoTexts } from './english.ts'

const TEXTS: Readonly<Record<Locale, DemoTexts>> = { en: ENGLISH, 'pt-BR': PORTUGUESE }

/** All texts of the demo in a language: names of jobs, log lines, errors, payloads. */
export function demoTexts(locale: Locale): DemoTexts {
  return TEXTS[locale]
}

/** The texts that a demo in this language does not use. */
export function otherDemoTexts(locale: Locale): readonly DemoTexts[] {
  return Object.values(TEXTS).filter((texts) => texts !== TEXTS[locale])
}

/** Ids of the demo's job types. */
export function demoTypes(texts: DemoTexts): readonly string[] {
  const { importInvoices, clearCache, syncDirectory, deleteObsolete, processOrder } = texts
  const { issueInvoice, reconcilePayments, exportLegacy, makeReport, nightlyRoutine } = texts
  const first = [importInvoices, clearCache, syncDirectory, deleteObsolete, processOrder, issueInvoice]
  return [...first, reconcilePayments, exportLegacy, makeReport, nightlyRoutine].map(({ name }) => name)
}

/** Portuguese for every Portuguese locale of the environment, by the precedence of POSIX; otherwise English. */
export function demoLocale({ LC_ALL, LC_MESSAGES, LANG }: Environment): Locale {
  return /^pt(?:[^a-z]|$)/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'pt-BR' : 'en'
}
