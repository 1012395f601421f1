import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { main, root, run, ScriptError } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

const docs = join(root, 'docs')
const dist = join(docs, '.vitepress/dist')
const parts = join(docs, '.vitepress/reference')
const TRANSLATED = /^(index|(tutorial|how-to|reference|explanation)\/.+)\.md$/

// The documentation site: reference (writes the generated parts), build (and check), check, dev, preview. --strict fails if a translation is missing.
await main(async () => {
  const asked = process.argv.slice(2)
  const [command = 'build'] = asked.filter((each) => !each.startsWith('-'))
  if (!['reference', 'build', 'check', 'dev', 'preview'].includes(command)) {
    throw new ScriptError(`reference, build, check, dev or preview, got "${command}".`)
  }
  await ensureDependencies()
  // The loader needs a package that a fresh clone does not have before.
  await import('../test/harness/typescript-loader.mjs')
  if (command === 'check') return check(asked)
  if (command !== 'preview') await writeReference()
  if (command === 'reference') return 0
  // VitePress has its own lockfile, so that an installation for development does not include it.
  await ensureDependencies('docs')
  const options = asked.filter((each) => each !== command && each !== '--strict')
  const vitepress = join(docs, 'node_modules/vitepress/bin/vitepress.js')
  const code = await run(process.execPath, [vitepress, command, ...options], { cwd: docs })
  return code === 0 && command === 'build' ? check(asked) : code
})

/** Writes the parts that the pages of docs/reference include. They are not in git. */
async function writeReference() {
  const { referenceParts, withEmptyDatabase } = await import('./reference/parts.ts')
  const generated = await withEmptyDatabase(referenceParts)
  rmSync(parts, { recursive: true, force: true })
  for (const [path, text] of generated) {
    mkdirSync(join(parts, dirname(path)), { recursive: true })
    writeFileSync(join(parts, path), text)
  }
  console.log(`docs/.vitepress/reference: ${generated.size} generated parts`)
}

async function check(asked) {
  const { GROUPS } = await import('../docs/.vitepress/pages.ts')
  const { includesOf } = await import('../docs/.vitepress/includes.ts')
  const pages = readdirSync(docs, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !/node_modules|\.vitepress/.test(path))
  const isThere = (path) => pages.includes(path) || path.startsWith('project/')
  const shown = GROUPS.flatMap((group) => group.pages.map(({ path }) => `${path}.md`))
  const problems = [
    ...shown.filter((path) => !isThere(path)).map((path) => `${path}: in the sidebar, but not there`),
    ...pages
      .filter((path) => TRANSLATED.test(path) && path !== 'index.md' && !path.startsWith('reference/api/'))
      .filter((path) => !shown.includes(path))
      .map((path) => `${path}: there, but not in the sidebar (docs/.vitepress/pages.ts)`),
    ...pages
      .filter((path) => path.startsWith('pt/') && !isThere(path.slice('pt/'.length)))
      .map((path) => `${path}: translates nothing`),
    // VitePress leaves out a file that does not exist, without an error.
    ...pages.flatMap((path) =>
      includesOf(readFileSync(join(docs, path), 'utf8'))
        .filter((each) => !existsSync(join(docs, each)))
        .map((each) => `${path}: includes ${each}, which does not exist`),
    ),
    ...['llms.txt', 'llms-full.txt', 'pt/llms.txt', 'index.html']
      .filter((name) => !existsSync(join(dist, name)))
      .map((name) => `${name}: not in what was built`),
  ]
  const missing = pages
    .filter((path) => TRANSLATED.test(path) && !path.startsWith('reference/api/') && !isThere(`pt/${path}`))
    .sort()
  for (const problem of problems) console.error(problem)
  if (missing.length > 0) console.error(`${missing.length} pages without a translation: ${missing.join(', ')}`)
  return problems.length > 0 || (missing.length > 0 && asked.includes('--strict')) ? 1 : 0
}
