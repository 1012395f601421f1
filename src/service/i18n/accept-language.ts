import type { Locale } from '../../time/locale.ts'

/** The language that is spoken with whoever says nothing, or asks for one that we do not speak. */
const DEFAULT: Locale = 'en'
const SPOKEN: Readonly<Record<string, Locale>> = { en: 'en', pt: 'pt-BR' }

interface Range {
  readonly tag: string
  readonly quality: number
}

/** The language of an answer, as `Accept-Language` asks for it. Every kind of Portuguese is answered in that of Brazil. */
export function languageOf(header: string | null): Locale {
  const asked = askedLanguage(header)
  if (asked !== null) return asked
  const refused = new Set(rangesOf(header).flatMap(({ tag, quality }) => (quality === 0 ? [spokenAs(tag)] : [])))
  return Object.values(SPOKEN).find((language) => !refused.has(language)) ?? DEFAULT
}

/** The language that somebody asks for by its name, and we speak; null where any will do, or none that we speak. */
export function askedLanguage(header: string | null): Locale | null {
  // Sorting keeps the order of those that are wanted alike.
  const wanted = rangesOf(header).filter(({ quality }) => quality > 0)
  for (const { tag } of wanted.sort((one, other) => other.quality - one.quality)) {
    const language = spokenAs(tag)
    if (language !== null || tag === '*') return language
  }
  return null
}

function rangesOf(header: string | null): Range[] {
  return (header ?? '').split(',').map(readRange)
}

function readRange(text: string): Range {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  if (weight === undefined) return { tag, quality: tag === '' ? Number.NaN : 1 }
  // What is no weight is no wish.
  return { tag, quality: /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : Number.NaN }
}

function spokenAs(tag: string): Locale | null {
  const [primary = ''] = tag.split('-', 1)
  return Object.hasOwn(SPOKEN, primary) ? (SPOKEN[primary] ?? null) : null
}
