import { mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `action` while no other process holds the lock `folder`; waits for its turn.
 * The lock is a folder with one file, named after the process that holds it.
 */
export async function withLock(folder, action) {
  const mine = mkdtempSync(`${folder}.`)
  writeFileSync(join(mine, String(process.pid)), '')
  try {
    let isAnnounced = false
    while (!moved(mine, folder)) {
      const holder = readHolder(folder)
      if (holder && !isAlive(holder)) {
        release(folder, holder)
        continue
      }
      if (holder && !isAnnounced) console.error(`Waiting for process ${holder}, which does the same set-up …`)
      isAnnounced ||= Boolean(holder)
      await sleep(100)
    }
    return await action()
  } finally {
    rmSync(mine, { recursive: true, force: true })
    release(folder, String(process.pid))
  }
}

// Renaming a folder succeeds where the target is absent, and fails where somebody's file is in it.
function moved(from, to) {
  try {
    removeEmpty(to)
    renameSync(from, to)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'].includes(error.code)) return false
    throw error
  }
}

function removeEmpty(folder) {
  try {
    rmdirSync(folder)
  } catch {}
}

function readHolder(folder) {
  try {
    return readdirSync(folder)[0]
  } catch {
    return undefined
  }
}

function isAlive(pid) {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// Removes the named holder's file only: whoever took the lock in the meantime keeps it.
function release(folder, holder) {
  try {
    unlinkSync(join(folder, holder))
  } catch {}
  removeEmpty(folder)
}
