import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/** Names the file that collects what the processes of a run leave out. */
export const LEFT_OUT_FILE = 'PONTUAL_LEFT_OUT_FILE'

/** Records that tests are left out on this machine, and why; the run prints all of it in one line at its end. */
export function leaveOut(tests: string, reason: string): void {
  const file = process.env[LEFT_OUT_FILE]
  const part = `${tests} (${reason})\n`
  if (file) appendFileSync(file, part)
  else process.stderr.write(`Left out: ${part}`)
}

/** The line that names everything left out; null if nothing was. */
export function leftOutLine(file: string): string | null {
  if (!existsSync(file)) return null
  const parts = new Set(readFileSync(file, 'utf8').split('\n'))
  parts.delete('')
  return parts.size === 0 ? null : `!!! LEFT OUT: ${[...parts].sort().join('; ')}`
}
