import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { captureNpm, root, ScriptError } from '../run.mjs'

const NEEDED = ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/index.js', 'dist/dashboard/index.html']
const SURPLUS = /\.test\.|^src\/|^dashboard\/|^examples\/|\.stamp$|\.vite\/|\.map$/
/** What npm would run at whoever installs the package. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']

/** Packs what is built into a folder, as npm would publish it. Resolves to the path of the tarball. */
export async function pack(folder) {
  const packed = await captureNpm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder])
  const [{ filename, files, size }] = JSON.parse(packed)
  const paths = files.map(({ path }) => path)
  console.log(`${paths.length} files, ${Math.round(size / 1024)} KiB`)
  requireNone(
    'The package lacks',
    [...NEEDED, ...exported()].filter((path) => !paths.includes(path)),
  )
  requireNone(
    'The package holds what users do not need:',
    paths.filter((path) => SURPLUS.test(path)),
  )
  return join(folder, filename)
}

/** The files that package.json promises. */
function exported() {
  const { bin, exports, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  requireNone(
    'The package has install scripts:',
    INSTALL_SCRIPTS.filter((name) => name in scripts),
  )
  const targets = Object.values(exports).flatMap(filesOf)
  return [...Object.values(bin), ...targets].map((path) => path.replace('./', ''))
}

function filesOf(target) {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(filesOf)
}

function requireNone(complaint, paths) {
  if (paths.length > 0) throw new ScriptError(`${complaint} ${paths.join(', ')}.`)
}
