import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { SHOWN_AT } from './shown-at.ts'

/** Lets links that are right in the repository, such as ../../bench/RESULTS.md, be right on the site too. */
export function linksOutside(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('links-outside', ({ tokens, env }) => {
    const folder = posix.join('docs', posix.dirname(String(env.relativePath ?? '')))
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', onSite(token.attrGet('href') ?? '', folder))
    }
  })
}

function onSite(href: string, folder: string): string {
  const [path = '', fragment] = href.split('#')
  const shown = SHOWN_AT[posix.join(folder, path)]
  if (!path.startsWith('../') || shown === undefined) return href
  return `/${shown}${fragment === undefined ? '' : `#${fragment}`}`
}
