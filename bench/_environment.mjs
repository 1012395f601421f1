import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** What the figures depend on. Names neither the host nor a path. `node` has the versions of the Node that is measured. */
export function describeEnvironment(packages, node = process.versions) {
  const processors = cpus()
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    node: node.node,
    icu: node.icu,
    tz: node.tz,
    date: new Date().toISOString().slice(0, 10),
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  }
}

function versionOf(name) {
  if (name === 'pontual') return readVersion('../package.json')
  const places = ['./node_modules', '../node_modules'].map((folder) => `${folder}/${name}/package.json`)
  return readVersion(places.find((path) => existsSync(new URL(path, import.meta.url))))
}

function readVersion(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')).version
}
