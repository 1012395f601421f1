import { parseSync } from 'oxc-parser'
import { say } from '../../src/service/i18n/say.ts'
import { fieldsOf, type Node, walk } from './syntax.ts'

/** The cases of each code that the sources tell apart: `csrf: inCases({ header: …, origin: … }, …)`. */
export function casesByCode(sources: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const source of sources) {
    walk(parseSync('source.ts', source).program, (node) => {
      if (node.type !== 'ObjectExpression') return
      for (const [code, value] of fieldsOf(node)) {
        if (value?.type !== 'CallExpression' || (value['callee'] as Node)['name'] !== 'inCases') continue
        const [cases] = value['arguments'] as readonly Node[]
        found.set(code, [...fieldsOf(cases!).keys()])
      }
    })
  }
  return found
}

/** All sentences of a code, one for each of its cases, with the names of facts in place of them. */
export function portugueseSentences(apiCode: string, cases: readonly string[]): string[] {
  const sentences = [...cases, null].map((which) => {
    const details = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: (_target, name) => {
          const value = name === 'case' ? which : `{${String(name)}}`
          return value === null ? undefined : { configurable: true, enumerable: true, value }
        },
        get: (_target, name) => (name === 'case' ? which : `{${String(name)}}`),
      },
    )
    return filled(say('pt-BR', { code: apiCode, details, message: '' }))
  })
  return [...new Set(sentences)]
}

/** Where a name cannot stand for the fact: what is counted and instants are numbers, and of a list there is only one here. */
function filled(sentence: string): string {
  return sentence
    .replace('NaN', '{count}')
    .replace('undefined', '{…}')
    .replace('recebido  antes de .', 'recebido {endAt} antes de {startAt}.')
}
