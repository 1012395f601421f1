import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { npm, root, run, ScriptError } from './run.mjs'

/** The one lock for whatever changes node_modules or dist. */
export const setupLock = join(root, '.setup.lock')

/**
 * Installs what package-lock.json says, where node_modules is missing or says something else; of a folder that has its own, such as `bench`, or of the
 * whole.
 */
export async function ensureDependencies(folder = '') {
  requireNode()
  if (isInstalled(folder)) return
  await withLock(setupLock, async () => {
    if (!isInstalled(folder)) await install(folder)
  })
}

function requireNode() {
  const accepted = readJson('package.json').engines.node
  const [major, minor] = accepted.match(/\d+/g).map(Number)
  const [actualMajor, actualMinor] = process.versions.node.split('.').map(Number)
  if (actualMajor > major || (actualMajor === major && actualMinor >= minor)) return
  throw new ScriptError(
    `Pontual needs Node ${major}.${minor} or later, this is Node ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  )
}

function isInstalled(folder) {
  // npm writes this file last: it is absent while an installation is unfinished.
  if (!existsSync(join(root, folder, 'node_modules/.package-lock.json'))) return false
  const wanted = readJson(join(folder, 'package-lock.json')).packages
  const installed = readJson(join(folder, 'node_modules/.package-lock.json')).packages
  const direct = Object.keys(wanted[''].optionalDependencies ?? {}).map((name) => `node_modules/${name}`)

  const isAsWanted = (path) => {
    if (!installed[path]) return isLeftOut(wanted[path], direct.includes(path))
    return isSame(wanted[path], installed[path]) && existsSync(join(root, folder, path, 'package.json'))
  }
  return (
    Object.keys(wanted).every((path) => path === '' || isAsWanted(path)) &&
    Object.keys(installed).every((path) => path in wanted)
  )
}

function isSame(wanted, installed) {
  return wanted.version === installed.version && wanted.integrity === installed.integrity
}

/** Whether npm leaves this package out here: an optional one for another platform, or what only such a one needs. */
function isLeftOut({ optional, os, cpu, libc }, isDirect) {
  if (!optional) return false
  if (libc) return true
  if (!os && !cpu) return !isDirect
  return !fits(os, process.platform) || !fits(cpu, process.arch)
}

function fits(accepted, actual) {
  if (!accepted) return true
  if (accepted.includes(`!${actual}`)) return false
  return accepted.includes(actual) || accepted.every((name) => name.startsWith('!'))
}

async function install(folder) {
  console.error(`Installing dependencies${folder && ` of ${folder}`} (npm ci) …`)
  const [command, args, options] = npm([
    'ci',
    '--include=dev',
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  // Standard output belongs to the command the user asked for.
  const code = await run(command, args, { ...options, cwd: join(root, folder), stdio: ['ignore', 2, 2] })
  if (code === 0) return
  throw new ScriptError(
    `Dependencies could not be installed: npm ci ended with ${code}, its reason stands above.
- Network (ENOTFOUND, ECONNREFUSED, ETIMEDOUT): go online or point npm to a mirror, then run the same command again.
- package.json and package-lock.json disagree (EUSAGE): run npm install.
- No right to write (EACCES): run as the owner of ${root}.`,
  )
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}
