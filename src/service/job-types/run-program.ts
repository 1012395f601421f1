import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import type { Env } from '../../clock.ts'
import { Lines } from '../../engine/sandbox/lines.ts'
import { HAS_GROUP, killGroup } from '../../engine/sandbox/process-group.ts'

export interface Program {
  readonly path: string
  readonly arguments: readonly string[]
  readonly directory: string
  /** All of its environment: nothing of this process goes with it. */
  readonly environment: Readonly<Record<string, string>>
}

export interface ProgramSurroundings {
  readonly env: Env
  /** Ends the program, and all it has started, when it is aborted. */
  readonly signal: AbortSignal
  onLine(stream: 'stdout' | 'stderr', line: string): void
}

export interface ProgramEnd {
  readonly exitCode: number | null
  readonly signal: string | null
}

/** How long a program has to end by itself once it was asked to. */
const GRACE_MS = 5_000
/** How long pipes may stay open after the end: something it has started, in another group, may hold them. */
const DRAIN_MS = 1_000

/** Runs a program without a shell, in a process group of its own. Rejects where it could not be started, or was aborted. */
export async function runProgram(program: Program, around: ProgramSurroundings): Promise<ProgramEnd> {
  const { env, signal } = around
  signal.throwIfAborted()
  const child = spawn(program.path, program.arguments, {
    cwd: program.directory,
    env: { ...program.environment },
    shell: false,
    detached: HAS_GROUP,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const lines = [linesOf(child, 'stdout', around), linesOf(child, 'stderr', around)]
  let cancelKill = () => {}
  const stop = () => {
    askToEnd(child)
    cancelKill = env.after(GRACE_MS, () => kill(child))
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const end = await endOf(child, env)
    signal.throwIfAborted()
    return end
  } finally {
    signal.removeEventListener('abort', stop)
    cancelKill()
    // Whatever it has left behind ends with it.
    kill(child)
    for (const each of lines) each.flush()
  }
}

function linesOf(child: ChildProcess, stream: 'stdout' | 'stderr', around: ProgramSurroundings): Lines {
  const lines = new Lines({ onLine: (line) => around.onLine(stream, line), onEnd: () => {} })
  child[stream]?.setEncoding('utf8').on('data', (text: string) => lines.add(text))
  return lines
}

function endOf(child: ChildProcess, env: Env): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, signal) => {
      kill(child)
      const cancel = env.after(DRAIN_MS, () => resolve({ exitCode, signal }))
      child.once('close', () => {
        cancel()
        resolve({ exitCode, signal })
      })
    })
  })
}

function askToEnd({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(HAS_GROUP ? -pid : pid, 'SIGTERM')
  } catch {
    // It is gone.
  }
}

function kill(child: ChildProcess): void {
  if (child.pid !== undefined && HAS_GROUP) killGroup(child.pid)
  else child.kill('SIGKILL')
}
