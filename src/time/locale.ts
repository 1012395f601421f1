import { requireOneOf } from './require.ts'

/** The languages Pontual speaks. */
export type Locale = 'en' | 'pt-BR'

export const LOCALES: readonly Locale[] = ['en', 'pt-BR']

export function requireLocale(locale: unknown): Locale {
  return requireOneOf(locale, 'locale', LOCALES)
}
