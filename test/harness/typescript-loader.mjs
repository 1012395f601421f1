import { readFile } from 'node:fs/promises'
import { createRequire, register } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Lets Node run the sources as they stand: `node --import ./test/typescript-loader.mjs file.ts`. Worker threads and child processes that
 * inherit the arguments of their parent can do so too. Types are taken out, nothing else is changed.
 */
const isHooksThread = new URL(import.meta.url).searchParams.has('hooks')

if (!isHooksThread) register(`${import.meta.url}?hooks`)

/** Sources with a planted bug, by their files. */
const planted = JSON.parse(process.env.PONTUAL_PLANTED_SOURCES ?? '{}')
const { transformSync } = isHooksThread ? await import(transformer()) : {}

export async function load(url, context, nextLoad) {
  const { protocol, pathname } = new URL(url)
  if (protocol !== 'file:' || !pathname.endsWith('.ts')) return nextLoad(url, context)
  const path = fileURLToPath(url)
  const [, changed] = Object.entries(planted).find(([file]) => pathname.endsWith(`/${file}`)) ?? []
  const { code, errors } = transformSync(path, changed ?? (await readFile(path, 'utf8')), { sourcemap: false })
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
  return { format: 'module', source: code, shortCircuit: true }
}

/** The transformer that vitest's own vite brings along, so that both see the same TypeScript. */
function transformer() {
  const fromVitest = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'))
  const fromVite = createRequire(fromVitest.resolve('vite/package.json'))
  return pathToFileURL(fromVite.resolve('rolldown/utils')).href
}
