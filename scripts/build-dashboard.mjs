import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeSize, measureDashboard } from './dashboard-size.mjs'
import { withLock } from './lock.mjs'
import { main, root, run, ScriptError, tool } from './run.mjs'
import { ensureDependencies, setupLock } from './setup.mjs'
import { digestFiles, isMadeFrom, listSources, stampOf } from './sources.mjs'

/** What Vite makes of dashboard/. */
export const dashboardFolder = join(root, 'dashboard/dist')

const SETTINGS = ['index.html', 'package.json', 'tsconfig.json', 'vite.config.ts'].map((name) => `dashboard/${name}`)

/** What is imported from a path, and whether that is types alone. */
const IMPORT = /^(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'/gm

/** Builds the dashboard where what stands there was made from something else. */
export async function ensureDashboardBuilt() {
  if (isMadeFrom(dashboardFolder, digestDashboard())) return
  await withLock(setupLock, makeDashboard)
}

/** The same for whoever holds the lock already. */
export async function makeDashboard() {
  const digest = digestDashboard()
  if (isMadeFrom(dashboardFolder, digest)) return
  console.error('Building the dashboard …')
  // Beside where it goes, and moved there when finished: it is whole or absent.
  const unfinished = `${dashboardFolder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  // This loader of the configuration writes nothing into node_modules, which may belong to another user.
  const options = ['--configLoader', 'runner', '--outDir', unfinished, '--logLevel', 'warn']
  const [command, args] = tool('vite', 'vite', ['build', join(root, 'dashboard'), ...options])
  const env = { ...process.env, NODE_ENV: 'production' }
  const code = await run(command, args, { cwd: join(root, 'dashboard'), env, stdio: ['ignore', 2, 2] })
  if (code !== 0) throw new ScriptError(`The build failed: vite ended with ${code}.`)

  console.error(describeSize(measureDashboard(unfinished)))
  writeFileSync(stampOf(unfinished), digest)
  // The stamp goes first: what is left of an interrupted removal does not count as built.
  rmSync(stampOf(dashboardFolder), { force: true })
  rmSync(dashboardFolder, { recursive: true, force: true })
  renameSync(unfinished, dashboardFolder)
}

export function digestDashboard() {
  const settings = SETTINGS.filter((path) => existsSync(join(root, path)))
  const sources = listSources('dashboard/src')
  const shared = [...sharedBy(sources)].sort()
  return digestFiles([...settings, ...sources, ...listSources('dashboard/public'), ...shared, 'package-lock.json'])
}

/** What of src/ is built into it: texts and rules, and what those import. Types leave nothing behind. */
function sharedBy(paths, found = new Set()) {
  for (const path of paths.filter((each) => /\.tsx?$/.test(each))) {
    for (const [, isType, name] of readFileSync(join(root, path), 'utf8').matchAll(IMPORT)) {
      const target = join(dirname(path), name)
      if (isType || !target.startsWith(`src${sep}`) || found.has(target)) continue
      found.add(target)
      sharedBy([target], found)
    }
  }
  return found
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  await main(async () => {
    await ensureDependencies()
    await ensureDashboardBuilt()
  })
}
