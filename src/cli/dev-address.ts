import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { identify, isAlive } from '../store/driver/lock-file.ts'

/** Where somebody's `pontual dev` listens. */
export interface DevAddress {
  readonly url: string
  readonly pid: number
}

/** Where `pontual dev` keeps everything unless it is told otherwise. */
export const DEV_DATA = '.pontual'

/** The demo alone has a directory of its own, so that its jobs do not stand among those of a project that begins in the same place. */
export function demoData(data: string): string {
  return `${data}-demo`
}

/** The `pontual dev` that runs on a directory, or the demo beside it; null where there is none, or one that ended without saying so. */
export function findDev(data: string = DEV_DATA): DevAddress | null {
  return devOn(data) ?? devOn(demoData(data))
}

/** Leaves the address of this process beside the lock of its directory. Returns how to take it away. */
export function leaveAddress(data: string, url: string): () => void {
  const file = fileOf(data)
  const content = JSON.stringify({ url, ...identify(process.pid) })
  writeFileSync(file, content)
  return () => {
    if (readIfThere(file) === content) rmSync(file, { force: true })
  }
}

/** The one on exactly this directory. */
export function devOn(data: string): DevAddress | null {
  const content = readIfThere(fileOf(data))
  if (content === null || !isAlive(content)) return null
  try {
    const { url, pid } = JSON.parse(content) as Partial<DevAddress>
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : null
  } catch {
    return null
  }
}

function fileOf(data: string): string {
  return `${resolve(data)}.address`
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
