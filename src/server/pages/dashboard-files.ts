import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { PontualError, quote } from '../../errors.ts'
import { StaticFile } from './static-file.ts'

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
