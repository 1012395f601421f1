import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { listPaths } from '../repo/architecture/import-graph.ts'

export type Language = 'en' | 'pt-BR'

const SOURCES = fileURLToPath(new URL('../../dashboard/src', import.meta.url))

/** Shorter ones are in data too, or the same in both. */
const LEAST_LENGTH = 12

/** Texts of pages that are long enough to tell which language they are, and stand in one of them only: what stands between the values in them, where they have any. */
export function pageTexts(): Readonly<Record<Language, readonly string[]>> {
  const found: Record<Language, Set<string>> = { en: new Set(), 'pt-BR': new Set() }
  for (const path of listPaths(SOURCES).filter((each) => /(?<!\.test)\.tsx?$/.test(each))) {
    for (const [language, text] of textsOf(path, readFileSync(`${SOURCES}/${path}`, 'utf8'))) {
      if (text.length >= LEAST_LENGTH && text.includes(' ')) found[language].add(text)
    }
  }
  const { en, 'pt-BR': ptBr } = found
  const only = (these: Set<string>, others: Set<string>) => [...these].filter((text) => !others.has(text))
  return { en: only(en, ptBr), 'pt-BR': only(ptBr, en) }
}

/** What a file says in `inBoth({ 'pt-BR': …, en: … })`. */
function textsOf(path: string, source: string): (readonly [Language, string])[] {
  const { program } = parseSync(path, source)
  const places: { readonly language: Language; readonly start: number; readonly end: number }[] = []
  const texts: (readonly [Language, string])[] = []
  new Visitor({
    CallExpression({ callee, arguments: [argument] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'inBoth' || argument?.type !== 'ObjectExpression') return
      for (const property of argument.properties) {
        if (property.type !== 'Property') continue
        const { key, value } = property
        const language = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : null
        if (language === 'en' || language === 'pt-BR') places.push({ language, start: value.start, end: value.end })
      }
    },
  }).visit(program)
  const add = (text: string, { start, end }: { readonly start: number; readonly end: number }) => {
    const place = places.find((each) => each.start <= start && end <= each.end)
    if (place) texts.push([place.language, text.replaceAll(/\s+/g, ' ').trim()])
  }
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') add(node.value, node)
    },
    TemplateElement(node) {
      add(node.value.cooked ?? '', node)
    },
  }).visit(program)
  return texts
}
