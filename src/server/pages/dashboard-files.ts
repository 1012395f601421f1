import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidInputError, PontualError, quote } from '../../errors.ts'
import { requireOptions } from '../../time/require.ts'
import { StaticFile } from './static-file.ts'

/**
 * Whether the dashboard is served. `true`: it has to be there. `false`: nothing is served at `/jobs`, which is left to your own pages. `folder`: where its
 * files are, for code that a bundler has moved away from them: `node_modules/pontual/dist/dashboard`.
 */
export type DashboardOption = boolean | { readonly folder: string }

/** The folder of the dashboard's files; null where it is not wanted, or nobody asked for it and it is not there. */
export function findDashboard(wanted: DashboardOption | undefined): string | null {
  if (wanted === false) return null
  const folder = typeof wanted === 'object' ? requireOptions(wanted, 'dashboard', ['folder']).folder : besideThisCode()
  if (existsSync(join(folder, 'index.html'))) return folder
  if (wanted === undefined) return null
  const message = `There is no dashboard in ${quote(folder)}: in a clone npm run build makes it; the package has it in dist/dashboard.`
  throw new InvalidInputError('dashboard.not_built', message, { folder })
}

/** In the package it lies beside the other files of dist; in a clone, where the sources run, Vite has built it in its own folder. */
function besideThisCode(): string {
  const { url } = import.meta as { readonly url?: string }
  // A bundle in CommonJS does not know where it is.
  if (url === undefined) return ''
  const file = fileURLToPath(url)
  const levelsUp = file.endsWith('.ts') ? ['..', '..', '..', 'dashboard', 'dist'] : ['..', '..', 'dashboard']
  return join(dirname(file), ...levelsUp)
}

const INDEX = 'index.html'
const HEAD = /<head[^>]*>/

/** The files of the dashboard, in memory: what was not read at the start cannot be asked for, whatever a path says. */
export interface DashboardFiles {
  /** The page, with the way back to the root of the dashboard. */
  page(base: string): string
  file(name: string): StaticFile | undefined
}

/** Reads the files of a folder that was built. */
export async function readDashboard(folder: string): Promise<DashboardFiles> {
  const files = new Map<string, StaticFile>()
  for (const name of await namesIn(folder)) {
    if (name !== INDEX) files.set(name, new StaticFile(name, new Uint8Array(await readFile(join(folder, name)))))
  }
  const index = await readFile(join(folder, INDEX), 'utf8')
  const [head] = HEAD.exec(index) ?? []
  if (head === undefined) throw new PontualError('dashboard.damaged', `${quote(join(folder, INDEX))} has no <head>.`)
  // First of all, so that whatever follows is found from there.
  const at = index.indexOf(head) + head.length
  const [before, after] = [index.slice(0, at), index.slice(at)]
  return {
    page: (base) => `${before}<base href="${base}">${after}`,
    file: (name) => files.get(name),
  }
}

/** Without what begins with a dot: that is told to tools, and to nobody else. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !/(^|\/)\./.test(name))
}
