import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SiteConfig } from 'vitepress'
import { withIncludes } from './includes.ts'
import { GROUPS, type Language, pathIn } from './pages.ts'

const ABOUT = {
  en: 'Job scheduler and durable execution engine for TypeScript on PostgreSQL, one npm package. The pages below are plain Markdown.',
  pt: 'Agendador de jobs e motor de execução durável para TypeScript sobre PostgreSQL, um só pacote npm. As páginas abaixo são Markdown puro.',
}

interface Text {
  readonly path: string
  readonly text: string
}

/** Writes what programs read: llms.txt (the list), llms-full.txt (all pages in one), and each page as Markdown beside its HTML. */
export function writeLlms({ srcDir, outDir, pages, site }: SiteConfig): void {
  const texts = new Map<string, Text>()
  for (const path of pages) {
    // Pages of the repository are shown under project/, and have no file there.
    if (path.startsWith('project/')) continue
    const page = readFileSync(join(srcDir, path), 'utf8').replace(/^---\n.*?\n---\n/s, '')
    const text = withIncludes(page, (each) => readFileSync(join(srcDir, each), 'utf8'))
    texts.set(path, { path, text })
    write(join(outDir, path), text)
  }
  for (const language of ['en', 'pt'] as const) {
    const folder = language === 'en' ? outDir : join(outDir, language)
    write(join(folder, 'llms.txt'), list(language, texts, site.base))
    write(join(folder, 'llms-full.txt'), whole(language, texts))
  }
}

function list(language: Language, texts: ReadonlyMap<string, Text>, base: string): string {
  const groups = GROUPS.map((group) => {
    const lines = found(language, group, texts).map(
      ({ path, text }) => `- [${titleOf(text)}](${base}${path}): ${leadOf(text)}`,
    )
    return lines.length === 0 ? '' : `## ${group[language]}\n\n${lines.join('\n')}\n`
  })
  return `# Pontual\n\n> ${ABOUT[language]}\n\n${groups.filter((group) => group !== '').join('\n')}`
}

function whole(language: Language, texts: ReadonlyMap<string, Text>): string {
  const groups = GROUPS.filter(({ isEnglishOnly }) => !isEnglishOnly)
  const pages = groups.flatMap((group) => found(language, group, texts))
  return pages.map(({ path, text }) => `<!-- ${path} -->\n\n${text.trim()}\n`).join('\n')
}

function found(language: Language, group: (typeof GROUPS)[number], texts: ReadonlyMap<string, Text>): Text[] {
  return group.pages.flatMap(({ path }) => texts.get(`${pathIn(language, group, path)}.md`) ?? [])
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? ''
}

/** The first sentence of a page, without links. */
function leadOf(text: string): string {
  const paragraphs = text.replaceAll(/^```.*?^```/gms, '').split(/\n\n+/)
  const paragraph = paragraphs.find((part) => /^\s*[\p{L}`[*]/u.test(part))?.trim() ?? ''
  const plain = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return /^.*?\.(?=\s|$)/.exec(plain)?.[0] ?? plain
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
