import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { capture, captureNpm, root, ScriptError } from '../run.mjs'

/** No file names a registry or a path of this machine. */
export async function checkAddresses() {
  const paths = await listFiles()
  paths.filter((path) => basename(path) === 'package-lock.json').forEach(checkLockfile)
  const registry = new URL((await captureNpm(['config', 'get', 'registry'])).trim()).host
  const forbidden = [
    { what: 'a path of this machine', pattern: /(?<![\w.~-])\/work\// },
    { what: 'a path of this machine', pattern: literally(root) },
    { what: 'a registry address', pattern: /\/\/registry\./ },
    { what: 'a registry address', pattern: literally(`//${registry}`) },
  ]
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return forbidden.filter(({ pattern }) => pattern.test(text)).map(({ what }) => `${path} holds ${what}.`)
  })
  if (found.length > 0) throw new ScriptError([...new Set(found)].join('\n'))
}

function checkLockfile(path) {
  const { packages } = JSON.parse(readFileSync(join(root, path), 'utf8'))
  // Where a workspace lies is told as a path, and is no address.
  const isPath = ({ link, resolved }) => link === true && /^[\w-]+(\/[\w-]+)*$/.test(resolved)
  if (Object.values(packages).every((each) => each.resolved === undefined || isPath(each))) return
  throw new ScriptError(`${path} holds "resolved" addresses: delete it and run npm install, .npmrc leaves them out.`)
}

function literally(text) {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}

/** What git tracks, and what it would track once added. */
async function listFiles() {
  // A clone may belong to another user than the one who checks it.
  const args = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = (await capture('git', args)).split('\0')
  return [...new Set(paths)].filter((path) => path && statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
}
