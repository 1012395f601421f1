import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the package lies that runs. */
export const OWN_ROOT = dirname(fileURLToPath(new URL('../../../package.json', import.meta.url)))

/** How a project names the package that lies there, so that npm finds it: as a file where it came from one, else by its version. */
export function dependencyOn(root: string, version: string): string {
  const modules = dirname(root)
  // A clone, which may be ahead of all that was published.
  if (basename(modules) !== 'node_modules') return `file:${root}`
  const source = sourceOf(basename(root), modules)
  return source !== null && existsSync(source) ? `file:${source}` : `^${version}`
}

/** The file or folder from which npm has installed it; null where it is from a registry, or nobody knows. */
function sourceOf(name: string, modules: string): string | null {
  const { resolved } = readLock(join(modules, '.package-lock.json')).packages?.[`node_modules/${name}`] ?? {}
  return resolved?.startsWith('file:') ? resolve(dirname(modules), resolved.slice('file:'.length)) : null
}

interface Lock {
  readonly packages?: Readonly<Record<string, { readonly resolved?: string }>>
}

/** What npm knows of what it has installed. Other installers have none. */
function readLock(file: string): Lock {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Lock
  } catch {
    return {}
  }
}
