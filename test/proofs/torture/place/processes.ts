import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** All processes of the server whose data are in a folder, also those whose parent is gone. */
export function serverProcesses(data: string): number[] {
  return existsSync('/proc/self/cwd') ? processesIn(data) : familyOf(postmasterOf(data))
}

/** The process that starts all others of a server; null where there is none. */
function postmasterOf(data: string): number | null {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  } catch {
    return null
  }
}

/** Those that are gone meanwhile are passed over. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** A server and all that it starts work in the folder of its data. */
function processesIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.filter((pid) => workingFolder(pid) === folder).map(Number)
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

function familyOf(parent: number | null): number[] {
  if (parent === null) return []
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.filter((pair) => pair.includes(parent)).flatMap(([pid]) => pid ?? [])
}
