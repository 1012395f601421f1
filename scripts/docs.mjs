import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import '../test/typescript-loader.mjs'
import { main, root, run, ScriptError } from './run.mjs'
import { ensureDependencies } from './setup.mjs'

const docs = join(root, 'docs')
const dist = join(docs, '.vitepress/dist')
const TRANSLATED = /^(index|(tutorial|how-to|reference|explanation)\/.+)\.md$/

// The site of the documentation: build (and check), check alone, dev, preview. --strict fails where a translation is missing.
await main(async () => {
  const asked = process.argv.slice(2)
  const [command = 'build'] = asked.filter((each) => !each.startsWith('-'))
  if (!['build', 'check', 'dev', 'preview'].includes(command)) {
    throw new ScriptError(`build, check, dev or preview, got "${command}".`)
  }
  if (command === 'check') return check(asked)
  // The root does without: only who builds the site needs it.
  await ensureDependencies('docs')
  const options = asked.filter((each) => each !== command && each !== '--strict')
  const vitepress = join(docs, 'node_modules/vitepress/bin/vitepress.js')
  const code = await run(process.execPath, [vitepress, command, ...options], { cwd: docs })
  return code === 0 && command === 'build' ? check(asked) : code
})

async function check(asked) {
  const { GROUPS } = await import('../docs/.vitepress/pages.ts')
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
