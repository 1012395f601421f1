import { existsSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { linksOf } from './links.ts'
import { ROOT, readPage } from './pages.ts'

/** Folders whose sub-folders the map describes too. */
const DESCRIBED = ['src', 'src/time', 'src/job', 'src/durable', 'src/store', 'src/engine', 'src/service', 'src/server']

function foldersIn(path: string): string[] {
  const entries = readdirSync(join(ROOT, path), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${path}/${name}`)
}

it.each(['docs/explanation/architecture.md', 'docs/pt/explanation/architecture.md'])(
  '%s describes every folder of the sources',
  async (page) => {
    const links = linksOf(await readPage(page)).map(({ link }) => posix.join(posix.dirname(page), link))
    expect(DESCRIBED.flatMap(foldersIn).filter((folder) => !links.includes(folder))).toEqual([])
  },
)

const PAGES = ['CONTRIBUTING.md', 'docs/contributing/tests.md', 'docs/contributing/documentation.md']
const A_PATH = /^(src|test|docs|scripts|bench|examples|dashboard|sql|migrations)(\/[\w./-]*)?$/

it.each(PAGES)('%s names paths that exist', async (page) => {
  const named = [...(await readPage(page)).matchAll(/`([^`\s]+)`/g)].map(([, text]) => text!)
  const paths = named.filter((each) => A_PATH.test(each))
  expect(paths.length).toBeGreaterThan(0)
  // `npm run docs` writes to it.
  expect(paths.filter((path) => !existsSync(join(ROOT, path)) && path !== 'docs/.vitepress/reference')).toEqual([])
})
