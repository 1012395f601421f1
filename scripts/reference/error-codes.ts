import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { API_CODES } from '../../src/service/i18n/codes.ts'
import { englishSentences } from './english-sentences.ts'
import { code, type Language, page, prose, table } from './markdown.ts'
import { casesByCode, portugueseSentences } from './portuguese-sentences.ts'
import { PROVOKED } from './provoked-sentences.ts'

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url))
const IN_ENGLISH = /^(?!cli\/)(?!.*\/pt-br\/).*\.ts$/
const IN_PORTUGUESE = /\/pt-br\/sentences\/.*\.ts$/

const WORDS = {
  title: { en: 'Error codes', pt: 'Códigos de erro' },
  lead: {
    en: 'What an answer of the API may say, about the request, a field of it, or what it asked for. A program decides by `code`, which is never used for something else; the sentence is for people, in the language of `Accept-Language`. What stands in braces is put in. A code that is said in several ways has several sentences.',
    pt: 'O que uma resposta da API pode dizer, sobre a requisição, um campo dela ou o que ela pediu. Um programa decide por `code`, que nunca é usado para outra coisa; a frase é para pessoas, no idioma de `Accept-Language`. O que está entre chaves é preenchido. Um código dito de várias maneiras tem várias frases.',
  },
  header: { en: ['code', 'sentence'], pt: ['código', 'frase'] },
}

/** What is said in the words of others. */
const OF_OTHERS: Readonly<Record<string, string>> = { schema: 'What the schema of the field says, in its own words.' }

/** The sentences of every code in English; of what is put in only the names. */
export function sentencesByCode(): ReadonlyMap<string, readonly string[]> {
  const found = englishSentences(readSources(IN_ENGLISH))
  return new Map(
    API_CODES.map((each) => {
      const sentences = PROVOKED[each]?.(found.get(each) ?? []) ?? found.get(each)
      return [each, sentences ?? [ofOthers(each)]]
    }),
  )
}

export function errorCodesPage(language: Language): string {
  const [english, cases] = [sentencesByCode(), casesByCode(readSources(IN_PORTUGUESE))]
  const rows = API_CODES.map((each) => {
    const sentences = language === 'en' ? (english.get(each) ?? []) : portugueseSentences(each, cases.get(each) ?? [])
    return [code(each), sentences.map(prose).join('<br>')]
  })
  return page(language, WORDS.title, WORDS.lead, [table(WORDS.header[language], rows)])
}

function ofOthers(apiCode: string): string {
  const sentence = OF_OTHERS[apiCode]
  if (sentence === undefined) throw new TypeError(`error-codes: nothing is found that is said with ${apiCode}`)
  return sentence
}

function readSources(where: RegExp): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => where.test(path) && !path.endsWith('.test.ts'))
    .sort()
    .map((path) => readFileSync(`${SOURCES}/${path}`, 'utf8'))
}
