import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { captureNpm, ScriptError } from '../run.mjs'

/** Installs tarballs, and packages from the registry, into a project. */
export async function installPacked(folder, packages) {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await captureNpm(['install', ...options, ...packages], { cwd: folder })
}

/** Nothing that comes with the package runs while it is installed. */
export function requireNoInstallScripts(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  const found = Object.keys(packages).filter((path) => packages[path].hasInstallScript)
  if (found.length > 0) throw new ScriptError(`To install the package runs scripts of ${found.join(', ')}.`)
}
