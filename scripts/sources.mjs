import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './run.mjs'

const STAMP = '.stamp'

/** Where a built folder says what it was made from. */
export function stampOf(folder) {
  return join(folder, STAMP)
}

/** Whether a folder was made from exactly this. */
export function isMadeFrom(folder, digest) {
  return existsSync(stampOf(folder)) && readFileSync(stampOf(folder), 'utf8') === digest
}

/** All files below a folder that go into what is built from it. */
export function listSources(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}

/** One text that changes with any of the files. */
export function digestFiles(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}
