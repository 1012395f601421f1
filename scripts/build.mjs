import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { dashboardFolder, digestDashboard, makeDashboard } from './build-dashboard.mjs'
import { withLock } from './lock.mjs'
import { main, root, run, ScriptError, tool } from './run.mjs'
import { ensureDependencies, setupLock } from './setup.mjs'
import { digestFiles, isMadeFrom, listSources, stampOf } from './sources.mjs'

const dist = join(root, 'dist')
const ENTRIES = ['index', 'time', 'postgres', 'pglite', 'server', 'testing']

/** Compiles src/ to dist/, and puts the dashboard beside it. */
export async function build() {
  await withLock(setupLock, compile)
}

/** The same where what stands there was made from something else. */
export async function ensureBuilt() {
  if (isBuilt()) return
  await withLock(setupLock, async () => {
    if (!isBuilt()) await compile()
  })
}

async function compile() {
  const digest = digestSources()
  await makeDashboard()
  console.error('Building dist …')
  // Compiled beside dist and moved there when finished: dist is whole or absent.
  const unfinished = `${dist}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const [command, args] = tool('typescript', 'tsc', ['-p', 'tsconfig.build.json', '--outDir', unfinished])
  const code = await run(command, args, { stdio: ['ignore', 2, 2] })
  if (code !== 0) throw new ScriptError(`The build failed: tsc ended with ${code}.`)

  // Both need packages, which a fresh clone does not have before the dependencies are installed.
  const { embed } = await import('./embed.mjs')
  await embed(unfinished)
  const { writeCommonJsEntries } = await import('./commonjs-entries.mjs')
  await writeCommonJsEntries(unfinished, ENTRIES)
  const executable = join(unfinished, 'cli/main.js')
  if (existsSync(executable)) chmodSync(executable, 0o755)
  // What is for tools begins with a dot, and stays behind.
  const isShipped = (path) => !basename(path).startsWith('.')
  cpSync(dashboardFolder, join(unfinished, 'dashboard'), { recursive: true, filter: isShipped })
  writeFileSync(stampOf(unfinished), digest)
  // The stamp goes first: what is left of an interrupted removal does not count as built.
  rmSync(stampOf(dist), { force: true })
  rmSync(dist, { recursive: true, force: true })
  renameSync(unfinished, dist)
  linkForExamples()
}

/** The examples are packages of their own, which find `pontual` as one that is installed. */
function linkForExamples() {
  const folder = join(root, 'examples/node_modules')
  mkdirSync(folder, { recursive: true })
  rmSync(join(folder, 'pontual'), { force: true })
  symlinkSync('../..', join(folder, 'pontual'), 'junction')
}

function isBuilt() {
  return isMadeFrom(dist, digestSources())
}

function digestSources() {
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
  return `${digestFiles([...listSources('src'), ...listSources('sql'), ...settings])} ${digestDashboard()}`
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  await main(async () => {
    await ensureDependencies()
    await build()
  })
}
