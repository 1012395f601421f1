import { z } from 'zod'
import { cutText } from '../../errors.ts'
import { textOf, type ZodIssue } from '../zod-issue.ts'
import { jobs } from './jobs.ts'

const { localeError: inPortuguese } = z.locales.pt()

const LONGEST = 200

/** Zod speaks the Portuguese of Portugal; these words are others in Brazil. */
const IN_BRAZIL: readonly (readonly [RegExp, string])[] = [
  [/^Demasiado grande/, 'Grande demais'],
  [/^Demasiado pequeno/, 'Pequeno demais'],
  [/\bum vetor\b/g, 'uma lista'],
  [/\bo vetor\b/g, 'a lista'],
  [/\btuplo\b/g, 'lista'],
  [/\bregisto\b/g, 'objeto'],
  [/\bficheiro\b/g, 'arquivo'],
  [/"undefined"/g, 'ausente'],
  [/\besperava que\b/g, 'esperava-se que'],
  [/\besperava (?!-)/gi, 'esperado '],
  [/, recebeu\b/g, ', recebido'],
]

/** What Zod says about a value, in Portuguese. */
export function zodSentence(issue: unknown): string {
  const found = (issue ?? {}) as ZodIssue
  const { path = [], input } = found
  if (path.length === 1 && path[0] === 'timeoutMinutes' && input === null) return jobs.validation.timeoutRequired
  const text = textOf(inPortuguese(found))
  // It may name what was sent.
  return cutText(`${IN_BRAZIL.reduce((said, [pattern, word]) => said.replace(pattern, word), text)}.`, LONGEST)
}
