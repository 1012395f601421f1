import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Declaration, Declarations } from './declarations.ts'

/** A change within one declaration. White space, comments and trailing commas do not count when the text is looked up. */
export interface Edit {
  /** The declaration: `name`, `Class.member`, `pontual.function` or `pontual.table.trigger`. Its file does not matter. */
  readonly in: string
  /** Occurs exactly once in the declarations of that name. */
  readonly find: string
  readonly replace: string
}

/** The changed sources by their files. Throws if an edit does not apply. */
export function plant(root: string, declarations: Declarations, name: string, edits: readonly Edit[]) {
  const changed = new Map<string, string>()
  const places = edits.map((edit) => ({ ...locate(declarations, name, edit), replace: edit.replace }))
  // From the end, so that earlier positions stay valid.
  for (const { file, start, end, replace } of places.sort((a, b) => b.start - a.start)) {
    const text = changed.get(file) ?? readFileSync(join(root, file), 'utf8')
    changed.set(file, text.slice(0, start) + replace + text.slice(end))
  }
  return changed
}

interface Place {
  readonly file: string
  readonly start: number
  readonly end: number
}

function locate(declarations: Declarations, name: string, edit: Edit): Place {
  const all = declarations.get(edit.in) ?? []
  const [place, ...more] = all.flatMap((declaration) => placesIn(declaration, edit.find))
  if (place && more.length === 0) return place
  const found = [place ?? [], more].flat().map(({ file }) => file)
  throw new Error(
    [
      `The planted bug "${name}" does not apply.`,
      `Declaration: ${edit.in} (${all.map(({ file }) => file).join(', ') || 'unknown'})`,
      `Pattern: ${edit.find}`,
      place
        ? `Occurs ${found.length} times: ${found.join(', ')}`
        : `Most similar line: ${mostSimilarLine(all, edit.find)}`,
      `Elsewhere: ${elsewhere(declarations, edit).join(', ') || 'in no other declaration'}`,
    ].join('\n'),
  )
}

function placesIn({ file, start, text }: Declaration, find: string): Place[] {
  const tokens = tokensOf(text)
  const wanted = tokensOf(find.replace(/,\s*$/, ''))
  const last = wanted.length - 1
  return tokens.flatMap((first, at) => {
    const token = tokens[at + last]
    if (!token || !wanted.every((each, nth) => tokens[at + nth]?.text === each.text)) return []
    const end = token.start + token.text.length
    const [comma = ''] = /,\s*$/.test(find) ? (/^\s*,/.exec(text.slice(end)) ?? []) : []
    return { file, start: start + first.start, end: start + end + comma.length }
  })
}

interface Token {
  readonly text: string
  readonly start: number
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|--) .*$/
const TOKEN = new RegExp(`${COMMENT.source}|,(?=\\s*[)\\]}])|[\\w$]+|\\S`, 'gm')

/** Words and single characters. */
function tokensOf(text: string): Token[] {
  const matches = [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({ text: token, start: index }))
  return matches.filter(({ text: token, start }) => {
    const isTrailingComma = token === ',' && /^,\s*[)\]}]/.test(text.slice(start, start + 200))
    return !isTrailingComma && !/^(?:\/\*|\/\/ |-- )/.test(token)
  })
}

function mostSimilarLine(declarations: readonly Declaration[], find: string): string {
  const wanted = new Set(tokensOf(find).map(({ text }) => text))
  let best = { line: 'none', score: 0 }
  for (const line of declarations.flatMap(({ text }) => text.split('\n'))) {
    const tokens = new Set(tokensOf(line).map(({ text }) => text))
    const shared = [...tokens].filter((token) => wanted.has(token)).length
    const score = shared / (wanted.size + tokens.size - shared)
    if (score > best.score) best = { line: line.trim(), score }
  }
  return best.line
}

/** Other declarations that hold the pattern. */
function elsewhere(declarations: Declarations, { in: name, find }: Edit): string[] {
  const word = tokensOf(find)[0]?.text ?? ''
  return [...declarations]
    .filter(([other]) => other !== name)
    .flatMap(([other, all]) =>
      all
        .filter((each) => each.text.includes(word) && placesIn(each, find).length > 0)
        .map(({ file }) => `${other} (${file})`),
    )
}
