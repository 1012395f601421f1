import { spawnSync } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Binaries } from './binaries.ts'

/** Debian keeps each major version in a folder of its own, outside PATH. */
const DEBIAN = '/usr/lib/postgresql'
const PG_CONFIG = 'pg_config'

/** Searched once: every test file of a worker asks. */
let found: Binaries | null | undefined

/** The PostgreSQL that the system installed: the newest of Debian's versions, otherwise the one of `pg_config` or PATH; null if there is none. */
export function findStockServer(): Binaries | null {
  if (found === undefined) {
    const folders = [...debianFolders(), ...configuredFolders(), ...pathFolders()]
    found = folders.map(binariesIn).find(isComplete) ?? null
  }
  return found
}

function debianFolders(): string[] {
  return entriesOf(DEBIAN)
    .filter((name) => /^\d+$/.test(name))
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN, version, 'bin'))
}

function configuredFolders(): string[] {
  const { status, stdout } = spawnSync(PG_CONFIG, ['--bindir'], { encoding: 'utf8' })
  return status === 0 ? [stdout.trim()] : []
}

function pathFolders(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
}

function binariesIn(folder: string): Binaries {
  const program = (name: string) => join(folder, process.platform === 'win32' ? `${name}.exe` : name)
  return { initdb: program('initdb'), postgres: program('postgres') }
}

function isComplete({ initdb, postgres }: Binaries): boolean {
  try {
    for (const program of [initdb, postgres]) accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
