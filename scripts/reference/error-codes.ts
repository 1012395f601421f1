import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { API_CODES } from '../../src/service/i18n/codes.ts'
import { englishSentences } from './english-sentences.ts'
import { code, joined, type Language, prose, table } from './markdown.ts'
import { casesByCode, portugueseSentences } from './portuguese-sentences.ts'
import { PROVOKED } from './provoked-sentences.ts'

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url))
const IN_ENGLISH = /^(?!cli\/)(?!.*\/pt-br\/).*\.ts$/
const IN_PORTUGUESE = /\/pt-br\/sentences\/.*\.ts$/

const WORDS = {
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
  return joined([table(WORDS.header[language], rows)])
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
