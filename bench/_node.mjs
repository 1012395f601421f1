import { execFileSync } from 'node:child_process'
import { fetchNode } from '../scripts/fetch-node.mjs'

/** What the peers ask for in their `engines`. */
const NEEDED = [22, 18]
/** What is fetched where this Node is older. */
const FETCHED_MAJOR = 24

/** The Node under which all contestants run, Pontual included: this one where the peers accept it, else one from npm. `{ path, versions }`. */
export async function contestNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isAccepted = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
  if (isAccepted) return { path: process.execPath, versions: process.versions }
  const path = await fetchNode(FETCHED_MAJOR)
  const versions = JSON.parse(execFileSync(path, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' }))
  return { path, versions }
}
