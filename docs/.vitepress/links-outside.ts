import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { SHOWN_AT } from './shown-at.ts'

type Token = ReturnType<MarkdownRenderer['parseInline']>[number]

/** Makes links that are right in the repository right on the site: to ../../bench/RESULTS.md where the site shows it; to a source file, its name alone. */
export function linksOutside(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('links-outside', ({ tokens, env }) => {
    const folder = posix.join('docs', posix.dirname(String(env.relativePath ?? '')))
    for (const { children } of tokens)
      if (children) for (const [index] of children.entries()) rewrite(children, index, folder)
  })
}

function rewrite(tokens: Token[], index: number, folder: string): void {
  const token = tokens[index]!
  if (token.type !== 'link_open') return
  const [path = '', fragment] = (token.attrGet('href') ?? '').split('#')
  const target = posix.join(folder, path)
  if (!path.startsWith('../') || isOnSite(target)) return
  const shown = SHOWN_AT[target]
  if (shown !== undefined) token.attrSet('href', `/${shown}${fragment === undefined ? '' : `#${fragment}`}`)
  else {
    makeText(token)
    makeText(tokens.slice(index).find(({ type }) => type === 'link_close')!)
  }
}

function isOnSite(path: string): boolean {
  return /^docs($|\/(?!\.vitepress\/))/.test(path)
}

function makeText(token: Token): void {
  token.type = 'text'
  token.tag = ''
  token.nesting = 0
  token.content = ''
}
