import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, deadLinks, type Files, linksOf } from './links.ts'
import { ROOT, readPage } from './pages.ts'

/** Every Markdown file of the repository, but what others have written or was made from these. */
async function markdownIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true })
  const found = entries.map(async (entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(node_modules|dist|coverage|\..*)$/.test(entry.name) ? [] : await markdownIn(path)
    return entry.name.endsWith('.md') ? [path] : []
  })
  return (await Promise.all(found)).flat()
}

const paths = await markdownIn('')
const files: Files = {
  pages: new Map(await Promise.all(paths.map(async (path) => [path, await readPage(path)] as const))),
  // What the site shows of files beside docs/ is made when it is built.
  has: (path) => existsSync(join(ROOT, path)) || /^docs\/project\/(benchmarks|contributing|changelog)$/.test(path),
}

it('every link and anchor of every page leads somewhere', () => {
  const links = [...files.pages.values()].flatMap(linksOf)
  expect(paths.length).toBeGreaterThan(100)
  expect(links.length).toBeGreaterThan(1_000)
  expect(paths.flatMap((path) => deadLinks(path, files))).toEqual([])
})

const TRANSLATED = /^docs\/(?:index|(?:tutorial|how-to|reference|explanation)\/.+)\.md$/
/** Declarations, which are the same in every language. */
const ENGLISH_ONLY = /^docs\/reference\/api\//

it('every page that is for readers is there in Portuguese, and nothing else', () => {
  const english = paths.filter((path) => TRANSLATED.test(path) && !ENGLISH_ONLY.test(path))
  expect(english.length).toBeGreaterThanOrEqual(40)
  const portuguese = paths.filter((path) => path.startsWith('docs/pt/'))
  expect(portuguese.sort()).toEqual(english.map((path) => path.replace('docs/', 'docs/pt/')).sort())
})

describe('a link', () => {
  const pages = new Map([
    ['README.md', '# Read\n## What *is* `it`, really?\n'],
    ['docs/index.md', '# Index\n'],
    [
      'docs/how-to/a.md',
      '# A\n## Who asks, and what he may do\n## 1. First\n## Twice\n## Twice\n## Nós {#nodes}\n<a id="own"></a>\n',
    ],
  ])
  const known = new Set([...pages.keys(), 'docs', 'docs/how-to', 'examples/library', 'docs/images/a.png'])
  const deadIn = (page: string, text: string) =>
    deadLinks(page, {
      pages: new Map([...pages, [page, `${pages.get(page) ?? ''}${text}`]]),
      has: (path) => known.has(path),
    })

  it.each<[page: string, text: string]>([
    ['docs/how-to/a.md', '[a](../index.md) [b](a.md#twice) [c](#twice-1) [d](#_1-first) [e](#own) [f](#nodes)'],
    [
      'docs/how-to/a.md',
      '[a](#who-asks-and-what-he-may-do) ![b](../images/a.png) [c](https://example.com/#x) [d](/how-to/a)',
    ],
    ['docs/how-to/a.md', '[a](../../README.md#what-is-it-really) [b](../../examples/library)'],
    ['docs/how-to/a.md', '`[a](b.md)`\n\n```md\n[a](b.md)\n```\n'],
    [
      'README.md',
      '[a](docs/how-to/a.md#who-asks-and-what-he-may-do) [b](examples/library) <img src="docs/images/a.png">',
    ],
  ])('on %s leads somewhere: %s', (page, text) => {
    expect(deadIn(page, text)).toEqual([])
  })

  it.each<[page: string, text: string, problem: string]>([
    ['docs/how-to/a.md', '[a](b.md)', 'docs/how-to/a.md:8: b.md: no such file'],
    ['docs/how-to/a.md', '[`a`](#third)', 'docs/how-to/a.md:8: #third: no such heading on docs/how-to/a.md'],
    ['docs/how-to/a.md', '[a](../../../b.md)', 'docs/how-to/a.md:8: ../../../b.md: outside of the repository'],
    ['docs/how-to/a.md', '[a](/how-to/b)', 'docs/how-to/a.md:8: /how-to/b: no such file'],
    [
      'README.md',
      '[a](docs/how-to/a.md#nodes)',
      'README.md:3: docs/how-to/a.md#nodes: no such heading on docs/how-to/a.md',
    ],
    ['README.md', '<img src="docs/images/b.png">', 'README.md:3: docs/images/b.png: no such file'],
  ])('on %s leads nowhere: %s', (page, text, problem) => {
    expect(deadIn(page, text)).toEqual([problem])
  })

  it('finds a heading on the site as VitePress names it, and in the repository as GitHub does', () => {
    const markdown = '# Execução: o que é?\n## `pontual dev` – or not\n'
    expect([...anchorsOf(markdown, 'site')]).toEqual(['execucao-o-que-e', 'pontual-dev-–-or-not'])
    expect([...anchorsOf(markdown, 'repository')]).toEqual(['execução-o-que-é', 'pontual-dev--or-not'])
  })
})
