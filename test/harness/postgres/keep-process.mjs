import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

/**
 * Runs a program for as long as the process that asked for it lives: when our input ends, however that process came to its end, the
 * program is stopped and its folder removed, unless it is told on its input (`keep`) that the folder is needed again. Argument:
 * { command, args, uid?, gid?, folder } as JSON.
 */
const { command, args, uid, gid, folder } = JSON.parse(process.argv[2])
let isFolderKept = false
const GRACE_MS = 10_000

const child = spawn(command, args, { uid, gid, stdio: ['ignore', 'inherit', 'inherit'], cwd: folder })
child.on('error', (error) => {
  console.error(`${command} cannot be started: ${error.message}`)
  finish(1)
})
child.on('exit', (code, signal) => {
  if (code !== 0) console.error(`${command} ended with ${code ?? signal}.`)
  finish(code ?? 1)
})

process.stdin
  .on('data', () => {
    isFolderKept = true
  })
  .on('end', stop)
  .on('error', stop)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
// Whoever read what we print may be gone.
process.stderr.on('error', () => {})

function stop() {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
}

function finish(code) {
  if (!isFolderKept) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  process.exit(code)
}
