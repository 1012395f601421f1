import process from 'node:process'

/**
 * Whether an isolated process leads a group: a signal for the node's terminal is not for it, and what it has started ends with it, unless that
 * leads a group of its own.
 */
export const HAS_GROUP = process.platform !== 'win32'

/** Kills an isolated process, if it is still there, and all that is left of its group. */
export function killGroup(pid: number): void {
  try {
    process.kill(HAS_GROUP ? -pid : pid, 'SIGKILL')
  } catch {
    // Nothing is left.
  }
}
