import { posix } from 'node:path'

/** Where a file is read, which decides about the anchors of its headings: on the site, or where the repository is shown. */
type Reader = 'site' | 'repository'

/** Everything of the repository that a link may lead to. */
export interface Files {
  /** The text of every Markdown file, by its path. */
  readonly pages: ReadonlyMap<string, string>
  /** Whether there is a file or a folder. */
  has(path: string): boolean
}

/** The links of a page that lead nowhere, each with its place. */
export function deadLinks(page: string, files: Files): string[] {
  const problems = linksOf(files.pages.get(page) ?? '').map(({ link, line }) => {
    const problem = problemOf(link, page, files)
    return problem === null ? null : `${page}:${line}: ${link}: ${problem}`
  })
  return problems.filter((problem) => problem !== null)
}

function problemOf(link: string, page: string, files: Files): string | null {
  const [path = '', fragment] = link.split('#').map(decodeURIComponent)
  const target = path === '' ? page : targetOf(path, page)
  if (target.startsWith('..')) return 'outside of the repository'
  const found = [target, `${target}.md`, `${target}/index.md`].find((each) => files.has(each))
  if (found === undefined) return 'no such file'
  if (fragment === undefined) return null
  const markdown = files.pages.get(found)
  // What is read on the site is asked for there; what is read beside the code, there.
  const reader = isOnSite(page) && isOnSite(found) ? 'site' : 'repository'
  if (markdown === undefined || anchorsOf(markdown, reader).has(fragment)) return null
  return `no such heading on ${found}`
}

/** Paths from the root are those of the site. */
function targetOf(path: string, page: string): string {
  if (path.startsWith('/')) return posix.join('docs', path).replace(/^docs\/$/, 'docs')
  return posix.join(posix.dirname(page), path).replace(/\/$/, '')
}

function isOnSite(path: string): boolean {
  return path.startsWith('docs/')
}

interface Link {
  readonly link: string
  readonly line: number
}

/** Links and images within the repository: of Markdown, of HTML, and those that the first page of the site has above its text. */
export function linksOf(markdown: string): Link[] {
  const text = withoutCode(markdown)
  const found = [
    ...text.matchAll(/\]\((?<link>[^()\s]+)(?: "[^"]*")?\)/g),
    ...text.matchAll(/^\[[^\]]+\]: *(?<link>\S+)/gm),
    ...text.matchAll(/\b(?:href|src|srcset)="(?<link>[^"]+)"/g),
    ...text.matchAll(/^ +link: *(?<link>\S+)/gm),
  ]
  return found
    .map((match) => ({ link: match.groups!['link']!, line: text.slice(0, match.index).split('\n').length }))
    .filter(({ link }) => !/^[a-z][a-z+.-]*:/i.test(link))
}

/** Lines stay where they are. */
function withoutCode(markdown: string): string {
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ')
  return markdown
    .replaceAll(/^( *)(`{3,}).*\n(?:.*\n)*?\1\2 *$/gm, blank)
    .replaceAll(/(`+)[^`\n](?:.*?[^`\n])?\1(?!`)/g, (code) => (code.includes('](') ? blank(code) : code))
}

const KNOWN = { site: new Map<string, ReadonlySet<string>>(), repository: new Map<string, ReadonlySet<string>>() }

/** The anchors of a page: of its headings, and those that it sets itself. */
export function anchorsOf(markdown: string, reader: Reader): ReadonlySet<string> {
  const known = KNOWN[reader].get(markdown)
  if (known) return known
  const text = withoutCode(markdown)
  const anchors = new Set([...text.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id]) => id!))
  for (const [, heading] of text.matchAll(/^#{1,6} +(.+)$/gm)) {
    const own = reader === 'site' ? /\{#([\w-]+)\}\s*$/.exec(heading!)?.[1] : undefined
    const slug = own ?? slugOf(plain(heading!), reader)
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  KNOWN[reader].set(markdown, anchors)
  return anchors
}

function plain(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim()
}

function slugOf(text: string, reader: Reader): string {
  if (reader === 'repository') {
    return text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
  }
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
}
