import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { PontualError, quote } from '../../errors.ts'

/** Who holds a lock. Boot and start tell a process from a later one with the same number, where the system says them. */
interface Holder {
  readonly pid: number
  readonly host: string
  readonly boot: string | null
  readonly start: string | null
}

/** Takes the lock for this process; that of a process which is gone is taken over. Returns how to give it back. */
export function takeLock(path: string, thing: string): () => void {
  const mine = JSON.stringify(identify(process.pid))
  if (!create(path, mine)) {
    const theirs = readIfThere(path)
    if (theirs !== null && isAlive(theirs)) throw held(path, thing, theirs)
    if (theirs !== null) moveAway(path, theirs, thing)
    if (!create(path, mine)) throw held(path, thing, readIfThere(path) ?? '')
  }
  return () => {
    if (readIfThere(path) === mine) rmSync(path, { force: true })
  }
}

/** Whether somebody holds it who lives. */
export function isLocked(path: string): boolean {
  const content = readIfThere(path)
  return content !== null && isAlive(content)
}

/** False when it is there already. */
function create(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx' })
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

/** Two who find the same abandoned lock do not both get it: only one can rename it, and who renamed another's puts it back. */
function moveAway(path: string, expected: string, thing: string): void {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return
    throw error
  }
  const moved = readIfThere(aside) ?? ''
  if (moved !== expected) {
    renameSync(aside, path)
    throw held(path, thing, moved)
  }
  rmSync(aside, { force: true })
}

/** Whether the process lives that has written this about itself. */
export function isAlive(content: string): boolean {
  const holder = parse(content)
  // What cannot be read, or is of another machine, cannot be judged from here.
  if (!holder || holder.host !== hostname()) return true
  const now = identify(holder.pid)
  if (holder.boot !== now.boot || !isRunning(holder.pid)) return false
  return holder.start === null || now.start === null || holder.start === now.start
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return isErrno(error, 'EPERM')
  }
}

/** What tells a process from every other, as far as the system says it. */
export function identify(pid: number): Holder {
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? null
  // The second field is a name in brackets and may hold spaces; start time is the twentieth after it.
  const stat = readIfThere(`/proc/${pid}/stat`)
  const start = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  return { pid, host: hostname(), boot, start }
}

function parse(content: string): Holder | null {
  try {
    const holder = JSON.parse(content) as Partial<Holder> | null
    if (!Number.isInteger(holder?.pid) || typeof holder?.host !== 'string') return null
    return holder as Holder
  } catch {
    return null
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function held(path: string, thing: string, content: string): PontualError {
  const holder = parse(content)
  const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process'
  // One of this machine whose start is known does live.
  const isCertain = holder !== null && holder.host === hostname() && holder.start !== null
  const otherwise = isCertain ? '' : ` If it is certain that nobody has it open, remove ${quote(path)}.`
  const message = `${thing} is in use by ${who}. One process at a time may open it: stop that one, or use PostgreSQL for several.${otherwise}`
  return new PontualError('store.locked', message, { path, pid: holder?.pid ?? null, host: holder?.host ?? null })
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
