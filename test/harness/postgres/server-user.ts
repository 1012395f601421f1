import { execFileSync } from 'node:child_process'

/** Who runs a server: nobody in particular for an ordinary user; someone else for root, whom PostgreSQL refuses. */
export interface ServerUser {
  readonly uid?: number
  readonly gid?: number
}

const NAMES = ['postgres', 'nobody']

export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {}
  for (const name of NAMES) {
    try {
      return { uid: numberOf('-u', name), gid: numberOf('-g', name) }
    } catch {
      // There is no such user here.
    }
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${NAMES.join(' or ')} to run it as.`)
}

function numberOf(option: string, name: string): number {
  return Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
}
