import { parseSync } from 'oxc-parser'
import { API_CODES } from '../../src/service/i18n/codes.ts'
import { fieldsOf, type Node, walk } from './syntax.ts'

const KNOWN: ReadonlySet<string> = new Set(API_CODES)

/** A function, or a class, of a source that says with one code whatever it is handed: `forged('origin', 'The request comes …')`. */
interface Sayer {
  readonly code: string
  /** Which of its arguments is the sentence. */
  readonly index: number
}

/**
 * What is said with each code, wherever a source says it: a code and its sentence stand side by side, as arguments or as fields, or the sentence is handed to
 * a function or a class that has the code.
 */
export function englishSentences(sources: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  const note = (code: unknown, sentence: string | null) => {
    if (!isCode(code) || sentence === null) return
    found.set(code, (found.get(code) ?? new Set()).add(sentence))
  }
  const programs = sources.map((source) => parseSync('source.ts', source).program)
  const classes = new Map<string, Sayer>()
  for (const program of programs) walk(program, (node) => noteClass(node, classes))
  for (const program of programs) {
    const locals = new Map<string, string>()
    const sayers = new Map(classes)
    walk(program, (node) => noteFunction(node, sayers))
    walk(program, (node) => {
      if (node.type === 'VariableDeclarator') {
        const text = textOf(node['init'] as Node | null, locals)
        if (text !== null && isSentence(text)) locals.set(String((node['id'] as Node)['name']), text)
      }
      if (node.type === 'NewExpression' || node.type === 'CallExpression') {
        const parts = node['arguments'] as readonly Node[]
        const callee = String((node['callee'] as Node)['name'])
        for (const [index, part] of parts.entries()) note(part['value'], sentenceOf(parts[index + 1], locals))
        const sayer = sayers.get(callee)
        if (sayer) note(sayer.code, sentenceOf(parts[sayer.index], locals))
        // What a schema expects comes before its code, and is answered with a full stop.
        if (callee === 'expected') note(parts[1]?.['value'], `${sentenceOf(parts[0], locals) ?? ''}.`)
      }
      if (node.type === 'ObjectExpression') {
        const fields = fieldsOf(node)
        const params = fields.get('params')
        const code = fields.get('code')?.['value']
        const coded = isCode(code) ? code : params && fieldsOf(params).get('code')?.['value']
        for (const name of ['message', 'detail', 'error']) note(coded, sentenceOf(fields.get(name), locals))
      }
      if (node.type === 'ArrayExpression') {
        const parts = node['elements'] as readonly (Node | null)[]
        for (const [index, part] of parts.entries())
          note(part?.['value'], sentenceOf(parts[index + 1] ?? undefined, locals))
      }
    })
  }
  return new Map([...found].map(([code, sentences]) => [code, [...sentences]]))
}

function isCode(code: unknown): code is string {
  return typeof code === 'string' && KNOWN.has(code)
}

function noteClass(node: Node, sayers: Map<string, Sayer>): void {
  if (node.type !== 'ClassDeclaration') return
  const members = (node['body'] as Node)['body'] as readonly Node[]
  const made = members.find((each) => each['kind'] === 'constructor')
  if (made) noteSayer((node['id'] as Node)['name'], made['value'] as Node, sayers)
}

function noteFunction(node: Node, sayers: Map<string, Sayer>): void {
  if (node.type === 'FunctionDeclaration') noteSayer((node['id'] as Node)['name'], node, sayers)
}

/** Whether somewhere in it a code stands beside one of its parameters. */
function noteSayer(name: unknown, made: Node, sayers: Map<string, Sayer>): void {
  const params = (made['params'] as readonly Node[]).map((each) => each['name'])
  walk(made['body'], (node) => {
    if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return
    const [first, second] = node['arguments'] as readonly Node[]
    const code = first?.['value']
    const index = second?.type === 'Identifier' ? params.indexOf(second['name']) : -1
    if (isCode(code) && index >= 0) sayers.set(String(name), { code, index })
  })
}

function sentenceOf(node: Node | undefined, locals: ReadonlyMap<string, string>): string | null {
  const text = textOf(node ?? null, locals)
  return text !== null && isSentence(text) ? text : null
}

function isSentence(text: string): boolean {
  return /[ ].*[^:]$/.test(text)
}

/** A text with names in braces for what is put in; null for whatever is no text. */
function textOf(node: Node | null, locals: ReadonlyMap<string, string>): string | null {
  if (node === null) return null
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type === 'Identifier') return locals.get(String(node['name'])) ?? null
  if (node.type !== 'TemplateLiteral') return null
  const expressions = node['expressions'] as readonly Node[]
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]
  const whole = quasis
    .map(({ value }, index) => value.cooked + (index < expressions.length ? placeOf(expressions[index]!, locals) : ''))
    .join('')
  return whole.replace(/\{(didYouMean|…)\}$/, '')
}

function placeOf(node: Node, locals: ReadonlyMap<string, string>): string {
  if (node.type === 'ConditionalExpression') {
    // One of two texts, such as a hint that may be there; or a text for when there is no value.
    const [one, other] = [node['consequent'] as Node, node['alternate'] as Node]
    return textOf(one, locals) !== null && textOf(other, locals) === null
      ? placeOf(other, locals)
      : placeOf(one, locals)
  }
  if (node.type === 'CallExpression' && (node['callee'] as Node)['name'] === 'didYouMean') return ''
  const text = textOf(node, locals)
  return text ?? `{${nameOf(node)}}`
}

/** What a reader would call the value: the last name in it. */
function nameOf(node: Node): string {
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'MemberExpression') return nameOf(node['property'] as Node)
  if (node.type === 'CallExpression') {
    const [first] = node['arguments'] as readonly Node[]
    if (first !== undefined && first.type !== 'Literal') return nameOf(first)
    const callee = node['callee'] as Node
    return nameOf(callee.type === 'MemberExpression' ? (callee['object'] as Node) : callee)
  }
  return '…'
}
