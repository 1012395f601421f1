import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { keep, kept } from '../frame/kept.ts'

export type Language = 'en' | 'pt-BR'

export const LANGUAGES: readonly { readonly language: Language; readonly name: string }[] = [
  { language: 'pt-BR', name: 'Português (Brasil)' },
  { language: 'en', name: 'English' },
]

const KEPT_AS = 'language'

/** The first language of the browser that we speak. */
function ofBrowser(): Language | null {
  const spoken = { pt: 'pt-BR', en: 'en' } as const
  const primary = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in spoken)
  return primary === undefined ? null : spoken[primary as keyof typeof spoken]
}

function chosen(): Language | null {
  const text = kept(KEPT_AS)
  return text === 'en' || text === 'pt-BR' ? text : null
}

export const language = signal<Language>(chosen() ?? ofBrowser() ?? 'en')

/** Whether somebody has chosen, or his browser has for him; if not, the language of the tenant is the better guess. */
export function isKnown(): boolean {
  return (chosen() ?? ofBrowser()) !== null
}

export function choose(wanted: Language, { isKept = true } = {}): void {
  language.value = wanted
  document.documentElement.lang = wanted
  if (isKept) keep(KEPT_AS, wanted)
}

/** Texts in both languages: read `.value` for that of the page. What one language lacks does not compile. */
export function inBoth<Texts extends object>(texts: {
  readonly 'pt-BR': Texts
  readonly en: NoInfer<Texts>
}): ReadonlySignal<Texts> {
  return computed(() => texts[language.value])
}
