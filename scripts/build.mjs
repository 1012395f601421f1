import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withLock } from './lock.mjs'
import { main, root, run, ScriptError, tool } from './run.mjs'
import { ensureDependencies, setupLock } from './setup.mjs'

const dist = join(root, 'dist')
const stamp = '.stamp'

/** Compiles src/ to dist/. */
export async function build() {
  await withLock(setupLock, compile)
}

/** Compiles src/ to dist/ where what stands there was made from something else. */
export async function ensureBuilt() {
  if (isBuilt()) return
  await withLock(setupLock, async () => {
    if (!isBuilt()) await compile()
  })
}

async function compile() {
  console.error('Building dist …')
  const digest = digestSources()
  // Compiled beside dist and moved there when finished: dist is whole or absent.
  const unfinished = `${dist}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const [command, args] = tool('typescript', 'tsc', ['-p', 'tsconfig.build.json', '--outDir', unfinished])
  const code = await run(command, args, { stdio: ['ignore', 2, 2] })
  if (code !== 0) throw new ScriptError(`The build failed: tsc ended with ${code}.`)

  const executable = join(unfinished, 'cli/main.js')
  if (existsSync(executable)) chmodSync(executable, 0o755)
  writeFileSync(join(unfinished, stamp), digest)
  // The stamp goes first: what is left of an interrupted removal does not count as built.
  rmSync(join(dist, stamp), { force: true })
  rmSync(dist, { recursive: true, force: true })
  renameSync(unfinished, dist)
}

function isBuilt() {
  const path = join(dist, stamp)
  return existsSync(path) && readFileSync(path, 'utf8') === digestSources()
}

function digestSources() {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
  const hash = createHash('sha256')
  for (const path of [...sources.sort(), ...settings]) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  await main(async () => {
    await ensureDependencies()
    await build()
  })
}
