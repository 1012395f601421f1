import { fork } from 'node:child_process'
import process from 'node:process'
import type { Env } from '../../clock.ts'
import { EMBEDDED_ISOLATE, programBeside } from '../../embedded.ts'
import { type Channel, type ChannelEvents, type ChannelOptions, isNews, unreadable } from './channel.ts'
import { inherited } from './inherited-arguments.ts'
import { HAS_GROUP, killGroup } from './process-group.ts'

/** How long the pipes of a process that is gone may stay open: one that it has started, in another group, may hold them. */
const DRAIN_MS = 1_000
/** What V8 prints when it gives up. */
const OUT_OF_MEMORY = /FATAL ERROR:.*(heap out of memory|Allocation failed)/

export function openProcess({ jobType, memoryMb }: ChannelOptions, events: ChannelEvents, env: Env): Channel {
  const program = programBeside(import.meta.url, 'engine/sandbox/child-process', 'inside/main', EMBEDDED_ISOLATE)
  // A hyphen stands for a program that comes through standard input.
  const child = fork('file' in program ? program.file : '-', [jobType], {
    execArgv: [...inherited(process.execArgv), ...(memoryMb === null ? [] : [`--max-old-space-size=${memoryMb}`])],
    serialization: 'advanced',
    stdio: ['file' in program ? 'ignore' : 'pipe', 'pipe', 'pipe', 'ipc'],
    detached: HAS_GROUP,
  })
  if ('code' in program) child.stdin?.on('error', () => {}).end(program.code)
  let isOver = false
  let isOutOfMemory = false
  let problem: unknown = null
  const end = (exitCode: number | null, signal: string | null) => {
    if (isOver) return
    isOver = true
    events.onEnd({ exitCode, signal, isOutOfMemory, cause: problem })
  }
  const kill = () => {
    if (child.pid !== undefined) killGroup(child.pid)
  }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => events.onOutput('stdout', text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    isOutOfMemory ||= OUT_OF_MEMORY.test(text)
    events.onOutput('stderr', text)
  })
  child.on('message', (message: unknown) => {
    if (!isNews(message)) return
    try {
      events.onNews(message)
    } catch (error) {
      problem ??= unreadable(error)
      kill()
    }
  })
  child.on('error', (error) => {
    // An order for one that is gone; that it is gone is told by its end.
    if (child.pid !== undefined) return
    problem = error
    end(null, null)
  })
  child.on('exit', (exitCode, signal) => {
    if (HAS_GROUP) kill()
    const cancel = env.after(DRAIN_MS, () => end(exitCode, signal))
    child.once('close', () => {
      cancel()
      end(exitCode, signal)
    })
  })
  return {
    send: (order) => {
      if (child.connected) child.send(order)
    },
    kill,
  }
}
