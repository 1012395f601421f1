import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ScriptError } from './run.mjs'

/** How much a browser may have to fetch, packed with gzip. */
const MOST_FIRST_KB = 90
const MOST_IN_ALL_KB = 150

/** How much there is to fetch, in KB packed with gzip: before the first page is seen, and in all. */
export function measureDashboard(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const sizeOf = (name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length
  const sum = (names) => names.reduce((total, name) => total + sizeOf(name), 0) / 1_000
  const all = listFiles(folder)
  return { firstKb: sum(firstFiles(manifest)), allKb: sum(all), files: all.length }
}

/** The page, what it begins with, and whatever that imports before it runs. */
function firstFiles(manifest) {
  const found = new Set(['index.html'])
  const visit = (key) => {
    const { file, css = [], imports = [] } = manifest[key]
    if (found.has(file)) return
    for (const name of [file, ...css]) found.add(name)
    imports.forEach(visit)
  }
  for (const [key, { isEntry }] of Object.entries(manifest)) if (isEntry) visit(key)
  return [...found].filter((name) => name === 'index.html' || ['.js', '.css'].includes(extname(name)))
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !name.startsWith('.'))
}

export function describeSize({ firstKb, allKb, files }) {
  return (
    `The dashboard: ${firstKb.toFixed(1)} KB before the first page (at most ${MOST_FIRST_KB}), ` +
    `${allKb.toFixed(1)} KB in all (at most ${MOST_IN_ALL_KB}), gzip, ${files} files.`
  )
}

/** Fails where it has grown too large. */
export function requireSize(folder) {
  if (!existsSync(join(folder, '.vite/manifest.json'))) throw new ScriptError(`${folder} was not built by Vite.`)
  const size = measureDashboard(folder)
  if (size.firstKb > MOST_FIRST_KB || size.allKb > MOST_IN_ALL_KB) throw new ScriptError(describeSize(size))
  return describeSize(size)
}
