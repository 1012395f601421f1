import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Pages beside docs/ whose blocks are held to the same rules. */
const OUTSIDE = ['README.md', 'README.pt-BR.md', 'CONTRIBUTING.md']

/** Every page of the documentation, by its path from the root of the repository. */
export async function findPages(): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, 'docs'), { recursive: true })
  const isPage = (name: string) => name.endsWith('.md') && !/node_modules|\.vitepress/.test(name)
  return [...OUTSIDE, ...names.filter(isPage).map((name) => `docs/${name}`)].sort()
}

export function readPage(path: string): Promise<string> {
  return readFile(join(ROOT, path), 'utf8')
}

/** The page that a Portuguese one translates; null for others. */
export function translatedBy(path: string): string | null {
  if (path === 'README.pt-BR.md') return 'README.md'
  return path.startsWith('docs/pt/') ? path.replace('docs/pt/', 'docs/') : null
}

/** Whether a page is followed step by step, with terminals that go on: tutorial.test.ts does that. */
export function isTutorial(path: string): boolean {
  return /^docs\/(pt\/)?tutorial\//.test(path)
}
